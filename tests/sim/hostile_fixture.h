// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/request/handles.h"
#include "sim/hostile_peer.h"

namespace ucxx::sim {

/// A worker with small limits, and a peer that can say anything to it.
class HostileTest : public testing::Test {
 protected:
  HostileTest() {
    pending_ = peer_.ends[1]->amRecv();
    peer_.send(peer_.next(core::MessageKind::Credit));
    peer_.progress();
    EXPECT_EQ(pending_->getStatus(), UCS_INPROGRESS);
  }
  ~HostileTest() override {
    pending_ = nullptr;
    peer_.end();
    EXPECT_TRUE(peer_.world.complaints.empty()) << peer_.world.complaints.front();
  }
  static WorkerOptions options() {
    WorkerOptions options;
    options.unexpected_bytes = 1 << 16;
    options.announcements = 4;
    options.fetch_ahead_bytes = 0;  // nothing comes by the time
    options.multi_bytes = 1 << 20;
    options.multi_frames = 64;
    return options;
  }
  /// For the first of the worker's endpoints.
  core::WireHeader next(core::MessageKind kind) {
    core::WireHeader header = peer_.next(kind);
    header.endpoint = core::idOf(first_);
    return header;
  }
  /// A multi-buffer message whose frames come beside it; returns its sequence.
  std::uint64_t sendTable(const std::vector<core::FrameInfo>& frames) {
    std::vector<std::byte> table(core::frameTableBytes(frames.size()));
    core::writeFrameTable(frames, table.data());
    auto multi = next(core::MessageKind::Multi);
    multi.argument = 1;
    multi.length = table.size();
    peer_.send(multi, std::move(table));
    return multi.sequence;
  }
  void expectEnds(ucs_status_t status) {
    for (int i = 0; i < 1000 && !pending_->isCompleted(); ++i) peer_.progress();
    EXPECT_EQ(ucs_status_string(pending_->getStatus()), std::string(ucs_status_string(status)));
    EXPECT_FALSE(peer_.isLinked());
    EXPECT_EQ(peer_.keptAnnouncements(), 0u);
  }

  HostilePeer peer_{options()};
  std::shared_ptr<Request> pending_;
  ucp_ep_h first_ = peer_.ends[0]->getHandle();
};

/// What follows the header of an active message.
inline std::vector<std::byte> prologue(std::size_t user_header) {
  core::AmPrologue prologue;
  prologue.user_header.resize(user_header);
  auto bytes = core::writeAmHeader({}, prologue);
  bytes.erase(bytes.begin(), bytes.begin() + sizeof(core::WireHeader));
  return bytes;
}

}  // namespace ucxx::sim
