// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Every operation over every way to meet, in every progress mode, in every size that takes another
// path through the link.

#include <tuple>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kSizes[] = {
    0,     1,     8,     3072,  3073,   8191,   8192,   8193,    16383,         16384,
    16385, 32767, 32768, 32769, 262143, 262144, 262145, 1 << 20, (1 << 20) + 1, (4 << 20) + 1};

class MatrixTest : public testing::TestWithParam<std::tuple<Move, Route, Mode>> {
 protected:
  Move move() const { return std::get<0>(GetParam()); }
  bool isLegal(std::size_t size) const { return size != 0 || move() != Move::Stream; }

  void check(Sending& sending, Receiving& receiving) {
    ASSERT_TRUE(ends_.until([&] { return receiving.hasEnded() && sending.request->isCompleted(); }))
        << ends_.left_worker->describe() << ends_.right_worker->describe();
    EXPECT_EQ(sending.request->getStatus(), UCS_OK);
    EXPECT_TRUE(receiving.payload() == sending.payload());
    if (move() != Move::AmCallback) return;
    EXPECT_EQ(receiving.request->getRecvHeader(), "of " + std::to_string(sending.payload().size()));
    EXPECT_EQ(received_.handle, ends_.right->getHandle());
  }

  Ends ends_{std::get<1>(GetParam()), std::get<2>(GetParam())};
  Received received_;
};

TEST_P(MatrixTest, DataArrives) {
  registerReceiver(*ends_.right_worker, received_);
  for (const std::size_t size : kSizes) {
    if (!isLegal(size)) continue;
    SCOPED_TRACE(size);
    {
      Receiving receiving(move(), *ends_.right, size, received_);
      Sending sending(move(), *ends_.left, bytes(size));
      check(sending, receiving);
    }
    if (move() == Move::AmCallback || size > (1 << 20)) continue;  // never unexpected; long enough
    Sending unexpected(move(), *ends_.left, bytes(size, 2));
    (void)ends_.left_worker->progress();
    Receiving late(move(), *ends_.right, size, received_);
    check(unexpected, late);
    if (HasFatalFailure()) return;
  }
}

std::string nameOfMatrixCase(const testing::TestParamInfo<MatrixTest::ParamType>& info) {
  return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param)) +
         nameOf(std::get<2>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, MatrixTest,
                         testing::Combine(testing::ValuesIn(kMoves), testing::ValuesIn(kRoutes),
                                          testing::ValuesIn(kModes)),
                         nameOfMatrixCase);

}  // namespace
}  // namespace ucxx::core::test
