// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "core/hostile_local.h"

namespace ucxx::core::test {

/// The worker receives what this peer announces.
class HostileSenderTest : public HostileLocalTest {
 protected:
  std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(payload_.data()); }
  void sendPiece(std::uint64_t number, std::size_t offset, std::size_t size) {
    WireHeader header = peer_->next(MessageKind::Piece);
    header.argument = number;
    peer_->send(header, std::span(payload_).subspan(offset, size));
  }
  /// All that was fetched.
  void sendPieces(std::uint64_t number) {
    constexpr std::size_t kPiece = 16 << 10;
    for (std::size_t offset = 0; offset < kSize; offset += kPiece) {
      sendPiece(number, offset, std::min(kPiece, kSize - offset));
      settle();
    }
  }
  void expectReceived(const Room& room) {
    EXPECT_TRUE(until([&] { return hasEnded(); }));
    EXPECT_EQ(statusOf(request()), ucs_status_string(UCS_OK));
    EXPECT_TRUE(room == payload_);
  }
  void expectRefused(ucs_status_t status) {
    EXPECT_TRUE(until([&] { return hasEnded(); }));
    EXPECT_EQ(statusOf(request()), ucs_status_string(status));
    expectStays();
  }

  /// @name Of the help that the worker has asked for last
  /// @{
  HelpTerms terms() {
    peer_->progress();
    return HelpTerms::read(last(MessageKind::Help).header);
  }
  local::ChunkMemory& words() { return peer_->workersEnd().chunks[terms().slot]; }
  std::uint64_t round() { return terms().round; }
  /// @}

  const std::vector<std::byte> payload_ = bytes(kSize, 7);
};

}  // namespace ucxx::core::test
