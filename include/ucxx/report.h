// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ucxx {

/// What a worker has exchanged with one peer: payloads, as `WorkerStats` counts them.
struct PeerCounters {
  std::uint64_t messages_sent = 0;
  std::uint64_t messages_received = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
};

/// One transfer.
///
/// The time of a post may be 10 ms off. Up to 16 tag receives that are posted in a row, without
/// progress in between, have that of the first one, unless `WorkerOptions::stall_report` is set.
/// The time of an end is that of the worker's last look at a clock: in a program that polls 0.1 ms
/// ago, else as old as the last progress.
struct OperationReport {
  std::string kind;            ///< "tag send", "flush", ...
  std::uint64_t endpoint = 0;  ///< its number in descriptions; 0: of no endpoint
  std::size_t length = 0;      ///< bytes
  std::uint64_t tag = 0;       ///< for put, get and atomics: the offset
  /// "queued", "armed" (it waits for its condition), "waiting", "moving", "being copied to
  /// its device"; once it has ended its status.
  std::string state;
  double since_s = 0;     ///< seconds since its post; once it has ended since its end
  double took_s = 0;      ///< once it has ended: from post to end
  std::string condition;  ///< what an armed one waits for; empty: it is not armed
};

/// One end of a prepared transfer that nobody has closed.
struct PreparedReport {
  std::string kind;            ///< "prepared send", "prepared receive"
  std::size_t length = 0;      ///< bytes
  std::size_t partitions = 0;  ///< of this end
  std::uint64_t tag = 0;
  std::uint64_t iteration = 0;  ///< the last one that was started; 0: none
  std::string state;            ///< "not started", "in progress", "done"; or why it has failed
  bool has_peer = false;        ///< the peer is known to have prepared the other end
  std::size_t ready = 0;        ///< a send's partitions that were made ready in this iteration
  std::size_t moved = 0;        ///< bytes of this iteration that were sent, or have arrived
};

struct EndpointReport {
  std::uint64_t endpoint = 0;  ///< as in `OperationReport`
  std::string state;           ///< "connecting", "open", "closing", "closed", "failed"
  std::string error;           ///< the last one; empty: none
  std::vector<OperationReport> pending;
  std::vector<PreparedReport> prepared;  ///< the oldest first
  /// Prepared sends of the peer for which nothing is prepared here.
  std::size_t unmatched_prepared_sends = 0;
};

/// Another worker, or this one itself.
struct PeerReport {
  std::string worker;   ///< the id that it has in its own report
  std::string address;  ///< where it is: "process 4711", "10.0.0.2:5000"; empty: not met yet
  std::string channel;  ///< "self", "local", "UCX"
  std::string state;    ///< "connecting", "up", "ended"
  std::string error;    ///< the last one; empty: none
  PeerCounters counters;
  std::vector<EndpointReport> endpoints;
};

/// What `Worker::describe` and `Worker::dump` say, for programs. The words of it may change.
struct WorkerReport {
  std::string worker;
  std::vector<PeerReport> peers;
  std::vector<EndpointReport> ended;     ///< endpoints that somebody still has
  std::vector<OperationReport> pending;  ///< of no endpoint
  std::vector<OperationReport> recent;   ///< the last that have ended, the oldest first
};

}  // namespace ucxx
