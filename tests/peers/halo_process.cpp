// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A process of the tests of prepared transfers between several.

#include <algorithm>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "core/prepared_memory.h"
#include "peers/halo.h"
#include "peers/memory.h"
#include "peers/process.h"
#include "tools/hex.h"

namespace ucxx::core::test {

using namespace std::chrono_literals;

namespace {

void report(const std::string& text) { std::cout << text << std::endl; }

/// Lines of the test. Throws when it is gone.
class Orders {
 public:
  /// Empty: none within the limit.
  std::string next(std::chrono::milliseconds limit) {
    for (;;) {
      if (const auto end = text_.find('\n'); end != std::string::npos) {
        std::string first = text_.substr(0, end);
        text_.erase(0, end + 1);
        return first;
      }
      pollfd entry{STDIN_FILENO, POLLIN, 0};
      if (::poll(&entry, 1, static_cast<int>(limit.count())) <= 0) return {};
      char more[4096];
      const ssize_t got = ::read(STDIN_FILENO, more, sizeof more);
      if (got <= 0) throw std::runtime_error("the test is gone");
      text_.append(more, static_cast<std::size_t>(got));
    }
  }

 private:
  std::string text_;
};

/// One direction between this process and a neighbour.
struct Stream {
  Stream(const std::shared_ptr<Context>& context, std::size_t from, std::size_t to,
         std::size_t neighbour_, std::size_t count)
      : halo(haloOf(from, to, count)),
        sends(neighbour_ == to),
        neighbour(neighbour_),
        edge(from * count + to),
        tag(haloTag(from, to)),
        memory(context, sends ? halo.source : halo.target, halo.bytes()) {}

  void prepare(Endpoint& endpoint) {
    if (sends) {
      send = endpoint.prepareSend(memory.data(), memory.size(), tag, {halo.sent_partitions});
      plan = send;
    } else {
      receive = endpoint.prepareRecv(memory.data(), memory.size(), tag, {halo.received_partitions});
      plan = receive;
    }
  }
  std::uint64_t numberOf(std::size_t partition, std::uint64_t iteration) const {
    return edge << 40 | iteration << 8 | partition;
  }
  void fill(std::size_t first, std::size_t last, std::uint64_t iteration) {
    for (std::size_t i = first; i < last; ++i)
      peers::writePayload(memory.data() + i * halo.each, halo.each, numberOf(i, iteration));
  }
  void check() {
    for (std::size_t i = 0; i < halo.received_partitions; ++i)
      if (!receive->arrived(i)) throw std::runtime_error("not arrived: " + plan->describe());
    for (std::size_t i = 0; i < halo.sent_partitions; ++i) {
      const std::byte* const data = memory.data() + i * halo.each;
      const std::uint64_t number = numberOf(i, plan->iterations());
      if (!peers::isPayload(data, halo.each, number))
        throw std::runtime_error(fmt::format("partition {} from {} is wrong: {}; {}", i, neighbour,
                                             peers::whatIsWrong(data, halo.each, number),
                                             plan->describe()));
    }
  }

  const Halo& halo;
  const bool sends;
  const std::size_t neighbour, edge;
  const Tag tag;
  Memory memory;
  std::shared_ptr<PreparedSend> send;
  std::shared_ptr<PreparedRecv> receive;
  std::shared_ptr<Prepared> plan;  // one of these
};

/// Partitions that become ready together.
struct Share {
  Stream* stream;
  std::size_t first, last;
};

class HaloProcess {
 public:
  HaloProcess(std::size_t rank, std::size_t count, Pattern pattern)
      : rank_(rank), count_(count), neighbours_(neighboursOf(rank, count, pattern)), random_(rank) {
    if (rank % 2 != 0) worker_->startProgressThread(ProgressOptions{});
    report(tools::toHex(worker_->getAddress()->getStringView()));
    for (std::size_t other = 0; other < count; ++other) {
      const auto address = createAddressFromString(tools::fromHex(orders_.next(compat::kDeadline)));
      if (other == rank) continue;
      endpoints_.resize(count);
      endpoints_[other] = worker_->createEndpointFromWorkerAddress(address);
    }
    for (const std::size_t neighbour : neighbours_) prepare(neighbour);
  }

  void run() {
    while (!is_over_) {
      const bool is_at_rest = isAtRest();
      if (obey(is_at_rest ? 1ms : 0ms) || is_over_) continue;
      if (!is_at_rest)
        iterate();
      else if (!worker_->isProgressThreadRunning())
        worker_->progress();
    }
  }

 private:
  /// Who has lost somebody is told how far the others go.
  bool isAtRest() const {
    const bool is_to_be_told = last_ == kForEver && !lost_.empty() && !loses_all_;
    return iteration_ >= last_ || streams_.empty() || is_to_be_told;
  }
  void prepare(std::size_t neighbour) {
    for (const bool sends : {true, false}) {
      streams_.push_back(std::make_unique<Stream>(context_, sends ? rank_ : neighbour,
                                                  sends ? neighbour : rank_, neighbour, count_));
      streams_.back()->prepare(*endpoints_[neighbour]);
    }
  }

  bool obey(std::chrono::milliseconds limit) {
    std::istringstream words(orders_.next(limit));
    std::string what;
    std::uint64_t number = 0;
    if (!(words >> what)) return false;
    words >> number;
    if (what == "until") last_ = number;
    if (what == "more") last_ = iteration_ + number;
    if (what == "close") lose(number);
    if (what == "lose") loses_all_ = true;
    if (what == "held") reportHeld();
    if (what == "closed") awaitCloses();
    if (what == "again") prepareAgain();
    if (what == "end") is_over_ = true;
    return true;
  }

  void iterate() {
    ++iteration_;
    auto plans = active();
    std::shuffle(plans.begin(), plans.end(), random_);
    for (const auto& stream : streams_)
      if (stream->sends && stream->halo.sent_partitions == 1)
        stream->fill(0, 1, stream->plan->iterations() + 1);  // it leaves at its start
    startAll(plans);
    makeReady();
    await();
    for (const auto& stream : streams_)
      if (!stream->sends) stream->check();
    if (iteration_ == kAt) report("at");
    if (iteration_ == last_) report("done");
  }

  std::vector<std::shared_ptr<Prepared>> active() const {
    std::vector<std::shared_ptr<Prepared>> plans;
    for (const auto& stream : streams_) plans.push_back(stream->plan);
    return plans;
  }

  /// Two threads fill partitions, each of which leaves when it is full.
  void makeReady() {
    std::vector<Share> shares;
    for (const auto& stream : streams_) {
      const std::size_t count = stream->sends ? stream->halo.sent_partitions : 0;
      if (count == 1) continue;
      for (std::size_t first = 0, last = 0; first < count; first = last) {
        last = std::min(count, first + 1 + random_() % 4);
        shares.push_back({stream.get(), first, last});
      }
    }
    std::shuffle(shares.begin(), shares.end(), random_);
    const auto work = [&](std::size_t begin) {
      for (std::size_t i = begin; i < shares.size(); i += 2) {
        const auto& [stream, first, last] = shares[i];
        stream->fill(first, last, stream->plan->iterations());
        stream->send->ready(first, last);
      }
    };
    std::thread other(work, 1);
    work(0);
    other.join();
  }

  void await() {
    const auto end = compat::Clock::now() + compat::kDeadline;
    while (!waitAll(active(), 10ms)) {
      obey(0ms);
      loseFailed();
      if (compat::Clock::now() < end) continue;
      std::string text = "silent:";
      for (const auto& plan : active()) text += " " + plan->describe() + ";";
      throw std::runtime_error(text);
    }
    loseFailed();
  }

  void loseFailed() {
    for (const std::size_t neighbour : neighbours_) {
      const auto failed = std::any_of(streams_.begin(), streams_.end(), [&](const auto& stream) {
        const ucs_status_t status = stream->plan->getStatus();
        return stream->neighbour == neighbour && status != UCS_OK && status != UCS_INPROGRESS;
      });
      if (failed) lose(neighbour);
    }
  }

  /// Goes on without it.
  void lose(std::size_t neighbour) {
    ucs_status_t status = UCS_OK;
    for (const auto& stream : streams_) {
      if (stream->neighbour != neighbour) continue;
      closes_.push_back(stream->plan->close());
      if (stream->plan->getStatus() != UCS_OK) status = stream->plan->getStatus();
    }
    const auto gone =
        std::stable_partition(streams_.begin(), streams_.end(),
                              [&](const auto& stream) { return stream->neighbour != neighbour; });
    std::move(gone, streams_.end(), std::back_inserter(closing_));
    streams_.erase(gone, streams_.end());
    lost_.push_back(neighbour);
    report(fmt::format("lost {} {} {}", neighbour, iteration_, static_cast<int>(status)));
  }

  /// Takes blocks as small as those of a plan's words: had they been given back, these were them.
  void reportHeld() {
    for (int i = 0; i < 64; ++i) {
      takers_.push_back(std::make_unique<Memory>(context_, Owner::Library, kTaken));
      takers_.back()->fill(7);
    }
    report(
        fmt::format("held {}", std::count_if(closes_.begin(), closes_.end(),
                                             [](const auto& one) { return !one->isCompleted(); })));
  }

  void awaitCloses() {
    if (!compat::ended({worker_}, closes_)) throw std::runtime_error("a close has not ended");
    for (const auto& close : closes_) close->checkError();
    for (const auto& taker : takers_)
      if (!taker->has(7)) throw std::runtime_error("another's memory was written");
    closes_.clear();
    closing_.clear();
    report("closed");
  }

  void prepareAgain() {
    last_ = iteration_;
    for (const std::size_t neighbour : lost_) prepare(neighbour);
    lost_.clear();
  }

  static constexpr std::size_t kTaken = 4096;
  const std::size_t rank_, count_;
  const std::vector<std::size_t> neighbours_;
  std::mt19937 random_;
  Orders orders_;
  const std::shared_ptr<Context> context_ = createContext();
  const std::shared_ptr<Worker> worker_ = context_->createWorker();
  std::vector<std::shared_ptr<Endpoint>> endpoints_;
  std::vector<std::unique_ptr<Stream>> streams_, closing_;
  std::vector<std::unique_ptr<Memory>> takers_;
  std::vector<std::size_t> lost_;
  Requests closes_;
  std::uint64_t iteration_ = 0, last_ = 0;
  bool loses_all_ = false, is_over_ = false;
};

}  // namespace

/// halo RANK COUNT Ring|All: says its address, and gets a line with that of each; then it is told
/// what to do (`obey`).
int runRole(const std::vector<std::string>& words) try {
  HaloProcess(std::stoul(words[1]), std::stoul(words[2]),
              words[3] == "Ring" ? Pattern::Ring : Pattern::All)
      .run();
  return 0;
} catch (const std::exception& error) {
  report(std::string("failed: ") + error.what());
  return 1;
}

}  // namespace ucxx::core::test
