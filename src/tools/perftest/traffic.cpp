// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/traffic.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/perftest/flow.h"
#include "tools/perftest/one_sided.h"
#include "tools/perftest/transfers.h"

namespace ucxx::tools {
namespace {

constexpr std::uint64_t kMostIterations = 1'000'000'000;
constexpr std::size_t kMostBytes = std::size_t{1} << 36;

template <class Transfers>
MemoryKind requireIntact(const Transfers& transfers, const Request& came, const Plan& plan) {
  if (const auto kind = transfers.look(came)) return *kind;
  throw std::runtime_error(fmt::format("{}: the {} bytes that came are not those that were sent",
                                       nameOf(plan.test), plan.bytes()));
}

/// What follows the send costs nothing while the message is on its way: the receive is posted then,
/// and the requests of the round trip before are dropped.
template <class Transfers>
struct RoundTrip {
  void make(Session& session, Transfers& transfers) {
    sent = transfers.send();
    came = transfers.receive();
    session.wait(*came);
    session.wait(*sent);
  }
  std::shared_ptr<Request> sent, came;
};

template <class Transfers>
Timing ping(Session& session, Transfers& transfers, const Plan& plan) {
  RoundTrip<Transfers> round_trip;
  for (std::uint64_t i = 0; i < plan.warmup; ++i) round_trip.make(session, transfers);
  Timing timing =
      timeEach(plan.iterations, [&](std::uint64_t) { round_trip.make(session, transfers); });
  requireIntact(transfers, *round_trip.came, plan);
  return timing;
}

template <class Transfers>
MemoryKind pong(Session& session, Transfers& transfers, const Plan& plan) {
  const std::uint64_t total = plan.warmup + plan.iterations;
  std::shared_ptr<Request> sent, came, next = transfers.receive();
  for (std::uint64_t i = 1; i <= total; ++i) {
    session.wait(*next);
    sent = transfers.send();
    came = std::exchange(next, nullptr);
    if (i < total) next = transfers.receive();
    session.wait(*sent);
  }
  return requireIntact(transfers, *came, plan);
}

/// Ends when the other side has everything.
template <class Transfers>
void sendAll(Session& session, Transfers& transfers, std::uint64_t count, std::size_t window) {
  char done = 0;
  const EndsAtError guard(session);
  const auto ended = session.endpoint().tagRecv(&done, sizeof done, kDoneTag);
  flow(session, count, window, [&] { return transfers.send(); });
  session.wait(*ended);
}

template <class Transfers>
std::shared_ptr<Request> receiveAll(Session& session, Transfers& transfers, std::uint64_t count,
                                    std::size_t window) {
  const char done = 1;
  const EndsAtError guard(session);
  auto last = flow(session, count, window, [&] { return transfers.receive(); });
  session.wait(*session.endpoint().tagSend(&done, sizeof done, kDoneTag));
  return last;
}

template <class Transfers>
Timing measureWith(Session& session, const Plan& plan) {
  Transfers transfers(session, plan);
  const EndsAtError guard(session);
  if (plan.test.metric == Metric::Latency) return ping(session, transfers, plan);
  if (plan.warmup > 0) sendAll(session, transfers, plan.warmup, plan.window);
  const auto start = std::chrono::steady_clock::now();
  sendAll(session, transfers, plan.iterations, plan.window);
  return {secondsSince(start)};
}

template <class Transfers>
MemoryKind answerWith(Session& session, const Plan& plan) {
  Transfers transfers(session, plan);
  const EndsAtError guard(session);
  if (plan.test.metric == Metric::Latency) return pong(session, transfers, plan);
  if (plan.warmup > 0) receiveAll(session, transfers, plan.warmup, plan.window);
  const auto last = receiveAll(session, transfers, plan.iterations, plan.window);
  return requireIntact(transfers, *last, plan);
}

}  // namespace

nlohmann::json toJson(const Plan& plan) {
  return {{"test", nameOf(plan.test)},
          {"size", plan.size},
          {"frames", plan.frames},
          {"iterations", plan.iterations},
          {"warmup", plan.warmup},
          {"window", plan.window},
          {"library_memory", plan.library_memory}};
}

Plan planFrom(const nlohmann::json& line) {
  const auto test = findTest(line.at("test").get<std::string>());
  Plan plan;
  line.at("size").get_to(plan.size);
  line.at("frames").get_to(plan.frames);
  line.at("iterations").get_to(plan.iterations);
  line.at("warmup").get_to(plan.warmup);
  line.at("window").get_to(plan.window);
  line.at("library_memory").get_to(plan.library_memory);
  if (!test || plan.iterations == 0 || plan.iterations > kMostIterations ||
      plan.warmup > kMostIterations || plan.window == 0 || plan.window > 65536 ||
      plan.frames == 0 || plan.frames > 65536 || plan.size > kMostBytes)
    throw std::runtime_error("cannot do this measurement: " + line.dump());
  plan.test = *test;
  return plan;
}

Timing measure(Session& session, const Plan& plan) {
  if (isOneSided(plan.test.kind)) return measureOneSided(session, plan);
  switch (plan.test.kind) {
    case Kind::Tag:
      return measureWith<TagTransfers>(session, plan);
    case Kind::Stream:
      return measureWith<StreamTransfers>(session, plan);
    case Kind::Am:
      return measureWith<AmTransfers>(session, plan);
    case Kind::Multi:
      return measureWith<MultiTransfers>(session, plan);
    default:
      break;
  }
  throw std::logic_error("no such kind of test");
}

MemoryKind answer(Session& session, const Plan& plan) {
  if (isOneSided(plan.test.kind)) {
    answerOneSided(session, plan);
    return MemoryKind::Host;
  }
  switch (plan.test.kind) {
    case Kind::Tag:
      return answerWith<TagTransfers>(session, plan);
    case Kind::Stream:
      return answerWith<StreamTransfers>(session, plan);
    case Kind::Am:
      return answerWith<AmTransfers>(session, plan);
    case Kind::Multi:
      return answerWith<MultiTransfers>(session, plan);
    default:
      throw std::logic_error("no such kind of test");
  }
}

}  // namespace ucxx::tools
