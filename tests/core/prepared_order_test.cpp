// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Which of the plans that are prepared before two workers have met is the first.

#include <cstdint>

#include <ucxx/prepared.h>

#include "core/prepared_memory.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kBytes = 64;

class PreparedOrderTest : public testing::Test {
 protected:
  std::shared_ptr<Prepared> prepare(std::size_t index) {
    return left_->prepareSend(source_.data() + index * kBytes, kBytes, Tag{5});
  }
  /// When the link comes up, before those that wait for it have had their turn.
  std::shared_ptr<Request> prepareByCallback(std::size_t index) {
    return left_->tagSend(&word_, sizeof word_, Tag{6}, false,
                          [=, this](ucs_status_t, const auto&) { late_ = prepare(index); });
  }
  void meet() {
    ASSERT_EQ(late_, nullptr);
    right_ = right_worker_->createEndpointFromWorkerAddress(left_worker_->getAddress());
    ASSERT_TRUE(compat::until(workers_, [this] { return late_ != nullptr; }));
  }
  /// Two sends: each part of the source comes to its place.
  void expectInOrder(std::vector<std::shared_ptr<Prepared>> plans) {
    source_.fill(1);
    for (const std::size_t i : {0, 1})
      plans.push_back(right_->prepareRecv(target_.data() + i * kBytes, kBytes, Tag{5}));
    startAll(plans);
    ASSERT_TRUE(
        compat::until(workers_, [&] { return waitAll(plans, std::chrono::nanoseconds(0)); }));
    EXPECT_TRUE(target_.has(1));
  }

  std::shared_ptr<Context> context_ = createContext({});
  std::shared_ptr<Worker> left_worker_ = context_->createWorker();
  std::shared_ptr<Worker> right_worker_ = context_->createWorker();
  Workers workers_{left_worker_, right_worker_};
  const std::uint64_t word_ = 3;
  Memory source_{context_, Owner::User, 2 * kBytes}, target_{context_, Owner::User, 2 * kBytes};
  std::shared_ptr<Endpoint> left_ =
      left_worker_->createEndpointFromWorkerAddress(right_worker_->getAddress());
  std::shared_ptr<Endpoint> right_;
  std::shared_ptr<Prepared> late_;
};

TEST_F(PreparedOrderTest, ACallbackPreparesAfterWhatWaitsForTheLink) {
  const auto first = prepare(0);
  const auto message = prepareByCallback(1);
  meet();
  expectInOrder({first, late_});
}

TEST_F(PreparedOrderTest, OneThatWasClosedBeforeTheLinkLeavesTheOrder) {
  const std::vector closed{prepare(1), prepare(1)};
  const auto first = prepare(0);
  const auto message = prepareByCallback(1);
  for (const auto& plan : closed) {
    const auto close = plan->close();
    ASSERT_TRUE(compat::until({left_worker_}, [&] { return close->isCompleted(); }));
  }
  meet();
  expectInOrder({first, late_});
}

}  // namespace
}  // namespace ucxx::core::test
