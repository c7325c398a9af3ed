// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

namespace ucxx::base {

/// Steps of the library's protocols between which a process may be killed; `reached` (phase.h)
/// marks them in the sources. tests/peers/kills/phases.cpp names those before `Count`, and says
/// what a process must do to get there.
enum class Phase : std::uint8_t {
  None,
  // local/ring.h: the producer
  PayloadCopied,    ///< the payload is in the ring, its header is not
  NextFlagCleared,  ///< the flag word behind the record, too
  RecordCopied,     ///< the header as well, nothing is published
  RecordPublished,  ///< not the pad that leads to it
  PadPublished,
  BulkCopied,  ///< a fragment is in the bulk ring, its record is not
  // local/bell.h
  NotRung,  ///< published, the bit on the board not yet looked at
  BellDue,  ///< published and named on the board, or room made; the owner's sleep not looked at
  Rung,     ///< the eventfd is written, the sleep not ended
  // local/ring.h, local/hub.cpp: the consumer
  RecordPeeked,
  RecordHandled,  ///< not popped
  RecordsPopped,  ///< not published as consumed
  SleepAnnounced,
  // local/channel.cpp
  RoomAwaited,
  // core: a large payload
  Announced,
  FetchSent,
  PieceSent,
  ChunkTaken,    ///< by the receiver, not copied
  ChunkCopied,   ///< by the receiver
  HelpTaken,     ///< by the sender, not copied
  HelpCopied,    ///< by the sender, not told
  PayloadTaken,  ///< all of it is copied, the sender not told
  // core: one-sided operations by messages
  AccessSent,
  AccessServed,  ///< not answered
  // door, core: two workers meet
  HelloSent,
  HelloHeard,  ///< not answered
  HelloAnswered,
  Joined,
  ChannelBegins,
  // core: two that talk locally meet by UCX as well
  UcxAsked,
  UcxAnswered,
  // core: prepared transfers
  PartCopied,  ///< by the sender into the receiver's buffer, the receiver cannot see it
  PartLanded,  ///< it can, and may sleep
  ReadyDue,    ///< the receiver has started, the sender cannot see it
  ReadySaid,   ///< it can, and may sleep
  PlanCloseSent,
  PlanCloseAnswered,
  // core: transfers that wait for a condition
  TransferArmed,
  TriggerCounted,  ///< nothing has started
  // core: they part
  CloseSent,
  ByeSent,
  ByeAnswered,
  Count,
  // Between the threads of a process, which is killed as a whole: here the kill tool only delays.
  HalfPushed,   ///< base/mpsc_queue.h: the queue ends behind a node that does not lead there yet
  PostQueued,   ///< core/loop/posts.cpp: its loop's sleep not looked at
  WakeDue,      ///< core/loop/wake.h: somebody sleeps, nobody has rung
  WakeTaken,    ///< ... the sleep is ended, the eventfd not written
  AsleepSaid,   ///< ... announced, and not yet looked once more
  SleepBegins,  ///< core/loop/sleeper.cpp: nothing was found, the descriptors not yet waited for
  // src/shmem, where tests/shmem/kills_check.py kills a PE
  PeAttached,       ///< start.cpp: maps the memory, has not come to the first barrier
  PeRunning,        ///< ... has left it
  PeStored,         ///< waiting.h: the sleepers not looked at
  PeAsleepSaid,     ///< waiting.cpp: not yet looked once more
  PeRinging,        ///< ... somebody sleeps and is not woken
  PeRaised,         ///< sync.h: others know that it has come, not yet waited for
  PeCounted,        ///< sync.cpp: likewise
  PeArrived,        ///< exchange.h: likewise
  PeBroadcastRead,  ///< broadcast.cpp: the root not told
  PeOffered,        ///< split.cpp: the number of a team is taken, and offered
  PeQueued,         ///< lock.cpp: at the end of the queue, the one before not told
  PeLocked,         ///< ... holds the lock
  PeUnlocking,      ///< ... somebody waits and is not told
  PeAllocated,      ///< allocation.cpp: the others not told
  PeFinalized,      ///< start.cpp: the last barrier is left, the end not told
  PeCount,
};

}  // namespace ucxx::base
