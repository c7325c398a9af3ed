// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The kernel begins to refuse copies between processes in the middle of a flow.

#include "peers/server.h"

namespace ucxx::core::test {
namespace {

class RefusalTest : public testing::TestWithParam<std::tuple<Move, bool>> {};

TEST_P(RefusalTest, InMidFlightIsNotNoticed) {
  const auto [move, push] = GetParam();
  const Flow flow{move, 1 << 20, push};
  Server server(Mode::Caller, "127.0.0.1", "-", 1 << 20, {{"UCXX_LOCAL_BULK", "copy"}});
  Process other(server.caller(flow), {"env", "UCXX_LOCAL_BULK=copy"});
  auto endpoint = server.next();
  ASSERT_NE(endpoint, nullptr);
  FlowEnd end(endpoint, flow, !push);
  ASSERT_TRUE(server.until([&] { return end.turn(), end.count() > 5; }));
  other.tell('r');
  ASSERT_EQ(other.line(), "ready");
  std::string answer;
  ASSERT_TRUE(server.until([&] {
    if (answer.empty()) answer = other.line(std::chrono::milliseconds(0));
    return end.turn(), !answer.empty();
  }));
  if (answer != "refused") GTEST_SKIP() << "no seccomp filter here";
  const std::size_t before = end.count();
  EXPECT_TRUE(server.until([&] { return end.turn(), end.count() > before + 10; }))
      << server.worker->describe();
  EXPECT_EQ(end.status(), UCS_OK);
  EXPECT_TRUE(end.isRight());
  EXPECT_TRUE(endpoint->isAlive());
}

INSTANTIATE_TEST_SUITE_P(All, RefusalTest,
                         testing::Combine(testing::Values(Move::Tag, Move::Stream, Move::Am,
                                                          Move::Multi),
                                          testing::Bool()),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "Push" : "Pull");
                         });

}  // namespace
}  // namespace ucxx::core::test
