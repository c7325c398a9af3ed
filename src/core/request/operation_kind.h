// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ucxx::core {

/// What an operation does. A new kind needs: its place in the functions below, and in `toString`
/// and `describeTransfer` (operation_kind.cpp); its actions (worker/operation_table.cpp, which
/// looks that none is missing); an `OperationExtra` for what it alone has, with `again` if a
/// condition may repeat it; the call that posts it (src/api). If it sends a message: `messageOf`
/// (operation.h), a `MessageKind` (wire.h), and `account` and `dispatch` (link/link_receive.cpp).
/// If it receives one that can be given back: `kindOf` (match/give_back.cpp).
enum class OperationKind : std::uint8_t {
  TagSend,
  TagRecv,
  ScatterRecv,  // a tag receive into several blocks, or into memory of a device
  AmSend,
  AmRecv,
  StreamSend,
  StreamRecv,
  MultiSend,
  MultiRecv,
  MemPut,
  MemGet,
  Atomic,
  PreparedSend,  // bytes of an iteration
  PreparedRecv,
  PreparedEnd,    // waits for the end of an iteration, or of the plan
  PreparedStart,  // begins an iteration, when the one before has ended, and waits for its end
  PreparedReady,  // makes partitions ready
  PreparedGroup,  // starts, or ends, of several plans that were posted as one
  Flush,
  Close,
};
inline constexpr std::size_t kOperationKinds = static_cast<std::size_t>(OperationKind::Close) + 1;
constexpr bool isOneSided(OperationKind kind) noexcept {
  return kind == OperationKind::MemPut || kind == OperationKind::MemGet ||
         kind == OperationKind::Atomic;
}
/// A flush waits for it, and a close.
constexpr bool isOutgoing(OperationKind kind) noexcept {
  return kind == OperationKind::TagSend || kind == OperationKind::AmSend ||
         kind == OperationKind::StreamSend || kind == OperationKind::MultiSend ||
         kind == OperationKind::PreparedSend || isOneSided(kind);
}
constexpr bool isReceive(OperationKind kind) noexcept {
  return kind == OperationKind::TagRecv || kind == OperationKind::ScatterRecv ||
         kind == OperationKind::AmRecv || kind == OperationKind::StreamRecv ||
         kind == OperationKind::MultiRecv;
}
/// A request of a plan, which has a `PlanExtra`.
constexpr bool isOfPlan(OperationKind kind) noexcept {
  return kind == OperationKind::PreparedEnd || kind == OperationKind::PreparedStart ||
         kind == OperationKind::PreparedReady;
}
/// For people.
const char* toString(OperationKind kind) noexcept;
/// What an operation moves, for people: "tag send, 8 bytes, tag 0x2"; a flush and a close move
/// nothing. `tag` of a one-sided operation is its offset in the remote memory.
std::string describeTransfer(OperationKind kind, std::size_t length, std::uint64_t tag);

}  // namespace ucxx::core
