// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Programs that sleep for each request before they look whether it has ended.

#include <gtest/gtest.h>

#include "peers.h"

namespace {

constexpr int kLongMs = 20000;

/// A send and a receive that end inside their calls.
compat::Requests endedAtOnce(const compat::Self& self, std::vector<int>& buffer) {
  const std::size_t size = buffer.size() * sizeof(int);
  return {self.endpoint->tagSend(buffer.data(), size, ucxx::Tag{1}),
          self.endpoint->tagRecv(buffer.data(), size, ucxx::Tag{1}, ucxx::TagMaskFull)};
}

TEST(CompatBlockingTest, ProgressWorkerEventDoesNotSleepThroughRequestsThatEndedAtOnce) {
  const compat::Self self;
  self.worker->initBlockingProgressMode();
  std::vector<int> buffer(10, 1);
  for (const auto& request : endedAtOnce(self, buffer)) {
    EXPECT_TRUE(self.worker->progressWorkerEvent(kLongMs));
    EXPECT_TRUE(request->isCompleted());
  }
}

TEST(CompatBlockingTest, ProgressWorkerEventSleepsWhenAllEndsWereSeen) {
  const compat::Self self;
  self.worker->initBlockingProgressMode();
  std::vector<int> buffer(10, 1);
  endedAtOnce(self, buffer);
  ASSERT_TRUE(compat::until({}, [&] { return !self.worker->progressWorkerEvent(0); }));
  const auto before = self.worker->stats().wake_ups;
  EXPECT_FALSE(self.worker->progressWorkerEvent(1));
  EXPECT_EQ(self.worker->stats().wake_ups, before + 1);
}

TEST(CompatBlockingTest, WaitProgressDoesNotSleepThroughRequestsThatEndedAtOnce) {
  const compat::Self self;
  std::vector<int> buffer(10, 1);
  for (const auto& request : endedAtOnce(self, buffer)) {
    self.worker->waitProgress();
    EXPECT_TRUE(request->isCompleted());
  }
}

}  // namespace
