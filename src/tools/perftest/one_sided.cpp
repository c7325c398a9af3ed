// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/one_sided.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "tools/perftest/flow.h"
#include "tools/perftest/memory.h"
#include "tools/perftest/transfers.h"

namespace ucxx::tools {
namespace {

constexpr Tag kKeyTag{3};
constexpr std::size_t kLargestWord = 8;

/// Each side's memory, and the key of the other's.
class OneSided {
 public:
  OneSided(Session& session, const Plan& plan)
      : session_(session),
        plan_(plan),
        size_(std::max(plan.size, kLargestWord)),
        out_(size_, plan.library_memory),
        memory_(session.createMemory(size_)) {
    std::memset(in(), 0, size_);  // before the other side knows of it
    key_ = exchangeKeys();
  }

  /// The next operation.
  std::shared_ptr<Request> post() {
    Endpoint& endpoint = session_.endpoint();
    void* const own = out_.data();
    switch (plan_.test.kind) {
      case Kind::Put:
        return endpoint.memPut(own, plan_.size, key_);
      case Kind::Get:
        return endpoint.memGet(own, plan_.size, key_);
      default:
        return plan_.size == 4 ? postAtomic<std::uint32_t>() : postAtomic<std::uint64_t>();
    }
  }
  /// One side of the ping-pong.
  void put(unsigned char mark) {
    out_.data()[plan_.size - 1] = mark;
    session_.wait(*post());
  }
  void awaitPut(unsigned char mark) {
    const std::atomic_ref last(in()[plan_.size - 1]);
    session_.poll([&] { return last.load(std::memory_order_acquire) == mark; });
  }
  void flush() { session_.wait(*session_.endpoint().flush()); }

  /// The other side goes on, too.
  void meet() {
    char theirs = 0;
    const char own = 1;
    const EndsAtError guard(session_);
    const auto come = session_.endpoint().tagRecv(&theirs, 1, kDoneTag);
    const auto gone = session_.endpoint().tagSend(&own, 1, kDoneTag);
    session_.wait(*come);
    session_.wait(*gone);
  }
  std::uint64_t word() const {
    return plan_.size == 4 ? *reinterpret_cast<const std::uint32_t*>(in())
                           : *reinterpret_cast<const std::uint64_t*>(in());
  }

 private:
  template <class Word>
  std::shared_ptr<Request> postAtomic() {
    Endpoint& endpoint = session_.endpoint();
    Word* const previous = reinterpret_cast<Word*>(previous_);
    switch (plan_.test.kind) {
      case Kind::Add:
        return endpoint.atomicPost<Word>(AtomicOperation::Add, 1, key_);
      case Kind::FetchAdd:
        return endpoint.atomicFetch<Word>(AtomicOperation::Add, 1, previous, key_);
      case Kind::Swap:
        return endpoint.atomicFetch<Word>(AtomicOperation::Swap, 1, previous, key_);
      case Kind::CompareSwap:
        return endpoint.atomicCompareSwap<Word>(0, 1, previous, key_);
      default:
        throw std::logic_error("not one-sided");
    }
  }
  unsigned char* in() const { return reinterpret_cast<unsigned char*>(memory_->getBaseAddress()); }
  std::shared_ptr<RemoteKey> exchangeKeys() {
    Endpoint& endpoint = session_.endpoint();
    const std::string own = memory_->createRemoteKey()->serialize();
    std::string theirs(own.size(), '\0');
    const EndsAtError guard(session_);
    const auto come = endpoint.tagRecv(theirs.data(), theirs.size(), kKeyTag);
    const auto gone = endpoint.tagSend(own.data(), own.size(), kKeyTag);
    session_.wait(*come);
    session_.wait(*gone);
    return createRemoteKeyFromSerialized(endpoint.shared_from_this(), theirs);
  }

  Session& session_;
  const Plan& plan_;
  const std::size_t size_;
  const Memory out_;
  const std::shared_ptr<MemoryHandle> memory_;
  std::shared_ptr<RemoteKey> key_;
  alignas(kLargestWord) std::byte previous_[kLargestWord];
};

/// Never what the memory was before.
unsigned char markOf(std::uint64_t iteration) {
  return static_cast<unsigned char>(iteration % 255 + 1);
}

Timing pingPuts(OneSided& sides, const Plan& plan) {
  const auto exchange = [&](std::uint64_t i) {
    sides.put(markOf(i));
    sides.awaitPut(markOf(i));
  };
  for (std::uint64_t i = 0; i < plan.warmup; ++i) exchange(i);
  return timeEach(plan.iterations, [&](std::uint64_t i) { exchange(plan.warmup + i); });
}

void pongPuts(OneSided& sides, const Plan& plan) {
  for (std::uint64_t i = 0; i < plan.warmup + plan.iterations; ++i) {
    sides.awaitPut(markOf(i));
    sides.put(markOf(i));
  }
}

}  // namespace

Timing measureOneSided(Session& session, const Plan& plan) {
  OneSided sides(session, plan);
  const EndsAtError guard(session);
  Timing timing;
  if (plan.test.isPingPong()) {
    timing = pingPuts(sides, plan);
  } else if (plan.test.metric == Metric::Latency) {
    for (std::uint64_t i = 0; i < plan.warmup; ++i) session.wait(*sides.post());
    timing = timeEach(plan.iterations, [&](std::uint64_t) { session.wait(*sides.post()); });
  } else {
    const auto run = [&](std::uint64_t count) {
      flow(session, count, plan.window, [&] { return sides.post(); });
      sides.flush();
    };
    run(plan.warmup);
    const auto start = std::chrono::steady_clock::now();
    run(plan.iterations);
    timing = {secondsSince(start)};
  }
  sides.flush();
  sides.meet();
  return timing;
}

void answerOneSided(Session& session, const Plan& plan) {
  OneSided sides(session, plan);
  const EndsAtError guard(session);
  if (plan.test.isPingPong()) pongPuts(sides, plan);
  sides.flush();
  sides.meet();
  const std::uint64_t total = plan.warmup + plan.iterations;
  const bool counts = plan.test.kind == Kind::Add || plan.test.kind == Kind::FetchAdd;
  if (counts && sides.word() != total)
    throw std::runtime_error(fmt::format("{}: the word is {} after {} operations",
                                         nameOf(plan.test), sides.word(), total));
}

}  // namespace ucxx::tools
