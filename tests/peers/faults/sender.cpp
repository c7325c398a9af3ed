// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <deque>

#include <nlohmann/json.hpp>

#include <ucxx/api.h>

#include "peers/faults/asked.h"
#include "peers/faults/roles.h"
#include "peers/lines.h"
#include "peers/memory.h"
#include "sim/random.h"

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr std::size_t kWindow = 4096;
constexpr std::size_t kWindowBytes = 64 << 20;
/// A sender that has got on no more for so long is held back.
constexpr auto kHeldBack = 1s;

/// Sends of one tag that have not ended, oldest first.
class Sends {
 public:
  Sends(std::shared_ptr<Endpoint> endpoint, Tag tag, std::size_t size, std::uint64_t first)
      : endpoint_(std::move(endpoint)), tag_(tag), size_(size), number_(first) {}

  bool hasRoom() const {
    return sends_.size() < kWindow && (sends_.size() + 1) * size_ <= kWindowBytes;
  }
  void post() {
    std::vector<std::byte> bytes = std::move(spare_);
    bytes.resize(size_);
    peers::writePayload(bytes.data(), size_, number_++);
    auto& place = sends_.emplace_back(nullptr, std::move(bytes));
    place.first = endpoint_->tagSend(place.second.data(), size_, tag_);
  }
  /// How many have ended.
  std::size_t collect() {
    std::size_t count = 0;
    for (; !sends_.empty() && sends_.front().first->isCompleted(); ++count) {
      sends_.front().first->checkError();
      spare_ = std::move(sends_.front().second);
      sends_.pop_front();
    }
    return count;
  }

 private:
  const std::shared_ptr<Endpoint> endpoint_;
  const Tag tag_;
  const std::size_t size_;
  std::uint64_t number_;
  std::vector<std::byte> spare_;
  std::deque<std::pair<std::shared_ptr<Request>, std::vector<std::byte>>> sends_;
};

/// "flood": so many messages; says "held" when the receiver holds it back, and how it ends.
void flood(tools::Control& control, Worker& worker, const std::shared_ptr<Endpoint>& endpoint,
           const json& line) {
  const std::size_t count = line.at("count");
  Sends sends(endpoint, Tag{1}, line.at("size"), 0);
  std::size_t posted = 0, ended = 0;
  bool is_held = false;
  for (auto moved_at = Clock::now(); ended < count;) {
    while (posted < count && sends.hasRoom() && posted - ended < kWindow) sends.post(), ++posted;
    worker.progress();
    if (const std::size_t more = sends.collect(); more != 0) {
      ended += more;
      moved_at = Clock::now();
    } else if (!is_held && Clock::now() - moved_at > kHeldBack) {
      is_held = true;
      control.send({{"held", ended}});
    }
  }
  control.send({{"sent", ended}});
}

/// "stream": for ever, messages of each tag, whose numbers begin with that of the generation.
[[noreturn]] void stream(Worker& worker, const std::shared_ptr<Endpoint>& endpoint,
                         const json& line) {
  const auto sizes = line.at("sizes").get<std::vector<std::size_t>>();
  const auto generation = line.at("generation").get<std::uint64_t>();
  sim::Random random(line.at("seed").get<std::uint64_t>() + generation);
  std::vector<Sends> all;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    all.emplace_back(endpoint, Tag{i}, sizes[i], generation << 32);
  for (;;) {
    for (auto left = random.below(20); left != 0; --left)
      if (Sends& sends = random.pick(all); sends.hasRoom()) sends.post();
    for (auto left = random.below(500); left != 0; --left) worker.progress();
    for (Sends& sends : all) sends.collect();
  }
}

}  // namespace

int runSender(tools::Control& control) {
  auto worker = createContext()->createWorker();
  const auto line = control.receive(kPatience);
  auto endpoint =
      worker->createEndpointFromHostname("127.0.0.1", line.at("port").get<std::uint16_t>());
  if (line.at("do") == "stream") stream(*worker, endpoint, line);
  flood(control, *worker, endpoint, line);
  for (;;) {
    const auto next = control.receive(kPatience);
    if (next.at("do") == "bye") return 0;
    answerCommon(control, next);
  }
}

}  // namespace ucxx::faults
