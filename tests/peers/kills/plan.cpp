// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/plan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "peers/kills/phases.h"
#include "sim/random.h"

namespace ucxx::kills {
namespace {

using base::Phase;
using sim::Random;

// Of every kind but streams, and but tags, which have no size between this and 8 MiB.
constexpr std::size_t kAnnouncedBytes = (256 << 10) + 1;
constexpr std::size_t kMostOfARecord = 16 << 10;
constexpr std::size_t kLeastMapped = (16 << 10) + 1;
constexpr std::size_t kMostPushed = 1 << 20;  // in four parts
constexpr std::size_t kHugeBytes = 1 << 20;

/// Most are small, some near `most`.
int logBelow(Random& random, int most) {
  const double exponent = static_cast<double>(random.below(1 << 16)) / (1 << 16);
  return static_cast<int>(std::pow(static_cast<double>(most) + 1, exponent));
}

/// What is in a device's memory comes by ways of its own; one-sided operations have phases of their
/// own.
bool getsTo(Kind kind, unsigned needs) {
  if (kind == Kind::Prepared) return needs == 0 || (needs & kPrepared) != 0;
  if ((needs & kPrepared) != 0) return false;
  if ((needs & kArmed) != 0) return kind == Kind::Armed;
  if (kind == Kind::OneSided) return needs == 0 || (needs & kAccess) != 0;
  if ((needs & kAccess) != 0) return false;
  if (kind != Kind::AmDevice) return (needs & kDevice) == 0;
  return (needs & kDevice) != 0 || (needs & (kLocal | kRendezvous)) == 0;
}

/// Those with which a run gets to where it is to be killed.
std::vector<std::size_t> sizesFor(const Protocol& protocol, unsigned needs, const Filter& filter) {
  if (!getsTo(protocol.kind, needs)) return {};
  const std::size_t least = (needs & kRendezvous) != 0     ? kAnnouncedBytes
                            : (needs & kPushes) != 0       ? kLeastMapped
                            : (needs & kLargeRecords) != 0 ? 2048
                                                           : 0;
  // What is copied leaves no records but its announcement.
  const bool in_records = (needs & (kLargeRecords | kFullRing)) != 0;
  const std::size_t most = (needs & kPushes) != 0                          ? kMostPushed
                           : in_records && (filter.channel & kCopies) != 0 ? kMostOfARecord
                                                                           : SIZE_MAX;
  std::vector<std::size_t> sizes;
  for (const std::size_t size : protocol.sizes)
    if (size >= least && size <= most) sizes.push_back(size);
  return sizes;
}

bool isPossible(unsigned needs, const Filter& filter) {
  if ((needs & kOfChannel & ~filter.channel) != 0) return false;
  return !filter.protocol || !sizesFor(protocols()[*filter.protocol], needs, filter).empty();
}

Phase choosePhase(Random& random, const Filter& filter) {
  if (filter.phase) return *filter.phase;
  if (!filter.has_phases || random.chance(35)) return Phase::None;
  std::vector<Phase> possible;
  for (const PhaseInfo& info : allPhases())
    if (isPossible(info.needs, filter)) possible.push_back(info.phase);
  return random.pick(possible);
}

void choosePayload(Plan& plan, Random& random, const Filter& filter, unsigned needs) {
  std::vector<std::size_t> possible;
  for (std::size_t i = 0; i < protocols().size(); ++i)
    if (!sizesFor(protocols()[i], needs, filter).empty()) possible.push_back(i);
  plan.protocol = filter.protocol.value_or(random.pick(possible));
  std::vector<std::size_t> sizes = sizesFor(protocols()[plan.protocol], needs, filter);
  if (sizes.empty()) sizes.push_back(protocols()[plan.protocol].sizes.back());
  plan.size = random.pick(sizes);
  const std::size_t windows[] = {1, 4, 16};
  plan.window = plan.size >= kHugeBytes ? 2 : windows[random.below(std::size(windows))];
}

void chooseDirection(Plan& plan, Random& random, unsigned needs) {
  const auto direction = random.below(3);
  plan.victim_sends = direction != 1 || (needs & kVictimSends) != 0;
  plan.victim_receives = direction != 0 || (needs & kVictimReceives) != 0;
}

void chooseModes(Plan& plan, Random& random, const Filter& filter, unsigned needs) {
  const Mode sleeping[] = {Mode::Sleep, Mode::ThreadBlocking, Mode::ThreadAdaptive};
  const auto choose = [&](bool sleeps) {
    return sleeps ? sleeping[random.below(2)] : static_cast<Mode>(random.below(4));
  };
  plan.survivor_mode = choose((needs & kSurvivorSleeps) != 0);
  plan.victim_mode = choose((needs & kVictimSleeps) != 0);
  if (filter.mode) plan.survivor_mode = *filter.mode;
  const int paces[] = {0, 0, 100, 500, 10'000};  // in the last, rings become cold
  plan.pace = paces[random.below(std::size(paces))];
  if ((needs & (kSurvivorSleeps | kVictimSleeps)) != 0) plan.pace = 100;
  plan.lazy = random.chance(15) ? 200 : 0;
}

/// More than the ring holds, to somebody who looks rarely.
void fillRing(Plan& plan) {
  plan.pace = 0;
  plan.lazy = 500;
  plan.window = plan.size >= kHugeBytes ? 4 : plan.size >= 16 << 10 ? 32 : 512;
  if (hasThread(plan.survivor_mode)) plan.survivor_mode = Mode::Poll;
}

/// Of those that poll, some wait by the library's calls, and some leave it to a thread that polls.
/// Drawn last: the rest of a run is what its seed gave before there were these.
void divideThosePolling(Plan& plan, Random& random, const Filter& filter, unsigned needs) {
  const Mode modes[] = {Mode::Poll, Mode::Wait, Mode::ThreadPolling};
  const auto divide = [&](Mode& mode, std::size_t possible) {
    if (mode == Mode::Poll) mode = modes[random.below(possible)];
  };
  if (!filter.mode) divide(plan.survivor_mode, (needs & kFullRing) != 0 ? 2 : 3);
  divide(plan.victim_mode, 3);
}

/// Drawn last, too.
void maybeStopAtPhase(Plan& plan, Random& random, const Filter& filter, unsigned needs) {
  if ((needs & kReachesIn) == 0) return;
  const Fault faults[] = {Fault::Kill, Fault::Kill, Fault::StopAndGo, Fault::StopAndKill};
  plan.fault = filter.fault.value_or(faults[random.below(std::size(faults))]);
  plan.closes_endpoint = random.chance(50);
}

void chooseMeeting(Plan& plan, Random& random, unsigned needs) {
  plan.meeting = static_cast<Meeting>(random.below(3));
  if ((needs & kVictimCalls) != 0 && plan.meeting == Meeting::VictimIsCalled)
    plan.meeting = Meeting::VictimCalls;
  if ((needs & kVictimIsCalled) != 0) plan.meeting = Meeting::VictimIsCalled;
}

/// What is possible in the time there is. Without a local channel there is one hello, which is the
/// same when the address names the local one at once.
void limitPasses(Plan& plan, const Filter& filter, unsigned needs) {
  const bool one_hello = (filter.channel & kLocal) == 0 || plan.meeting == Meeting::Addresses;
  if ((needs & (kVictimCalls | kVictimIsCalled)) != 0 && one_hello) plan.passes = 1;
  if (plan.pace != 0) plan.passes = std::min(plan.passes, 20);
}

void chooseFault(Plan& plan, Random& random, const Filter& filter) {
  const auto share = random.below(100);
  plan.fault = share < 84 ? Fault::Kill : share < 92 ? Fault::StopAndGo : Fault::StopAndKill;
  if (filter.fault) plan.fault = *filter.fault;
  if (plan.phase != Phase::None) plan.fault = Fault::Kill;
  plan.early = random.chance(15) && plan.fault == Fault::Kill;
  plan.delay = logBelow(random, plan.early ? 3000 : 10000);
  plan.stop = 500 + logBelow(random, 30000);
}

}  // namespace

const std::vector<Protocol>& protocols() {
  static const std::vector<Protocol> all{
      {"tag-eager", Kind::Tag, {8, 2048, 16 << 10}},
      {"tag-fragments", Kind::Tag, {40 << 10}},  // over UCX; else a small rendezvous
      {"rendezvous", Kind::Tag, {256 << 10, 256 << 10, 256 << 10, 8 << 20}},
      {"am", Kind::Am, {2048, 64 << 10, 1 << 20}},
      {"am-device", Kind::AmDevice, {2048, 300 << 10, 3 << 20}},  // by UCX, or in parts
      {"stream", Kind::Stream, {2048, 24 << 10}},
      {"multi", Kind::Multi, {4096, 600 << 10}},
      {"prepared", Kind::Prepared, {8, 2048, 40 << 10, 1 << 20, 2 << 20}},
      {"armed", Kind::Armed, {8, 2048, 300 << 10}},
      {"one-sided", Kind::OneSided, {8, 2048, 40 << 10, 2 << 20}},
  };
  return all;
}

Plan planFor(std::uint64_t seed, std::uint64_t run, const Filter& filter) {
  Random random(Random(seed).next() ^ Random(~run).next());
  Plan plan;
  plan.run = run;
  plan.phase = choosePhase(random, filter);
  const bool at_phase = plan.phase != Phase::None;
  const unsigned needs = at_phase ? infoOf(plan.phase).needs : 0;
  plan.passes = at_phase ? logBelow(random, infoOf(plan.phase).most_passes) : 0;
  choosePayload(plan, random, filter, needs);
  chooseDirection(plan, random, needs);
  chooseModes(plan, random, filter, needs);
  if ((needs & kFullRing) != 0) fillRing(plan);
  chooseMeeting(plan, random, needs);
  chooseFault(plan, random, filter);
  const bool may_close = !at_phase && plan.kind() != Kind::OneSided;  // its owner tells nobody
  const bool closes =
      (needs & (kVictimCloses | kSurvivorCloses)) != 0 || (may_close && random.chance(5));
  plan.close_after = closes ? logBelow(random, 20) : 0;
  plan.survivor_closes = at_phase ? (needs & kSurvivorCloses) != 0 : random.chance(50);
  limitPasses(plan, filter, needs);
  divideThosePolling(plan, random, filter, needs);
  maybeStopAtPhase(plan, random, filter, needs);
  return plan;
}

}  // namespace ucxx::kills
