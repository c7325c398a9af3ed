// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "sim/world.h"
#include "ucp/worker.h"

namespace ucxx::sim {

struct FakeEndpoint;
struct FakeWorker;

/// The bytes of a send, where the caller has them.
struct Source {
  std::vector<ucp_dt_iov_t> pieces;
  std::size_t size() const noexcept;
  void read(std::size_t offset, std::size_t count, std::byte* out) const noexcept;
};

/// A message whose payload stays with its sender until it is fetched or dropped.
struct Rendezvous {
  Source source;
  FakeEndpoint* sender = nullptr;
  base::Completion* sent = nullptr;     // null: the send has ended, and its bytes are out of reach
  base::Completion* fetched = nullptr;  // while it is being fetched
  std::byte* target = nullptr;
  std::size_t copied = 0;
};

struct Packet {
  std::vector<std::byte> header;
  std::vector<std::byte> bytes;
  std::shared_ptr<Rendezvous> rendezvous;
};

/// A send that UCX has not looked at yet.
struct Queued {
  std::span<const std::byte> header;
  Source source;
  bool announce = false;
  base::Completion* completion = nullptr;
};

/// An end that its owner has not been told yet.
struct Ended {
  FakeEndpoint* endpoint = nullptr;
  base::Completion* completion = nullptr;
  ucs_status_t status = UCS_OK;
};

/// One ucp_ep_h, and the lanes on which its packets travel. Lives as long as the world.
struct FakeEndpoint {
  FakeEndpoint(FakeWorker& worker_, FakeWorker& peer_, const ucp::Endpoint::Failure& failure_);
  bool isUp() const noexcept { return !closed && failed == UCS_OK; }

  FakeWorker& worker;
  FakeWorker& peer;
  FakeEndpoint* partner = nullptr;  // the peer's end
  const ucp::Endpoint::Failure failure;
  std::deque<Queued> queue;
  std::vector<std::deque<Packet>> lanes;
  std::vector<std::shared_ptr<Rendezvous>> announced;
  ucs_status_t failing = UCS_OK;  // not told yet
  ucs_status_t failed = UCS_OK;
  bool closed = false;
  base::Completion* closing = nullptr;
};

/// One ucp_worker_h. Lives as long as the world.
struct FakeWorker {
  explicit FakeWorker(World& world_, std::uint64_t id_, const ucp::ChannelEvents& events_)
      : world(world_), id(id_), events(events_) {}

  /// A byte with the version, as UCX's begins, and its id.
  std::vector<std::byte> address() const;
  bool progress();
  ucs_status_t fetch(void* announcement, void* buffer, std::size_t size, base::Completion&);
  void drop(void* announcement);
  void end(FakeEndpoint* endpoint, base::Completion* completion, ucs_status_t status);
  bool hasUntold(const FakeEndpoint& endpoint) const noexcept;

  World& world;
  const std::uint64_t id;
  const ucp::ChannelEvents events;
  bool dead = false;                    // killed: nothing leaves or reaches it
  bool gone = false;                    // destroyed
  std::vector<FakeEndpoint*> own;       // not given up yet
  std::vector<FakeEndpoint*> incoming;  // of others, to this worker
  std::vector<Ended> ended;
  std::map<void*, std::shared_ptr<Rendezvous>> delivered;  // neither fetched nor dropped
  std::vector<std::shared_ptr<Rendezvous>> fetching;

 private:
  bool step(unsigned kind);
  bool tellEnd();
  bool deliver();
  bool transmitQueued();
  bool moveFetch();
  bool tellFailure();
  bool finishClose();
  void endFetch(std::size_t index, ucs_status_t status);
};

/// UCX, as the library may rely on it: see the comments of ucp/worker.h.
class Network {
 public:
  explicit Network(World& world) noexcept : world_(world) {}
  ~Network();

  FakeWorker& newWorker(const ucp::ChannelEvents& events);
  FakeEndpoint& newEndpoint(FakeWorker& worker, std::uint64_t peer, const ucp::Endpoint::Failure&);
  FakeWorker* worker(std::uint64_t id) noexcept;
  /// Workers of processes that live, and that were not destroyed.
  std::size_t workers() const noexcept;
  /// Null when nobody has it. UCX ends the process for one that it cannot read.
  FakeWorker* workerAt(std::span<const std::byte> address);
  ucs_status_t send(FakeEndpoint& endpoint, Queued send);
  ucs_status_t close(FakeEndpoint& endpoint, base::Completion& completion);

  /// @name Faults
  /// @{
  /// Some endpoint fails; false when there is none.
  bool failSome();
  void kill(FakeWorker& worker);
  /// What every send ends with; OK: it goes.
  ucs_status_t refusal = UCS_OK;
  bool refuses_at_once = true;  ///< in the call, else later
  /// Nothing that is sent leaves, nor ends: the peer does not read.
  bool stuck = false;
  /// @}

  bool takes_back = false;  ///< somebody was told that the payload it asked for is gone

  /// Ends everything that UCX does for an endpoint.
  void cut(FakeEndpoint& endpoint, ucs_status_t status);
  void transmit(FakeEndpoint& endpoint, const Queued& send);

 private:
  void lose(FakeEndpoint& endpoint);
  World& world_;
  std::deque<FakeWorker> workers_;
  std::deque<FakeEndpoint> endpoints_;
};

}  // namespace ucxx::sim
