// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What a device does that is lost: in a process of its own, which can use CUDA no more.

#include <cstdlib>
#include <memory>

#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

bool closesAfterAFault() {
  gpu::useDevice();
  gpu::warmKernels();
  const Handle failing = gpu::makeStream(), stream = gpu::makeStream();
  gpu::Words words;
  auto ends = std::make_unique<Ends>(Route::Address, Mode::Adaptive);
  std::uint64_t word = 1;
  (void)driver().waitValue64(stream, words.at(0), 1, base::cuda::kGreaterOrEqual);
  const auto request =
      ends->left->tagSendBuilder(&word, 8, kTag).condition(Condition::stream(stream)).build();
  gpu::launch("write_word", failing, {8, 1});
  constexpr base::cuda::Result kIllegalAddress = 700;
  if (!gpu::eventually([&] { return driver().queryStream(failing) == kIllegalAddress; }))
    return false;
  words[0] = 1;
  if (!isSaid("cuStream", [&] { request->waitOn(stream); })) return false;
  ends.reset();
  // The peer has left: the endpoint fails.
  return in(compat::kDeadline, [&] { return request->isCompleted(); }) &&
         request->getStatus() != UCS_OK;
}

/// After an error that stays no write comes; what waits for one ends with its worker.
TEST(StreamLostTest, AnErrorThatStaysHoldsUpNoClose) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  // A stream still waits, so no destructor has a say.
  EXPECT_EXIT(std::_Exit(closesAfterAFault() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ucxx::cuda::test
