// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// One thread waits for plans of several workers that nobody else moves.

#include <ucxx/prepared.h>

#include "core/prepared_memory.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr auto kForEver = std::chrono::nanoseconds{-1};
constexpr std::size_t kParts = 2;

/// Two ends on workers of their own.
struct PlanOfTwo {
  PlanOfTwo(Owner owner, std::size_t each)
      : source(ends.context, owner, kParts * each),
        target(ends.context, owner, kParts * each),
        send(ends.left->prepareSend(source.data(), source.size(), Tag{8}, {kParts})),
        receive(ends.right->prepareRecv(target.data(), target.size(), Tag{8}, {kParts})) {}

  Ends ends{Route::Address};
  Memory source, target;
  std::shared_ptr<PreparedSend> send;
  std::shared_ptr<PreparedRecv> receive;
};

/// The plans of four workers; each moves only while it is waited for.
class PreparedWaitAllTest : public testing::TestWithParam<std::tuple<Owner, std::size_t>> {
 protected:
  void start(unsigned seed) {
    for (PlanOfTwo* pair : {&first_, &second_}) pair->source.fill(seed++);
    startAll(plans_);
  }
  void makeReady() {
    for (PlanOfTwo* pair : {&first_, &second_}) pair->send->ready();
  }
  void expectCame(unsigned seed) {
    for (PlanOfTwo* pair : {&first_, &second_}) EXPECT_TRUE(pair->target.has(seed++));
    for (const auto& plan : plans_) EXPECT_EQ(plan->getStatus(), UCS_OK) << plan->describe();
  }

  PlanOfTwo first_{std::get<Owner>(GetParam()), std::get<std::size_t>(GetParam())};
  PlanOfTwo second_{std::get<Owner>(GetParam()), std::get<std::size_t>(GetParam())};
  std::vector<std::shared_ptr<Prepared>> plans_{first_.send, second_.receive, second_.send,
                                                first_.receive};
};

TEST_P(PreparedWaitAllTest, ForEverMovesAllOfThem) {
  for (unsigned i = 1; i <= 3; ++i) {
    start(2 * i);
    makeReady();
    EXPECT_TRUE(waitAll(plans_, kForEver));
    expectCame(2 * i);
    EXPECT_TRUE(waitAll(plans_, kForEver));  // there is nothing to wait for
  }
}

TEST_P(PreparedWaitAllTest, AShortTimeIsUp) {
  start(1);
  first_.send->ready();
  second_.send->ready(0);
  for (const auto limit : {0ns, 1ns, std::chrono::nanoseconds(30ms)}) {
    const auto begun = Clock::now();
    EXPECT_FALSE(waitAll(plans_, limit));
    const auto took = Clock::now() - begun;
    EXPECT_GE(took, limit);
    EXPECT_LT(took, limit + compat::kDeadline / 2);
    EXPECT_EQ(second_.send->getStatus(), UCS_INPROGRESS);
    EXPECT_EQ(second_.receive->getStatus(), UCS_INPROGRESS);
  }
  second_.send->ready(1);
  EXPECT_TRUE(waitAll(plans_, compat::kDeadline));
  expectCame(1);
}

/// What fails has ended, and the others are still waited for.
TEST_P(PreparedWaitAllTest, OneThatFailsHoldsUpNobody) {
  start(1);
  makeReady();
  ASSERT_TRUE(waitAll(plans_, kForEver));
  start(3);
  const auto closed = first_.receive->close();
  second_.send->ready(1);
  const auto end = Clock::now() + compat::kDeadline;
  do {
    EXPECT_FALSE(waitAll(plans_, 30ms));
  } while (first_.send->getStatus() == UCS_INPROGRESS && Clock::now() < end);
  EXPECT_EQ(first_.receive->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(first_.send->getStatus(), UCS_ERR_CONNECTION_RESET);
  second_.send->ready(0);
  EXPECT_TRUE(waitAll(plans_, kForEver));
  EXPECT_TRUE(second_.target.has(4));
  EXPECT_EQ(second_.receive->getStatus(), UCS_OK);
  EXPECT_TRUE(first_.ends.ended({closed}));
}

/// A partition of the second size goes in pieces, for each of which both workers have to move.
INSTANTIATE_TEST_SUITE_P(All, PreparedWaitAllTest,
                         testing::Combine(testing::Values(Owner::Library, Owner::User),
                                          testing::Values(std::size_t{64}, std::size_t{3} << 20)),
                         [](const auto& info) {
                           return nameOf(std::get<Owner>(info.param)) +
                                  std::to_string(std::get<std::size_t>(info.param));
                         });

}  // namespace
}  // namespace ucxx::core::test
