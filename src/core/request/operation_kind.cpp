// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/request/operation_kind.h"

#include <fmt/format.h>

namespace ucxx::core {
namespace {

bool hasTag(OperationKind kind) noexcept {
  if (kind == OperationKind::PreparedSend || kind == OperationKind::PreparedRecv || isOfPlan(kind))
    return true;
  return kind == OperationKind::TagSend || kind == OperationKind::TagRecv ||
         kind == OperationKind::ScatterRecv || kind == OperationKind::MultiSend ||
         kind == OperationKind::MultiRecv;
}

}  // namespace

const char* toString(OperationKind kind) noexcept {
  switch (kind) {
    case OperationKind::TagSend:
      return "tag send";
    case OperationKind::TagRecv:
    case OperationKind::ScatterRecv:
      return "tag receive";
    case OperationKind::AmSend:
      return "active-message send";
    case OperationKind::AmRecv:
      return "active-message receive";
    case OperationKind::StreamSend:
      return "stream send";
    case OperationKind::StreamRecv:
      return "stream receive";
    case OperationKind::MultiSend:
      return "multi-buffer send";
    case OperationKind::MultiRecv:
      return "multi-buffer receive";
    case OperationKind::MemPut:
      return "put";
    case OperationKind::MemGet:
      return "get";
    case OperationKind::Atomic:
      return "atomic operation";
    case OperationKind::PreparedSend:
      return "prepared send";
    case OperationKind::PreparedRecv:
      return "prepared receive";
    case OperationKind::PreparedEnd:
      return "end of a prepared transfer";
    case OperationKind::PreparedStart:
      return "start of a prepared transfer";
    case OperationKind::PreparedReady:
      return "partitions of a prepared send";
    case OperationKind::PreparedGroup:
      return "prepared transfers";
    case OperationKind::Flush:
      return "flush";
    case OperationKind::Close:
      return "close";
  }
  return "?";
}

std::string describeTransfer(OperationKind kind, std::size_t length, std::uint64_t tag) {
  if (kind == OperationKind::Flush || kind == OperationKind::Close) return toString(kind);
  std::string text = fmt::format("{}, {} bytes", toString(kind), length);
  if (hasTag(kind)) text += fmt::format(", tag {:#x}", tag);
  if (isOneSided(kind)) text += fmt::format(" at offset {}", tag);
  return text;
}

}  // namespace ucxx::core
