// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

#include "base/phase.h"

namespace ucxx::base {

// A link in an MpscQueue; base class of what is queued.
struct MpscNode {
  std::atomic<MpscNode*> next{nullptr};
};

// An intrusive queue after Dmitry Vyukov: any thread pushes, wait-free and without allocation;
// one thread at a time pops. First in, first out; so each producer's order is kept.
//
// Owner: whoever has the consumer role; nodes belong to their users and must stay alive until they
// are popped. After pop() nobody touches the node any more: it may be freed or pushed again.
//
// A push is two steps, and between them the queue ends at the half-pushed node: pop() then returns
// nullptr although empty() is false. Its producer is running, so the consumer looks again later.
//
// A consumer that wants to sleep sets a flag, executes a seq_cst fence and goes to sleep only if
// empty(); a producer pushes, executes a seq_cst fence, and wakes if the flag is set.
class MpscQueue {
 public:
  MpscQueue() noexcept : head_(&stub_), tail_(&stub_) {}
  MpscQueue(const MpscQueue&) = delete;
  MpscQueue& operator=(const MpscQueue&) = delete;

  // Returns whether the queue looked empty before. Never false on a queue that the consumer had
  // seen empty(); true at times although nodes are left: a wake-up too much.
  bool push(MpscNode* node) noexcept {
    node->next.store(nullptr, std::memory_order_relaxed);
    MpscNode* previous = head_.exchange(node, std::memory_order_acq_rel);
    reached(Phase::HalfPushed);
    previous->next.store(node, std::memory_order_release);
    return previous == &stub_;
  }

  // Consumer only. nullptr: nothing there, or a push is half done.
  MpscNode* pop() noexcept {
    MpscNode* tail = tail_.load(std::memory_order_relaxed);
    MpscNode* next = tail->next.load(std::memory_order_acquire);
    if (tail == &stub_) {
      if (next == nullptr) return nullptr;
      tail_.store(next, std::memory_order_relaxed);
      tail = next;
      next = tail->next.load(std::memory_order_acquire);
    }
    if (next == nullptr) next = putStubBehind(tail);
    if (next == nullptr) return nullptr;
    tail_.store(next, std::memory_order_relaxed);
    return tail;
  }

  // Exact for the consumer, also about half-done pushes; a hint for other threads.
  bool empty() const noexcept {
    // Both ends: the stub may be the newest node while older ones still wait for their links.
    return tail_.load(std::memory_order_relaxed) == &stub_ &&
           head_.load(std::memory_order_acquire) == &stub_;
  }

 private:
  // The last node can be given away only when another one follows it.
  MpscNode* putStubBehind(MpscNode* tail) noexcept {
    if (head_.load(std::memory_order_acquire) != tail) return nullptr;
    push(&stub_);
    return tail->next.load(std::memory_order_acquire);
  }

  alignas(64) std::atomic<MpscNode*> head_;  // newest; producers
  alignas(64) std::atomic<MpscNode*> tail_;  // oldest; written by the consumer only
  MpscNode stub_;
};

}  // namespace ucxx::base
