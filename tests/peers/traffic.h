// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstring>
#include <deque>
#include <string>

#include "core/operations.h"

namespace ucxx::core::test {

/// What goes over one endpoint, in one direction, for ever: numbered payloads, a few at a time.
struct Flow {
  Move move = Move::Tag;
  std::size_t size = 0;  ///< 0: nothing moves
  bool push = true;      ///< from the other process to the test

  std::vector<std::string> words() const {
    return {std::to_string(static_cast<int>(move)), std::to_string(size), push ? "push" : "pull"};
  }
  static Flow from(const std::vector<std::string>& words, std::size_t first) {
    return {static_cast<Move>(std::stoi(words[first])), std::stoul(words[first + 1]),
            words[first + 2] == "push"};
  }
};

/// One end of a flow. `turn` posts and collects; nothing of it progresses.
class FlowEnd {
 public:
  static constexpr std::size_t kWindow = 4;

  FlowEnd(std::shared_ptr<Endpoint> endpoint, Flow flow, bool sends)
      : endpoint_(std::move(endpoint)), flow_(flow), sends_(sends) {}
  ~FlowEnd() {
    for (auto& one : out_) abandon(std::move(one));
    for (auto& one : in_) abandon(std::move(one));
  }
  FlowEnd(const FlowEnd&) = delete;
  FlowEnd& operator=(const FlowEnd&) = delete;

  void turn() {
    if (flow_.size == 0) return;
    while (!out_.empty() && out_.front()->request->isCompleted())
      collect(*out_.front()->request), out_.pop_front();
    while (!in_.empty() && in_.front()->hasEnded()) {
      if (in_.front()->request->getStatus() == UCS_OK) check(in_.front()->payload());
      collect(*in_.front()->request);
      in_.pop_front();
    }
    while (status_ == UCS_OK && out_.size() + in_.size() < kWindow && !stopped_) post();
  }
  void stop() { stopped_ = true; }
  bool isIdle() const { return out_.empty() && in_.empty(); }
  std::size_t count() const { return count_; }
  bool isRight() const { return right_; }
  ucs_status_t status() const { return status_; }  ///< the first that was not OK

 private:
  /// Its buffer belongs to the request, which goes on.
  template <class Transfer>
  static void abandon(std::unique_ptr<Transfer> transfer) {
    static std::vector<std::unique_ptr<Transfer>> abandoned;
    transfer->request = nullptr;
    abandoned.push_back(std::move(transfer));
  }
  void post() {
    if (sends_)
      out_.push_back(std::make_unique<Sending>(
          flow_.move, *endpoint_, bytes(flow_.size, static_cast<unsigned>(posted_++))));
    else
      in_.push_back(std::make_unique<Receiving>(flow_.move, *endpoint_, flow_.size, none_));
  }
  void collect(const Request& request) {
    ++collected_;  // also one that was matched and then lost its peer: later ones may be whole
    if (request.getStatus() == UCS_OK)
      ++count_;
    else if (status_ == UCS_OK)
      status_ = request.getStatus();
  }
  void check(const std::vector<std::byte>& payload) {
    const auto expected = bytes(flow_.size, static_cast<unsigned>(collected_));
    right_ = right_ && payload.size() == expected.size() &&
             std::memcmp(payload.data(), expected.data(), expected.size()) == 0;
  }

  std::shared_ptr<Endpoint> endpoint_;
  Flow flow_;
  bool sends_;
  bool stopped_ = false;
  bool right_ = true;
  ucs_status_t status_ = UCS_OK;
  std::size_t posted_ = 0, collected_ = 0, count_ = 0;
  Received none_;
  std::deque<std::unique_ptr<Sending>> out_;
  std::deque<std::unique_ptr<Receiving>> in_;
};

}  // namespace ucxx::core::test
