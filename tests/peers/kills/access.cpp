// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/access.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>

namespace ucxx::kills {

using peers::isPayload, peers::writePayload;

namespace {

constexpr std::size_t kCounterBytes = 64;
constexpr std::uint64_t kNever = 1ull << 60;  // added to the tag

std::size_t bytesFor(const Plan& plan) { return kCounterBytes + plan.window * plan.size; }

std::shared_ptr<Context> contextOf(const Endpoint& endpoint) {
  return std::dynamic_pointer_cast<Context>(endpoint.getWorker()->getParent());
}

std::uint64_t* counterIn(const MemoryHandle& handle) {
  return reinterpret_cast<std::uint64_t*>(handle.getBaseAddress());
}

/// One after the other: a put, a flush, an addition, a get.
class Access final : public Step {
 public:
  struct Where {
    std::shared_ptr<Endpoint> endpoint;
    std::shared_ptr<RemoteKey> key;
    std::size_t offset;
    std::size_t size;
    std::set<std::uint64_t>& counted;  // what additions have found
  };
  Access(Pool& pool, Where where, std::uint64_t number)
      : pool_(pool), where_(std::move(where)), number_(number), block_(pool.take(where_.size)) {
    writePayload(block_->data(), where_.size, number);
    request_ = where_.endpoint->memPut(block_->data(), where_.size, where_.key, where_.offset);
  }
  ~Access() override {
    request_.reset();
    pool_.give(std::move(block_));
  }

  bool hasEnded() override {
    while (request_->isCompleted()) {
      status_ = request_->getStatus();
      if (status_ == UCS_OK && stage_ == 2) is_new_ = where_.counted.insert(before_).second;
      if (status_ != UCS_OK || stage_ == 3) return true;
      post();
    }
    return false;
  }
  Request& awaited() override { return *request_; }
  ucs_status_t status() const override { return status_; }
  bool endedOnce() const override { return true; }
  bool isRight() const override {
    return is_new_ && isPayload(block_->data(), where_.size, number_);
  }
  std::string whatIsWrong() const override {
    if (!is_new_) return fmt::format("two additions found {}", before_);
    return peers::whatIsWrong(block_->data(), where_.size, number_);
  }

 private:
  void post() {
    switch (++stage_) {
      case 1:
        request_ = where_.endpoint->flush();
        return;
      case 2:
        request_ = where_.endpoint->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &before_,
                                                               where_.key);
        return;
      default:
        std::fill_n(block_->data(), where_.size, std::byte{0});
        request_ = where_.endpoint->memGet(block_->data(), where_.size, where_.key, where_.offset);
    }
  }

  Pool& pool_;
  const Where where_;
  const std::uint64_t number_;
  std::unique_ptr<Block> block_;
  std::uint64_t before_ = UINT64_MAX;
  bool is_new_ = false;
  std::shared_ptr<Request> request_;
  int stage_ = 0;
  ucs_status_t status_ = UCS_INPROGRESS;
};

}  // namespace

/// The library's memory in half of the runs, which local peers map. The phases are of messages:
/// none of it there.
Exposed::Exposed(Pool& pool, Endpoint& endpoint, const Plan& plan, Tag tag) : pool_(pool) {
  const std::size_t size = bytesFor(plan);
  void* data = nullptr;
  if (plan.phase != base::Phase::None) {
    unmapped_.resize(size);
    data = unmapped_.data();
  } else if (plan.run % 2 == 0) {
    block_ = pool.take(size);
    data = block_->data();
  }
  handle_ = createMemoryHandle(contextOf(endpoint), size, data);
  *counterIn(*handle_) = 0;
  key_ = handle_->createRemoteKey()->serialize();
  sent_ = endpoint.tagSend(key_.data(), key_.size(), tag);
  never_ = endpoint.tagRecv(unsent_, sizeof unsent_, Tag{tag + kNever});
}

/// The peer has gone: nobody writes to it any more.
Exposed::~Exposed() {
  sent_ = never_ = nullptr;
  handle_ = nullptr;
  if (block_ != nullptr) pool_.give(std::move(block_));
}

std::size_t Exposed::count() const {
  return std::atomic_ref(*counterIn(*handle_)).load(std::memory_order_relaxed);
}

ucs_status_t Exposed::status() const {
  return sent_->getStatus() == UCS_OK ? never_->getStatus() : sent_->getStatus();
}

Reach::Reach(std::shared_ptr<Endpoint> endpoint, const Plan& plan, Tag tag)
    : endpoint_(std::move(endpoint)), size_(plan.size), window_(plan.window) {
  came_ = endpoint_->tagRecv(room_.data(), room_.size(), tag);
}

bool Reach::isReady() {
  if (key_ != nullptr) return true;
  if (!came_->isCompleted() || came_->getStatus() != UCS_OK || !endpoint_->isAlive()) return false;
  key_ = createRemoteKeyFromSerialized(endpoint_, room_.substr(0, came_->getReceivedLength()));
  return true;
}

std::unique_ptr<Step> Reach::access(Pool& pool, std::uint64_t number) {
  const std::size_t offset = kCounterBytes + begun_ % window_ * size_;
  ++begun_;
  const Access::Where where{endpoint_, key_, offset, size_, counted_};
  return std::make_unique<Access>(pool, where, number);
}

}  // namespace ucxx::kills
