// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <deque>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/faults/asked.h"
#include "peers/faults/raw.h"
#include "peers/faults/row.h"

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr std::size_t kAtOnce = 64;

std::vector<std::byte> bytesOf(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

void addNoise(std::vector<std::byte>& bytes, std::size_t size, sim::Random& random) {
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(random.next()));
}

/// What a stranger says; each is of another kind.
std::vector<std::byte> garbage(sim::Random& random) {
  using namespace std::string_view_literals;
  std::vector<std::byte> bytes;
  switch (random.below(7)) {
    case 0:
      return bytesOf("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    case 1:
      bytes = bytesOf("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"sv);
      addNoise(bytes, 64, random);
      return bytes;
    case 2:
      addNoise(bytes, random.below(3000), random);
      return bytes;
    case 3:  // our magic, then noise
      bytes = helloBytes(random);
      bytes.resize(random.below(24));
      addNoise(bytes, random.below(200), random);
      return bytes;
    case 4:  // truncated
      bytes = helloBytes(random);
      bytes.resize(random.below(bytes.size()));
      return bytes;
    case 5:  // a bit is wrong
      bytes = helloBytes(random);
      bytes[random.below(bytes.size())] ^= std::byte{1} << random.below(8);
      return bytes;
    default:
      return bytesOf("SSH-2.0-OpenSSH_9.2\r\n");
  }
}

/// So many strangers, some at a time. Half of them hang up at once, the others when they are told.
class Strangers {
 public:
  Strangers(std::uint16_t port, std::uint64_t seed) : port_(port), random_(seed) {}

  void turn() {
    std::erase_if(waiting_, [](const Waiting& one) {
      return isHungUp(one.socket) || Clock::now() > one.until;
    });
    for (int i = 0; i < 16 && waiting_.size() < kAtOnce; ++i) {
      auto socket = callRaw(port_, From::Elsewhere, random_);
      if (socket.get() < 0) continue;
      ++count_;
      (void)sendRaw(socket, garbage(random_));
      if (random_.chance(50)) waiting_.push_back({std::move(socket), Clock::now() + 50ms});
    }
  }
  std::size_t count() const { return count_; }

 private:
  struct Waiting {
    tools::Descriptor socket;
    Clock::time_point until;
  };
  const std::uint16_t port_;
  sim::Random random_;
  std::deque<Waiting> waiting_;
  std::size_t count_ = 0;
};

}  // namespace

Outcome runGarbage(const Scale& scale) {
  Service service(kLocal);
  // Both by the local channel: what UCX keeps of each of its connections is not the strangers'.
  Party stays("friend", kLocal), comes("friend", kLocal);
  (void)stays.hear(kPatience), (void)comes.hear(kPatience);
  (void)ask(comes, {{"do", "connect"}, {"port", service.port}, {"count", 200}});
  // No large messages: library memory that they leave for the next is a friend's, not a stranger's.
  const json exchange{
      {"do", "exchange"}, {"port", service.port}, {"pause_us", 1000}, {"sizes", {8, 900, 40000}}};
  json warm = exchange, stay = exchange;
  warm["ms"] = 1500;
  (void)ask(stays, warm), (void)stays.hear(kPatience);
  const std::size_t wanted = scale.of(100'000, 5000);
  // The friend stays as long as they come, about; a second connects all the time.
  const int ms = scale.quick ? 3000 : 20000;
  stay["ms"] = ms;
  const Held idle = heldBy(service.party);
  (void)ask(stays, stay);
  comes.tell({{"do", "connect"}, {"port", service.port}, {"ms", ms}, {"pause_us", 3000}});

  const auto begin = Clock::now();
  Strangers strangers(service.port, scale.seed);
  while (strangers.count() < wanted) {
    strangers.turn();
    if (Clock::now() - begin > kPatience) throw std::runtime_error("the strangers never end");
  }
  const double took = milliseconds(Clock::now() - begin);
  const json stayed = stays.hear(kPatience), came = comes.hear(kPatience);
  const Recovery recovery = scale.judgesTimes() ? awaitRecovery(service.party, idle)
                                                : awaitRecovery(service.party, idle, kRecoversLate);
  auto gaps = stayed.at("times").get<std::vector<double>>();
  auto connects = came.at("times").get<std::vector<double>>();
  const std::string why = stayed.at("why").get<std::string>() + came.at("why").get<std::string>();
  for (Party* party : {&stays, &comes, &service.party}) party->finish();  // none has crashed
  const bool ok = why.empty() && !connects.empty() && !gaps.empty() && recovery.isComplete();
  return judged(
      ok,
      fmt::format(
          "{} strangers in {:.1f} s, 0 crashes; friend that stays: {} exchanges, p99 {:.2f} "
          "ms; friend that connects: {}, p50 {:.2f} ms, p99 {:.2f} ms{}; after them {:+} "
          "KiB, {:+} descriptors in {:.0f} ms",
          strangers.count(), took / 1000, gaps.size(), percentile(gaps, 0.99), connects.size(),
          percentile(connects, 0.5), percentile(connects, 0.99),
          why.empty() ? "" : " FAILED: " + why, recovery.kib, recovery.descriptors, recovery.ms),
      {{"strangers", strangers.count()},
       {"connect_p50_ms", percentile(connects, 0.5)},
       {"connect_p99_ms", percentile(connects, 0.99)},
       {"kib_after", recovery.kib},
       {"descriptors_after", recovery.descriptors}});
}

}  // namespace ucxx::faults
