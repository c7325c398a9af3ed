// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ucxx/context.h>
#include <ucxx/options.h>
#include <ucxx/report.h>
#include <ucxx/stats.h>

#include "base/clock.h"
#include "base/completion.h"
#include "core/channel/channels.h"
#include "core/condition/conditions.h"
#include "core/link/endpoints.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/meet/links.h"
#include "core/meet/listeners.h"
#include "core/plan/watched_plans.h"
#include "core/request/device_copies.h"
#include "core/request/operation.h"
#include "core/request/requests.h"
#include "door/door.h"

namespace ucxx::core {

struct WorkerAddress;

/// The library's half of a `ucxx::Worker`: a loop, and what each room has of it. Makes the rooms,
/// joins them and ends them; has no rule of its own. Whoever owns the loop calls what stands here,
/// except where another thread is named.
class WorkerState final : public Loop {
 public:
  /// Throws what keeps it from being reached at all.
  WorkerState(std::shared_ptr<Context> context, const WorkerOptions& options);
  /// Ends what is open, without waiting for peers.
  ~WorkerState() override;

  /// @name Endpoints (worker_state.cpp)
  /// @{
  /// `limit`: for the connect; none: the worker's.
  using Limit = std::optional<std::chrono::milliseconds>;
  EndpointState& open(const WorkerAddress& address, bool error_handling, Limit limit);
  EndpointState& openByName(std::vector<door::SocketAddress> addresses, bool error_handling,
                            Limit limit);
  /// @}

  /// @name For people (src/core/insight)
  /// @{
  /// Any thread.
  WorkerStats stats() const;
  std::string describe();
  std::string dump();
  WorkerReport report();
  /// Any thread; does nothing while another one owns the loop.
  void warnOfUntaken() noexcept;
  /// @}

  Channels channels;
  Requests requests{*this};
  DeviceCopies device_copies{watch};
  Inbox inbox;
  WatchedPlans watched_plans{watch};
  Listeners listeners{*this};
  std::unique_ptr<Links> links;
  Conditions conditions{*this};
  Endpoints endpoints{*this};

 private:
  base::TimePoint nextTime() const noexcept override { return links->nextDeadline(); }
  void onTime() override;
  std::uint64_t doorEvents() const noexcept override { return links->events(); }
  void watchPeers() noexcept override { links->watch(); }

  template <class Open>
  EndpointState& openNew(Limit limit, const Open& open);
  void reportStalls() noexcept;  // dump.cpp
  void logDump();
  std::vector<const Operation*> pending() const;

  /// @name Its end (shut_down.cpp)
  /// @{
  void shutDown() noexcept;
  void sayGoodbyes() noexcept;
  void pushIntoRings() noexcept;
  void pushOutOfUcx() noexcept;
  void waitForHelpers(base::TimePoint deadline) noexcept;
  void abandonUcp() noexcept;
  /// @}

  base::TimePoint next_dump_{};  // of stalled requests, not before
  struct LastFlush final : base::Completion {
    bool ended = false;
  } last_flush_;  // UCX may end it only when the links are cut
};

/// Every loop is one of a worker.
inline WorkerState& workerOf(Loop& loop) noexcept { return static_cast<WorkerState&>(loop); }

}  // namespace ucxx::core
