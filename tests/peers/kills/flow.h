// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include <ucxx/api.h>

#include "peers/kills/access.h"
#include "peers/kills/device.h"
#include "peers/kills/iteration.h"
#include "peers/kills/plan.h"
#include "peers/kills/step.h"
#include "peers/memory.h"

namespace ucxx::kills {

using peers::Block, peers::Pool;

/// A message, whatever the operation.
class Transfer final : public Step {
 public:
  struct What {
    Kind kind;
    std::size_t size;
    Tag tag;
    std::uint64_t number;
    bool sends;
  };
  Transfer(Pool& pool, Endpoint& endpoint, const What& what);
  ~Transfer() override;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  bool hasEnded() override { return request_->isCompleted(); }
  Request& awaited() override { return *request_; }
  ucs_status_t status() const override { return request_->getStatus(); }
  bool endedOnce() const override { return ends_ == nullptr || *ends_ == 1; }
  bool isRight() const override;
  std::string whatIsWrong() const override;

 private:
  void send(Endpoint& endpoint);
  void receive(Endpoint& endpoint);
  RequestCallbackUserFunction callback();
  bool areFramesRight() const;

  Pool& pool_;
  const What what_;
  std::unique_ptr<Block> block_;  // none where the library allocates
  std::optional<OnDevice> is_on_device_;
  std::shared_ptr<std::atomic<int>> ends_;
  std::shared_ptr<Request> request_;
};

/// Of the messages of a run that the victim sends, or the survivor.
Tag tagOf(const Plan& plan, bool is_victims_payload);

/// One direction of an endpoint, at one end: numbered steps, a window of them at a time. One-sided
/// ones are all at the end that "sends".
class Flow {
 public:
  Flow(Pool& pool, std::shared_ptr<Endpoint> endpoint, const Plan& plan, bool sends,
       bool is_victims_payload);

  /// Collects what has ended and posts more, until something fails or `stop`. Nothing of it
  /// progresses.
  void turn(std::int64_t time);
  void stop() { is_stopped_ = true; }
  /// Ends what is prepared, with the iterations in progress.
  void close();
  /// Some of that may still be written by the peer.
  bool isHeld() const { return prepared_ && prepared_->isHeld(); }
  ucs_status_t closeStatus() const { return prepared_ ? prepared_->closeStatus() : UCS_OK; }
  bool isIdle() const {
    return moving_.empty() && !isWaiting() && (!prepared_ || prepared_->isClosed());
  }
  std::size_t count() const { return count_; }                       ///< ended with OK
  ucs_status_t status() const { return status_; }                    ///< the first that was not OK
  std::int64_t failedAt() const { return failed_at_; }               ///< when that was seen
  std::size_t wrong() const { return wrong_; }                       ///< payloads
  const std::string& whatIsWrong() const { return what_is_wrong_; }  ///< with the first of them
  std::size_t endedTwice() const { return ended_twice_; }
  /// What it waits for first; null: nothing that has a request.
  Request* awaited() const;
  int pace = 0;  ///< microseconds between posts

 private:
  void collect(const Step& step);
  void failWith(ucs_status_t status);
  bool isWaiting() const;
  void wait();
  std::unique_ptr<Step> makeStep();

  Pool& pool_;
  std::shared_ptr<Endpoint> endpoint_;
  Transfer::What next_;
  const std::uint64_t first_number_;
  const std::size_t window_;
  std::deque<std::unique_ptr<Step>> moving_;
  std::optional<Exposed> exposed_;  // what the peer does one-sided operations on
  std::optional<Reach> reach_;      // ... and the other end of that
  std::optional<PreparedEnds> prepared_;
  std::size_t count_ = 0, wrong_ = 0, ended_twice_ = 0;
  ucs_status_t status_ = UCS_OK;
  std::int64_t failed_at_ = 0, posted_at_ = 0;
  std::string what_is_wrong_;
  bool is_stopped_ = false;
};

}  // namespace ucxx::kills
