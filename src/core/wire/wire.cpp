// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/wire/wire.h"

#include <bit>
#include <cstring>

namespace ucxx::core {
namespace {

struct RawPrologue {
  std::uint8_t memory_type;
  std::uint8_t policy;
  std::uint8_t has_callback;
  std::uint8_t owner_bytes;
  std::uint32_t user_header_bytes;
  std::uint64_t callback_id;
};
static_assert(sizeof(RawPrologue) == 16);

struct RawFrame {
  std::uint64_t size;
  std::uint32_t cuda;
  std::uint32_t packed;
};
static_assert(sizeof(RawFrame) == kFrameInfoBytes);

constexpr WireHeader kSample{1, 2, 3, 4, 5, MessageKind::Fragment, 1, 0, 0};
static_assert(std::bit_cast<HeaderWords>(kSample) ==
              HeaderWords{1, 2, 3, 4, lastWord(5, MessageKind::Fragment, true)});

std::string_view ownerOf(const AmPrologueView& prologue) noexcept {
  return prologue.callback != nullptr ? prologue.callback->owner.data() : std::string_view();
}

bool isValid(const RawPrologue& raw, std::size_t rest) {
  return raw.memory_type < UCS_MEMORY_TYPE_LAST && raw.policy <= 1 && raw.has_callback <= 1 &&
         raw.owner_bytes <= AmReceiverCallbackOwnerMaxLen &&
         rest == std::size_t{raw.owner_bytes} + raw.user_header_bytes;
}

}  // namespace

std::optional<WireHeader> readHeader(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < sizeof(WireHeader)) return std::nullopt;
  WireHeader header;  // copied before it is checked: a peer may still change the bytes
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto kind = static_cast<std::uint8_t>(header.kind);
  if (kind == 0 || kind > kLastMessageKind) return std::nullopt;
  constexpr auto kMostAnnounced = static_cast<std::uint8_t>(Announces::OnDeviceByHandle);
  if (header.sender_opened > 1 || header.announces > kMostAnnounced || header.stays > 1)
    return std::nullopt;
  if (header.kind != MessageKind::Am && bytes.size() != sizeof header) return std::nullopt;
  return header;
}

std::size_t prologueBytes(const AmPrologueView& prologue) noexcept {
  return sizeof(RawPrologue) + ownerOf(prologue).size() + prologue.user_header.size();
}

void writePrologue(const AmPrologueView& prologue, std::byte* out) noexcept {
  const std::string_view owner = ownerOf(prologue);
  RawPrologue raw{};
  raw.memory_type = static_cast<std::uint8_t>(prologue.memory_type);
  raw.policy = static_cast<std::uint8_t>(prologue.policy);
  raw.has_callback = prologue.callback != nullptr;
  raw.owner_bytes = static_cast<std::uint8_t>(owner.size());
  raw.user_header_bytes = static_cast<std::uint32_t>(prologue.user_header.size());
  raw.callback_id = prologue.callback != nullptr ? prologue.callback->id : 0;
  std::memcpy(out, &raw, sizeof raw);
  out += sizeof raw;
  if (!owner.empty()) std::memcpy(out, owner.data(), owner.size());
  out += owner.size();
  if (!prologue.user_header.empty())
    std::memcpy(out, prologue.user_header.data(), prologue.user_header.size());
}

std::vector<std::byte> writeAmHeader(const WireHeader& header, const AmPrologue& prologue) {
  std::vector<std::byte> out(sizeof header + prologueBytes(prologue));
  std::memcpy(out.data(), &header, sizeof header);
  writePrologue(prologue.view(), out.data() + sizeof header);
  return out;
}

bool isPlainPrologue(std::span<const std::byte> bytes) noexcept {
  RawPrologue raw;
  if (bytes.size() != sizeof raw) return false;
  std::memcpy(&raw, bytes.data(), sizeof raw);
  return isValid(raw, 0) && raw.has_callback == 0;
}

std::optional<AmPrologue> readAmPrologue(std::span<const std::byte> bytes) {
  RawPrologue raw;
  if (bytes.size() < sizeof raw) return std::nullopt;
  std::memcpy(&raw, bytes.data(), sizeof raw);
  if (!isValid(raw, bytes.size() - sizeof raw)) return std::nullopt;
  const char* text = reinterpret_cast<const char*>(bytes.data()) + sizeof raw;
  AmPrologue prologue;
  prologue.memory_type = static_cast<ucs_memory_type_t>(raw.memory_type);
  prologue.policy = static_cast<AmSendMemoryTypePolicy>(raw.policy);
  if (raw.has_callback != 0)
    prologue.callback.emplace(std::string_view(text, raw.owner_bytes), raw.callback_id);
  prologue.user_header.assign(text + raw.owner_bytes, raw.user_header_bytes);
  return prologue;
}

std::size_t frameTableBytes(std::size_t frames) noexcept {
  return kTableHeaderBytes + frames * kFrameInfoBytes;
}

void writeFrameTable(std::span<const FrameInfo> frames, std::byte* out) noexcept {
  const std::uint64_t count = frames.size();
  std::memcpy(out, &count, sizeof count);
  out += kTableHeaderBytes;
  for (const FrameInfo& frame : frames) {
    const RawFrame raw{frame.size, frame.cuda, frame.packed};
    std::memcpy(out, &raw, sizeof raw);
    out += sizeof raw;
  }
}

std::optional<std::vector<FrameInfo>> readFrameTable(std::span<const std::byte> payload,
                                                     const MultiLimits& limits) {
  std::uint64_t count = 0;
  if (payload.size() < kTableHeaderBytes) return std::nullopt;
  std::memcpy(&count, payload.data(), sizeof count);
  if (count > limits.frames || payload.size() < frameTableBytes(count)) return std::nullopt;
  std::vector<FrameInfo> frames(count);
  std::uint64_t total = 0, packed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    RawFrame raw;
    std::memcpy(&raw, payload.data() + frameTableBytes(i), sizeof raw);
    if (raw.cuda > 1 || raw.packed > 1 || raw.size > limits.bytes - total) return std::nullopt;
    total += raw.size;
    if (raw.packed != 0) packed += raw.size;
    frames[i] = {raw.size, raw.cuda != 0, raw.packed != 0};
  }
  if (packed != payload.size() - frameTableBytes(count)) return std::nullopt;
  return frames;
}

}  // namespace ucxx::core
