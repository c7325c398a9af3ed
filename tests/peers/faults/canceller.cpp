// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <atomic>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/faults/asked.h"
#include "peers/faults/receiver.h"
#include "peers/faults/roles.h"
#include "peers/memory.h"
#include "sim/random.h"

namespace ucxx::faults {
namespace {

using nlohmann::json;

constexpr std::size_t kBatch = 16;
/// Messages of a killed sender may be here when those of the next come.
constexpr std::uint64_t kGenerations = 3;
/// Senders in a row that were killed before they sent anything here.
constexpr std::uint64_t kSilent = 100;

struct Counts {
  std::size_t received = 0, cancelled = 0, lost = 0, wrong = 0, more_than_once = 0;
  std::string what;
};

/// One thread and its tag: receives into guarded buffers, of which it cancels most.
class Canceller {
 public:
  Canceller(Worker& worker, std::uint64_t tag, std::size_t size, std::uint64_t seed)
      : worker_(worker), tag_(tag), size_(size), random_(seed + tag) {}

  void run(std::size_t count) {
    for (std::size_t done = 0; done < count; done += kBatch) {
      std::vector<One> batch;
      for (std::size_t i = 0; i < kBatch; ++i) batch.push_back(post());
      for (std::size_t i = 0; i < kBatch; ++i) {
        if (random_.chance(70)) random_.pick(batch).request->cancel();
        if (random_.chance(20)) std::this_thread::yield();
      }
      await(batch);
      for (One& one : batch) collect(one);
      look(before_);
      before_ = std::move(batch);
      if (random_.chance(2)) pool_.look(size_);
    }
    look(before_);
    pool_.look(size_);
  }
  const Counts& counts() const { return counts_; }
  std::size_t lateWrites() const { return pool_.lateWrites(); }

 private:
  struct One {
    std::unique_ptr<peers::Block> block;
    std::shared_ptr<std::atomic<int>> ends;
    std::shared_ptr<Request> request;
  };
  One post() {
    One one{pool_.take(size_), std::make_shared<std::atomic<int>>(0), nullptr};
    one.request = worker_.tagRecv(
        one.block->data(), size_, Tag{tag_}, TagMaskFull, false,
        [](ucs_status_t, std::shared_ptr<void> ends) {
          ++*static_cast<std::atomic<int>*>(ends.get());
        },
        one.ends);
    return one;
  }
  void await(std::vector<One>& batch) const {
    const auto end = Clock::now() + kPatience;
    for (One& one : batch) {
      // What may still be cancelled is; what moves ends by itself.
      while (!one.request->isCompleted()) {
        one.request->cancel();
        std::this_thread::yield();
        if (Clock::now() > end) throw std::runtime_error("a cancelled receive never ends");
      }
    }
  }
  void collect(One& one) {
    const ucs_status_t status = one.request->getStatus();
    if (status == UCS_ERR_CANCELED)
      ++counts_.cancelled;
    else if (status != UCS_OK)
      ++counts_.lost, ++gap_;  // with its sender, which was killed
    else if (isNext(*one.block))
      ++counts_.received;
    else if (++counts_.wrong == 1)
      counts_.what = fmt::format("tag {}: {}", tag_,
                                 peers::whatIsWrong(one.block->data(), size_, next_.back()));
    pool_.give(std::move(one.block));
  }
  /// The next number of a sender, but for those of receives that were lost with their sender.
  bool isNext(const peers::Block& block) {
    for (std::uint64_t& number : next_)
      if (isFrom(block, number)) return true;
    for (std::uint64_t i = 1; i <= kSilent; ++i) {
      std::uint64_t number = (generation_ + i) << 32;
      if (!isFrom(block, number)) continue;
      generation_ += i;
      gap_ = 0;
      next_.push_back(number);
      if (next_.size() > kGenerations) next_.erase(next_.begin());
      return true;
    }
    return false;
  }
  /// `number`, or one that lost receives account for; then it becomes the number after it.
  bool isFrom(const peers::Block& block, std::uint64_t& number) {
    for (std::uint64_t gap = 0; gap <= gap_; ++gap) {
      if (!peers::isPayload(block.data(), size_, number + gap)) continue;
      number += gap + 1;
      gap_ -= gap;
      return true;
    }
    return false;
  }
  /// Long after.
  void look(const std::vector<One>& batch) {
    for (const One& one : batch) counts_.more_than_once += *one.ends != 1;
  }

  Worker& worker_;
  const std::uint64_t tag_;
  const std::size_t size_;
  sim::Random random_;
  peers::Pool pool_;
  std::vector<One> before_;
  std::vector<std::uint64_t> next_{0};
  std::uint64_t generation_ = 0, gap_ = 0;
  Counts counts_;
};

}  // namespace

int runCanceller(tools::Control& control) {
  Receiver receiver;
  receiver.worker().startProgressThread(ProgressOptions{});
  control.send({{"port", receiver.port()}});
  const auto line = control.receive(kPatience);
  const auto sizes = line.at("sizes").get<std::vector<std::size_t>>();
  const std::size_t count = line.at("count").get<std::size_t>() / sizes.size();
  std::vector<std::unique_ptr<Canceller>> cancellers;
  std::vector<std::thread> threads;
  std::atomic<bool> has_failed{false};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    cancellers.push_back(
        std::make_unique<Canceller>(receiver.worker(), i, sizes[i], line.at("seed")));
    threads.emplace_back([&, canceller = cancellers.back().get()] {
      try {
        canceller->run(count);
      } catch (const std::exception& error) {
        if (!has_failed.exchange(true)) control.send({{"error", error.what()}});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (has_failed) return 1;
  Counts all;
  std::size_t late = 0;
  for (const auto& canceller : cancellers) {
    const Counts& counts = canceller->counts();
    all.received += counts.received, all.cancelled += counts.cancelled, all.lost += counts.lost;
    all.wrong += counts.wrong, all.more_than_once += counts.more_than_once;
    all.what += counts.what;
    late += canceller->lateWrites();
  }
  control.send({{"received", all.received},
                {"cancelled", all.cancelled},
                {"lost", all.lost},
                {"wrong", all.wrong},
                {"what", all.what},
                {"more_than_once", all.more_than_once},
                {"late", late}});
  (void)control.receive(kPatience);
  receiver.worker().stopProgressThread();
  return 0;
}

}  // namespace ucxx::faults
