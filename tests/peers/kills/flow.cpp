// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/flow.h"

#include <stdexcept>

#include "peers/kills/driver.h"

namespace ucxx::kills {

using peers::isPayload, peers::writePayload;

namespace {

/// As frames of a multi-buffer message: a small one, an empty one, the rest.
std::size_t firstFrame(std::size_t size) { return size / 8; }

bool isAm(Kind kind) { return kind == Kind::Am || kind == Kind::AmDevice; }

/// What it is said to be in.
ucs_memory_type_t memoryOf(Kind kind) {
  return kind == Kind::AmDevice ? UCS_MEMORY_TYPE_CUDA : UCS_MEMORY_TYPE_HOST;
}

constexpr std::uint64_t kNumbers = 1 << 20;  // of one direction of a run

}  // namespace

Transfer::Transfer(Pool& pool, Endpoint& endpoint, const What& what) : pool_(pool), what_(what) {
  if (what.number % 2 != 0) ends_ = std::make_shared<std::atomic<int>>(0);
  if (what.sends || what.kind == Kind::Tag || what.kind == Kind::Armed || what.kind == Kind::Stream)
    block_ = pool.take(what.size);
  if (what.kind == Kind::AmDevice && what.sends)  // what has a handle goes by UCX, if it is large
    is_on_device_.emplace(block_->data(), what.size, what.number % 3 != 0);
  what.sends ? send(endpoint) : receive(endpoint);
}

Transfer::~Transfer() {
  request_.reset();
  is_on_device_.reset();
  if (block_ != nullptr) pool_.give(std::move(block_));
}

RequestCallbackUserFunction Transfer::callback() {
  if (ends_ == nullptr) return nullptr;
  return [ends = ends_](ucs_status_t, const std::shared_ptr<void>&) { ++*ends; };
}

void Transfer::send(Endpoint& endpoint) {
  const auto* data = block_->data();
  const std::size_t size = what_.size, first = firstFrame(size);
  writePayload(block_->data(), size, what_.number);
  switch (what_.kind) {
    case Kind::Tag:
      request_ = endpoint.tagSend(data, size, what_.tag, false, callback());
      return;
    case Kind::Armed: {
      const auto condition = Condition::host();
      request_ = endpoint.tagSendBuilder(data, size, what_.tag)
                     .callbackFunction(callback())
                     .condition(condition)
                     .build();
      condition.trigger();
      return;
    }
    case Kind::Am:
    case Kind::AmDevice:
      request_ = endpoint.amSend(data, size, memoryOf(what_.kind), std::nullopt, false, callback());
      return;
    case Kind::Stream:
      ends_ = nullptr;
      request_ = endpoint.streamSend(data, size, false);
      return;
    case Kind::Multi:
      ends_ = nullptr;
      request_ = endpoint.tagMultiSend({data, nullptr, data + first}, {first, 0, size - first},
                                       {0, 0, 0}, what_.tag);
      return;
    case Kind::Prepared:
    case Kind::OneSided:
      throw std::logic_error("it is no message");
  }
}

void Transfer::receive(Endpoint& endpoint) {
  switch (what_.kind) {
    case Kind::Tag:
      request_ =
          endpoint.tagRecv(block_->data(), what_.size, what_.tag, TagMaskFull, false, callback());
      return;
    case Kind::Armed: {
      const auto condition = Condition::host();
      request_ = endpoint.tagRecvBuilder(block_->data(), what_.size, what_.tag, TagMaskFull)
                     .callbackFunction(callback())
                     .condition(condition)
                     .build();
      condition.trigger();
      return;
    }
    case Kind::Am:
    case Kind::AmDevice:
      request_ = endpoint.amRecv(false, callback());
      return;
    case Kind::Stream:
      ends_ = nullptr;
      request_ = endpoint.streamRecv(block_->data(), what_.size, false);
      return;
    case Kind::Multi:
      ends_ = nullptr;
      request_ = endpoint.tagMultiRecv(what_.tag, TagMaskFull);
      return;
    case Kind::Prepared:
    case Kind::OneSided:
      throw std::logic_error("it is no message");
  }
}

bool Transfer::isRight() const {
  if (what_.sends) return true;
  if (what_.kind == Kind::Multi) return areFramesRight();
  const std::byte* bytes = nullptr;
  if (isAm(what_.kind)) {
    const auto buffer = request_->getRecvBuffer();
    if (buffer == nullptr || buffer->getSize() != what_.size) return false;
    return isPayload(static_cast<const std::byte*>(buffer->data()), what_.size, what_.number);
  }
  bytes = block_->data();
  return request_->getReceivedLength() == what_.size && isPayload(bytes, what_.size, what_.number);
}

std::string Transfer::whatIsWrong() const {
  if (what_.kind == Kind::Multi) return "a frame";
  if (!isAm(what_.kind)) return peers::whatIsWrong(block_->data(), what_.size, what_.number);
  const auto buffer = request_->getRecvBuffer();
  if (buffer == nullptr) return "no buffer";
  return peers::whatIsWrong(static_cast<const std::byte*>(buffer->data()),
                            std::min(buffer->getSize(), what_.size), what_.number);
}

bool Transfer::areFramesRight() const {
  const auto& frames = static_cast<const RequestTagMulti&>(*request_)._bufferRequests;
  const std::size_t first = firstFrame(what_.size);
  const std::size_t sizes[] = {first, 0, what_.size - first};
  if (frames.size() != std::size(sizes)) return false;
  std::size_t offset = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Buffer* buffer = frames[i]->buffer.get();
    const std::size_t size = buffer == nullptr ? 0 : buffer->getSize();
    if (size != sizes[i]) return false;
    if (size != 0 && !isPayload(static_cast<const std::byte*>(const_cast<Buffer*>(buffer)->data()),
                                size, what_.number, offset))
      return false;
    offset += size;
  }
  return true;
}

Tag tagOf(const Plan& plan, bool is_victims_payload) {
  return Tag{plan.run * 2 + (is_victims_payload ? 1 : 0)};
}

Flow::Flow(Pool& pool, std::shared_ptr<Endpoint> endpoint, const Plan& plan, bool sends,
           bool is_victims_payload)
    : pool_(pool),
      endpoint_(std::move(endpoint)),
      next_{plan.kind(), plan.size, tagOf(plan, is_victims_payload),
            static_cast<std::uint64_t>(tagOf(plan, is_victims_payload)) * kNumbers, sends},
      first_number_(next_.number),
      window_(plan.window) {
  if (plan.kind() == Kind::Prepared) prepared_.emplace(pool_, endpoint_, plan, next_.tag, sends);
  if (plan.kind() != Kind::OneSided) return;
  if (sends)
    reach_.emplace(endpoint_, plan, next_.tag);
  else
    exposed_.emplace(pool_, *endpoint_, plan, next_.tag);
}

void Flow::turn(std::int64_t time) {
  while (!moving_.empty() && moving_.front()->hasEnded()) {
    collect(*moving_.front());
    moving_.pop_front();
  }
  if (exposed_ || (reach_ && !reach_->isReady())) return wait();
  const bool is_over = status_ != UCS_OK || is_stopped_;
  if (prepared_ && is_over && moving_.empty()) {
    prepared_->close();
    prepared_->giveBack();
  }
  while (!is_over && moving_.size() < window_) {
    if (pace != 0 && time - posted_at_ < std::int64_t{1000} * pace) return;
    posted_at_ = time;
    moving_.push_back(makeStep());
    next_.number = first_number_ + (next_.number + 1) % kNumbers;
    if (pace != 0) return;
  }
}

void Flow::close() {
  stop();
  if (prepared_) prepared_->close();
}

std::unique_ptr<Step> Flow::makeStep() {
  if (reach_) return reach_->access(pool_, next_.number);
  if (prepared_) return prepared_->iterate(next_.number);
  return std::make_unique<Transfer>(pool_, *endpoint_, next_);
}

Request* Flow::awaited() const {
  if (!moving_.empty()) return &moving_.front()->awaited();
  if (prepared_) return prepared_->awaited();
  return reach_ && !reach_->hasKey() ? &reach_->awaited() : nullptr;
}

/// For the peer to do something, or to go.
bool Flow::isWaiting() const { return status_ == UCS_OK && exposed_.has_value(); }

void Flow::wait() {
  if (exposed_) count_ = exposed_->count();
  const ucs_status_t status = exposed_ ? exposed_->status() : reach_->status();
  if (status != UCS_OK && status != UCS_INPROGRESS) failWith(status);
}

void Flow::collect(const Step& step) {
  ended_twice_ += !step.endedOnce();
  if (step.status() != UCS_OK) return failWith(step.status());
  ++count_;
  if (!step.isRight() && ++wrong_ == 1) what_is_wrong_ = step.whatIsWrong();
}

void Flow::failWith(ucs_status_t status) {
  if (status_ != UCS_OK) return;
  status_ = status;
  failed_at_ = now();  // the turn may have begun before the kill
}

}  // namespace ucxx::kills
