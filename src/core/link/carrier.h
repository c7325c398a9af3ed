// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <span>

#include "core/channel/link_types.h"
#include "core/wire/wire.h"
#include "ucp/worker.h"

namespace ucxx::core {

class Loop;
class Port;
class SendCredit;
struct Operation;

/// @name What carries a send of a link, in how many parts, and who announces it
/// @{
/// Whether it goes at once; else it is announced.
bool isEager(const Port& port, const SendCredit& credit, const Operation& op) noexcept;
/// Bytes of each fragment of what goes at once, but for the last.
std::size_t fragmentOf(const Port& port, const Operation& op) noexcept;
/// The bytes may go through the bulk ring without being announced, as their receiver wants it.
bool mayGoInBulk(const Port& port, const void* buffer, std::size_t size) noexcept;
/// UCX's rendezvous moves what the processor cannot.
bool isAnnouncedByUcx(const Port& port, const Operation& op) noexcept;
inline Carrier carrierOf(const Port& port, const Operation& op) noexcept {
  return isAnnouncedByUcx(port, op) ? Carrier::UcxAnnounced : Carrier::Channel;
}
/// Blocks in memory of a device: what a peer on this machine could do with them. UCX starts here at
/// the latest, where it may be asked for them.
Announces announcesOf(const Loop& loop, std::span<const ucp_dt_iov_t> blocks) noexcept;
/// @}

}  // namespace ucxx::core
