// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ucxx/api.h>

#include "core/loop/loop.h"
#include "core/meet/links.h"
#include "core/wire/wire.h"
#include "sim/doors.h"
#include "sim/network.h"
#include "ucp/worker.h"

namespace ucxx::sim {

/// A worker over the simulated channel, and a peer that passed its door and then sends anything.
class HostilePeer {
 public:
  explicit HostilePeer(const WorkerOptions& options);
  ~HostilePeer();
  HostilePeer(const HostilePeer&) = delete;
  HostilePeer& operator=(const HostilePeer&) = delete;

  static constexpr std::size_t kMostAnnounced = 1 << 16;

  /// The header of its next message, in order and with the right name of the link.
  core::WireHeader next(core::MessageKind kind) noexcept;
  void send(const core::WireHeader& header, std::vector<std::byte> bytes = {},
            std::span<const std::byte> prologue = {});
  void announce(const core::WireHeader& header, std::size_t size,
                std::span<const std::byte> prologue = {});
  /// The worker looks at what has come.
  void progress();
  /// The worker goes; this peer says nothing any more.
  void end();
  /// Whether the worker still has its link to this peer.
  bool isLinked() const noexcept { return linksOf(worker->loop()).to(kName) != nullptr; }
  /// Announcements that the worker has neither fetched nor dropped.
  std::size_t keptAnnouncements() const noexcept { return channel().delivered.size(); }
  /// What the worker has sent, and what of its sends UCX has not taken.
  std::vector<core::WireHeader> received() const;
  std::size_t unsent() const noexcept;

  World world{1, {}};
  std::shared_ptr<Worker> worker;
  std::vector<std::shared_ptr<Endpoint>> ends;  ///< the worker's, to this peer
  std::uint64_t link = 0;
  std::uint32_t sequence = 0;

 private:
  static constexpr base::Id128 kName{5, 6};
  FakeWorker& channel() const noexcept {
    return *reinterpret_cast<FakeWorker*>(worker->getHandle());
  }

  FakeEndpoint* to_ = nullptr;
  std::vector<std::byte> payload_ = std::vector<std::byte>(kMostAnnounced);
  std::vector<std::unique_ptr<base::Completion>> completions_;
};

}  // namespace ucxx::sim
