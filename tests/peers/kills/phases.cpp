// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/phases.h"

#include <algorithm>
#include <iterator>

namespace ucxx::kills {
namespace {

using base::Phase;

// To add a phase: an enumerator in src/base/phases.h, base::reached(Phase::X) where it is, and a
// row.
constexpr int kMany = 300;
constexpr PhaseInfo kPhases[] = {
    {Phase::PayloadCopied, "payload-copied", kLocal, kMany},
    {Phase::NextFlagCleared, "next-flag-cleared", kLocal, kMany},
    {Phase::RecordCopied, "record-copied", kLocal, kMany},
    {Phase::RecordPublished, "record-published", kLocal, kMany},
    {Phase::PadPublished, "pad-published", kLocal | kLargeRecords | kVictimSends, 20},
    {Phase::BulkCopied, "bulk-copied", kPieces | kRendezvous | kVictimSends, kMany},
    {Phase::NotRung, "not-rung", kLocal, kMany},
    {Phase::BellDue, "bell-due", kLocal, kMany},
    {Phase::Rung, "rung", kLocal | kSurvivorSleeps, 20},
    {Phase::RecordPeeked, "record-peeked", kLocal, kMany},
    {Phase::RecordHandled, "record-handled", kLocal, kMany},
    {Phase::RecordsPopped, "records-popped", kLocal, 50},
    {Phase::SleepAnnounced, "sleep-announced", kLocal | kVictimSleeps, 20},
    {Phase::RoomAwaited, "room-awaited", kLocal | kVictimSleeps | kVictimSends | kFullRing, 5},
    {Phase::Announced, "announced", kRendezvous | kVictimSends, 20},
    {Phase::FetchSent, "fetch-sent", kPieces | kRendezvous | kVictimReceives, 20},
    {Phase::PieceSent, "piece-sent", kPieces | kRendezvous | kVictimSends, kMany},
    {Phase::ChunkTaken, "chunk-taken", kCopies | kRendezvous | kVictimReceives, 50},
    {Phase::ChunkCopied, "chunk-copied", kCopies | kRendezvous | kVictimReceives, 50},
    {Phase::HelpTaken, "help-taken", kCopies | kRendezvous | kVictimSends, 20},
    {Phase::HelpCopied, "help-copied", kCopies | kRendezvous | kVictimSends, 20},
    {Phase::PayloadTaken, "payload-taken", kCopies | kRendezvous | kVictimReceives, 20},
    {Phase::AccessSent, "access-sent", kAccess | kVictimSends, kMany},
    {Phase::AccessServed, "access-served", kAccess | kVictimReceives, kMany},
    {Phase::HelloSent, "hello-sent", kVictimCalls, 2},
    {Phase::HelloHeard, "hello-heard", kVictimIsCalled, 2},
    {Phase::HelloAnswered, "hello-answered", kVictimIsCalled, 2},
    {Phase::Joined, "joined", kLocal | kVictimCalls, 1},
    {Phase::ChannelBegins, "channel-begins", kLocal, 1},
    {Phase::UcxAsked, "ucx-asked", kLocal | kDevice | kRendezvous | kVictimSends, 1},
    {Phase::UcxAnswered, "ucx-answered", kLocal | kDevice | kRendezvous | kVictimReceives, 1},
    {Phase::PartCopied, "part-copied", kLocal | kPrepared | kPushes | kReachesIn | kVictimSends,
     kMany},
    {Phase::PartLanded, "part-landed", kLocal | kPrepared | kPushes | kReachesIn | kVictimSends,
     kMany},
    {Phase::ReadyDue, "ready-due", kLocal | kPrepared | kReachesIn | kVictimReceives, kMany},
    {Phase::ReadySaid, "ready-said", kLocal | kPrepared | kReachesIn | kVictimReceives, kMany},
    {Phase::PlanCloseSent, "plan-close-sent", kPrepared | kVictimCloses, 1},
    {Phase::PlanCloseAnswered, "plan-close-answered", kPrepared | kSurvivorCloses, 1},
    {Phase::TransferArmed, "transfer-armed", kArmed, kMany},
    {Phase::TriggerCounted, "trigger-counted", kArmed, kMany},
    {Phase::CloseSent, "close-sent", kVictimCloses, 1},
    {Phase::ByeSent, "bye-sent", kVictimCloses, 1},
    {Phase::ByeAnswered, "bye-answered", kSurvivorCloses, 1},
};
static_assert(std::size(kPhases) + 1 == static_cast<std::size_t>(Phase::Count));

}  // namespace

std::span<const PhaseInfo> allPhases() { return kPhases; }

const PhaseInfo& infoOf(base::Phase phase) {
  return *std::find_if(std::begin(kPhases), std::end(kPhases),
                       [&](const PhaseInfo& one) { return one.phase == phase; });
}

std::string_view nameOf(base::Phase phase) {
  return phase == Phase::None ? "random" : infoOf(phase).name;
}

}  // namespace ucxx::kills
