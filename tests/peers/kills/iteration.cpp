// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/iteration.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace ucxx::kills {

using peers::isPayload, peers::writePayload;

namespace {

constexpr std::size_t kParts = 4;

class Iteration final : public Step {
 public:
  Iteration(PreparedEnds::End& end, bool sends, std::uint64_t number)
      : end_(end), sends_(sends), number_(number), ends_(std::make_shared<std::atomic<int>>(0)) {
    if (sends_) writePayload(end_.block->data(), end_.block->size(), number_);
    end_.plan->start();
    if (sends_ && end_.plan->partitions() != 1) makeReady();
    request_ =
        end_.plan->request([ends = ends_](ucs_status_t, const std::shared_ptr<void>&) { ++*ends; });
  }

  bool hasEnded() override { return request_->isCompleted(); }
  Request& awaited() override { return *request_; }
  ucs_status_t status() const override { return request_->getStatus(); }
  bool endedOnce() const override { return *ends_ == 1; }
  bool isRight() const override {
    return sends_ || isPayload(end_.block->data(), end_.block->size(), number_);
  }
  std::string whatIsWrong() const override {
    return peers::whatIsWrong(end_.block->data(), end_.block->size(), number_);
  }

 private:
  /// The last one alone, then the others together.
  void makeReady() {
    auto& send = static_cast<PreparedSend&>(*end_.plan);
    send.ready(kParts - 1);
    send.ready(0, kParts - 1);
  }

  PreparedEnds::End& end_;
  const bool sends_;
  const std::uint64_t number_;
  const std::shared_ptr<std::atomic<int>> ends_;
  std::shared_ptr<Request> request_;
};

/// At a phase: one that the peer maps.
std::unique_ptr<Block> takeBlock(Pool& pool, const Plan& plan) {
  constexpr int tries = 8;  // each second new one is
  auto block = pool.take(plan.size);
  for (int i = 0; plan.phase != base::Phase::None && !block->isMapped() && i < tries; ++i) {
    pool.give(std::move(block));
    block = pool.take(plan.size);
  }
  return block;
}

}  // namespace

PreparedEnds::PreparedEnds(Pool& pool, const std::shared_ptr<Endpoint>& endpoint, const Plan& plan,
                           Tag tag, bool sends)
    : pool_(pool), sends_(sends), ends_(plan.window) {
  const PrepareOptions options{plan.size % kParts == 0 && plan.size > 8 ? kParts : 1};
  for (End& end : ends_) {
    end.block = takeBlock(pool_, plan);
    std::byte* const data = end.block->data();
    if (sends)
      end.plan = endpoint->prepareSend(data, plan.size, tag, options);
    else
      end.plan = endpoint->prepareRecv(data, plan.size, tag, options);
  }
}

/// What is not closed may be written to for as long as it likes.
PreparedEnds::~PreparedEnds() {
  giveBack();
  for (End& end : ends_) (void)end.block.release();
}

void PreparedEnds::giveBack() {
  for (End& end : ends_)
    if (end.block != nullptr && end.closed != nullptr && end.closed->isCompleted())
      pool_.give(std::move(end.block));
}

std::unique_ptr<Step> PreparedEnds::iterate(std::uint64_t number) {
  return std::make_unique<Iteration>(ends_[begun_++ % ends_.size()], sends_, number);
}

void PreparedEnds::close() {
  for (End& end : ends_)
    if (end.closed == nullptr) end.closed = end.plan->close();
}

ucs_status_t PreparedEnds::closeStatus() const {
  for (const End& end : ends_)
    if (end.closed != nullptr && end.closed->isCompleted() && end.closed->getStatus() != UCS_OK)
      return end.closed->getStatus();
  return UCS_OK;
}

Request* PreparedEnds::awaited() const {
  for (const End& end : ends_)
    if (end.closed != nullptr && !end.closed->isCompleted()) return end.closed.get();
  return nullptr;
}

bool PreparedEnds::isClosed() const {
  return std::all_of(ends_.begin(), ends_.end(), [](const End& end) {
    return end.closed != nullptr && end.closed->isCompleted();
  });
}

}  // namespace ucxx::kills
