// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Half a round trip between two processes, whose buffers are memory of the library: by a tag
// message, by a prepared transfer, and by one in 16 partitions that become ready together, one
// after the other. Whoever sends has written all bytes just before, and whoever receives reads them
// all.

#include <cstring>

#include "figures.h"

namespace {

constexpr std::size_t kSizes[] = {8, 64, 256, 1024, 4096, 16 << 10, 64 << 10, 1 << 20};
constexpr std::size_t kMost = 1 << 20;
constexpr std::size_t kPartitions = 16;
const int kRepetitions = getenv("REPS") ? atoi(getenv("REPS")) : 7;
constexpr ucxx::Tag kPing{1}, kPong{2};

/// Of one measurement, by its size; a tenth of them before it.
int roundTripsOf(std::size_t size) {
  return size <= 4096 ? 20'000 : size <= 64 << 10 ? 4'000 : 400;
}

std::uint64_t sumOf(const std::byte* bytes, std::size_t size) {
  std::uint64_t sum = 0, word = 0;
  for (std::size_t at = 0; at < size; at += sizeof word) {
    std::memcpy(&word, bytes + at, sizeof word);
    sum += word;
  }
  return sum;
}

/// One end, and what it does in a half of a round trip: both ends do it in turn.
class End {
 public:
  End(std::shared_ptr<ucxx::Worker> worker, std::shared_ptr<ucxx::Endpoint> endpoint, bool is_first)
      : worker_(std::move(worker)), endpoint_(std::move(endpoint)), is_first_(is_first) {}

  /// Of each way: its half round trip in nanoseconds, the typical one.
  double byTag(std::size_t size) {
    std::shared_ptr<ucxx::Request> came;
    const auto [out, in] = tags();
    return measure(
        size, [&] { came = endpoint_->tagRecv(target(), size, in); },
        [&] {
          const auto sent = endpoint_->tagSend(source(), size, out);
          figures::finish(*worker_, *sent, "a message");
        },
        [&] { figures::finish(*worker_, *came, "the other end's message"); });
  }
  double byPlan(std::size_t size, std::size_t partitions, bool is_together = true) {
    const auto [out, in] = tags();
    const auto send = endpoint_->prepareSend(source(), size, out, {partitions});
    const auto receive = endpoint_->prepareRecv(target(), size, in, {partitions});
    const double half = measure(
        size, [&] { receive->start(); },
        [&] {
          send->start();
          if (partitions != 1 && is_together) send->ready();
          for (std::size_t i = 0; !is_together && i < partitions; ++i) send->ready(i);
          finish(*send);
        },
        [&] { finish(*receive); });
    send->checkError();
    receive->checkError();
    finishClose(*send);
    finishClose(*receive);
    return half;
  }

 private:
  std::pair<ucxx::Tag, ucxx::Tag> tags() const {
    return is_first_ ? std::pair{kPing, kPong} : std::pair{kPong, kPing};
  }
  std::byte* source() { return reinterpret_cast<std::byte*>(memory_->getBaseAddress()); }
  std::byte* target() { return source() + kMost; }
  /// Without a sleep, as the messages: what sleeps on a busy machine measures that.
  void finish(const ucxx::Prepared& plan) {
    constexpr int kLooks = 64;
    figures::progressUntil(*worker_, "a plan", [&] {
      for (int look = 0; look < kLooks; ++look)
        if (plan.isCompleted()) return true;
      return false;
    });
  }
  void finishClose(ucxx::Prepared& plan) {
    const auto closed = plan.close();
    figures::finish(*worker_, *closed, "the close of a plan");
  }

  template <class Post, class Send, class Wait>
  double measure(std::size_t size, Post post, Send send, Wait wait) {
    const int count = roundTripsOf(size);
    std::vector<double> times;
    post();
    if (!is_first_) align();
    for (int i = 0; i < count + count / 10; ++i) {
      const auto begin = figures::Clock::now();
      if (is_first_) {
        if (i == 0) align();
        std::memset(source(), i, size);
        send();
      }
      wait();
      sum_ = sum_ + sumOf(target(), size);
      const bool is_last = i + 1 == count + count / 10;
      if (!is_last) post();
      if (!is_first_) {
        std::memset(source(), i, size);
        send();
      }
      if (i >= count / 10) times.push_back(figures::nanosecondsSince(begin) / 2);
    }
    std::nth_element(times.begin(), times.begin() + count / 2, times.end());
    return times[count / 2];
  }
  /// Both have posted for what comes.
  void align() {
    char byte = 0, its = 0;
    const ucxx::Tag mine{is_first_ ? 3u : 4u}, other{is_first_ ? 4u : 3u};
    const auto sent = endpoint_->tagSend(&byte, 1, mine);
    const auto came = endpoint_->tagRecv(&its, 1, other);
    figures::finish(*worker_, *came, "the other end");
    figures::finish(*worker_, *sent, "the other end");
  }

  std::shared_ptr<ucxx::Worker> worker_;
  std::shared_ptr<ucxx::Endpoint> endpoint_;
  bool is_first_;
  std::shared_ptr<ucxx::MemoryHandle> memory_ =
      ucxx::createMemoryHandle(ucxx::createContext({}), 2 * kMost);
  volatile std::uint64_t sum_ = 0;
};

template <class Use>
void measureAll(End& end, Use use) {
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    for (const std::size_t size : kSizes) {
      const double tag = end.byTag(size);
      const double plan = end.byPlan(size, 1);
      const double together = size >= 1024 ? end.byPlan(size, kPartitions) : 0;
      const double one_by_one = size >= 1024 ? end.byPlan(size, kPartitions, false) : 0;
      use(size, tag, plan, together, one_by_one);
    }
  }
}

void beOther(figures::Peer& parent) {
  figures::pinTo(1);
  const auto worker = figures::makeContext()->createWorker();
  figures::Acceptor acceptor(*worker);
  parent.tell(acceptor.port());
  std::vector<std::shared_ptr<ucxx::Endpoint>> endpoints;
  figures::progressUntil(*worker, "the first", [&] {
    endpoints = acceptor.take();
    return !endpoints.empty();
  });
  End end(worker, endpoints[0], false);
  measureAll(end, [](auto...) {});
  parent.hear();
}

nlohmann::json figure() {
  figures::Peer other(beOther);
  figures::pinTo(0);
  const auto worker = figures::makeContext()->createWorker();
  const auto endpoint =
      worker->createEndpointFromHostname("127.0.0.1", static_cast<std::uint16_t>(other.hear()));
  End end(worker, endpoint, true);
  struct Row {
    std::vector<double> tag, plan, together, one_by_one, ratio, together_ratio;
  };
  std::map<std::size_t, Row> rows;
  measureAll(end,
             [&](std::size_t size, double tag, double plan, double together, double one_by_one) {
               Row& row = rows[size];
               row.tag.push_back(tag);
               row.plan.push_back(plan);
               row.together.push_back(together);
               row.one_by_one.push_back(one_by_one);
               row.ratio.push_back(plan / tag);
               row.together_ratio.push_back(together / plan);
             });
  other.tell(0);
  nlohmann::json result;
  for (const auto& [size, row] : rows) {
    auto& shown = result[std::to_string(size)];
    shown["tag_ns"] = figures::middleOf(row.tag);
    shown["prepared_ns"] = figures::middleOf(row.plan);
    shown["prepared_to_tag"] = figures::middleOf(row.ratio);
    if (size < 1024) continue;
    shown["partitions_ns"] = figures::middleOf(row.together);
    shown["partitions_to_one"] = figures::middleOf(row.together_ratio);
    shown["one_by_one_ns"] = figures::middleOf(row.one_by_one);
  }
  return result;
}

}  // namespace

int main() { return figures::print(figure); }
