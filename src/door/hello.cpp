// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/hello.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/crc32c.h"
#include "door/wire.h"

namespace ucxx::door {
namespace {

// No text protocol and no TLS record begins like this, and a transfer in text mode would break it.
constexpr std::array<std::byte, 8> kMagic{std::byte{0x93}, std::byte{'U'}, std::byte{'C'},
                                          std::byte{'X'},  std::byte{'X'}, std::byte{'\r'},
                                          std::byte{'\n'}, std::byte{0x1a}};
constexpr std::size_t kCheckedHeaderBytes = kFrameHeaderBytes - sizeof(std::uint32_t);

struct Header {
  std::uint16_t version = 0;
  std::uint16_t kind = 0;
  std::uint32_t body_bytes = 0;
  std::uint32_t body_crc = 0;
};

std::vector<std::byte> frame(FrameKind kind, const std::vector<std::byte>& body) {
  std::vector<std::byte> bytes(kMagic.begin(), kMagic.end());
  bytes.reserve(kFrameHeaderBytes + body.size());
  WireWriter out(bytes);
  out.put(kProtocolVersion);
  out.put(static_cast<std::uint16_t>(kind));
  out.put(static_cast<std::uint32_t>(body.size()));
  out.put(base::crc32c(body));
  out.put(base::crc32c(bytes));
  out.put(std::span<const std::byte>(body));
  return bytes;
}

bool beginsLikeMagic(std::span<const std::byte> bytes) {
  const std::size_t known = std::min(bytes.size(), kMagic.size());
  return std::equal(kMagic.begin(), kMagic.begin() + static_cast<std::ptrdiff_t>(known),
                    bytes.begin());
}

/// False if the checksum says that this is no header.
bool readHeader(std::span<const std::byte> bytes, Header& header) {
  WireReader in(bytes.subspan(kMagic.size()));
  header.version = in.get<std::uint16_t>();
  header.kind = in.get<std::uint16_t>();
  header.body_bytes = in.get<std::uint32_t>();
  header.body_crc = in.get<std::uint32_t>();
  return in.get<std::uint32_t>() == base::crc32c(bytes.first(kCheckedHeaderBytes));
}

bool isKnownKind(std::uint16_t kind) {
  return kind >= static_cast<std::uint16_t>(FrameKind::Hello) &&
         kind <= static_cast<std::uint16_t>(FrameKind::Proof);
}

Decoded needMore(std::size_t missing) {
  Decoded decoded;
  decoded.missing = missing;
  return decoded;
}

Decoded failed(Refusal failure, bool stranger = false) {
  Decoded decoded;
  decoded.state = DecodeState::Failed;
  decoded.failure = failure;
  decoded.stranger = stranger;
  return decoded;
}

// Each reads a part of a Hello; the failure, or none.

Refusal readAddress(WireReader& in, const Limits& limits, Hello& hello) {
  const auto count = in.get<std::uint32_t>();
  if (count > limits.address_bytes) return Refusal::TooLarge;
  const auto address = in.bytes(count);
  hello.ucx_address.assign(address.begin(), address.end());
  return Refusal{};
}

Refusal readLocal(WireReader& in, Hello& hello) {
  const auto may_be_local = in.get<std::uint8_t>();
  if (may_be_local > 1) return Refusal::Malformed;
  hello.may_be_local = may_be_local == 1;
  const auto count = in.get<std::uint32_t>();
  if (count > kMaxLocalTerms) return Refusal::TooLarge;
  const auto terms = in.bytes(count);
  hello.local_terms.assign(terms.begin(), terms.end());
  return Refusal{};
}

Decoded readHello(WireReader in, const Limits& limits) {
  Decoded decoded;
  Hello& hello = decoded.frame.hello;
  hello.worker = in.id();
  hello.machine = in.id();
  hello.wanted = in.id();
  hello.link = in.get<std::uint64_t>();
  hello.nonce = in.get<std::uint64_t>();
  hello.listener = in.get<std::uint64_t>();
  hello.unexpected_bytes = in.get<std::uint64_t>();
  hello.announcements = in.get<std::uint32_t>();
  hello.ucx_version = in.get<std::uint32_t>();
  Refusal failure = readAddress(in, limits, hello);
  if (failure == Refusal{}) failure = readLocal(in, hello);
  if (failure != Refusal{}) return failed(failure);
  hello.challenge = in.id();
  if (!in.ok() || !hello.worker) return failed(Refusal::Malformed);
  decoded.state = DecodeState::Done;
  return decoded;
}

Decoded readRefused(WireReader in) {
  Decoded decoded;
  Refused& refused = decoded.frame.refused;
  refused.reason = static_cast<Refusal>(in.get<std::uint32_t>());
  refused.link = in.get<std::uint64_t>();
  refused.listener = in.get<std::uint64_t>();
  refused.worker = in.id();
  refused.local_name = in.id();
  if (!in.ok() || refused.reason == Refusal{}) return failed(Refusal::Malformed);
  if (refused.reason == Refusal::Nearer && !refused.local_name) return failed(Refusal::Malformed);
  decoded.state = DecodeState::Done;
  return decoded;
}

Decoded readChallenge(WireReader in) {
  Decoded decoded;
  decoded.frame.challenge = in.id();
  if (!in.ok() || !decoded.frame.challenge) return failed(Refusal::Malformed);
  decoded.state = DecodeState::Done;
  return decoded;
}

Decoded readProof(WireReader in) {
  Decoded decoded;
  const auto proof = in.bytes(sizeof(Proof));
  if (!in.ok()) return failed(Refusal::Malformed);
  std::copy(proof.begin(), proof.end(), decoded.frame.proof.begin());
  decoded.state = DecodeState::Done;
  return decoded;
}

Decoded readFields(FrameKind kind, WireReader in, const Limits& limits) {
  switch (kind) {
    case FrameKind::Hello:
    case FrameKind::Welcome:
      return readHello(in, limits);
    case FrameKind::Refused:
      return readRefused(in);
    case FrameKind::Challenge:
      return readChallenge(in);
    case FrameKind::Proof:
      return readProof(in);
  }
  return failed(Refusal::Malformed);
}

Decoded readBody(FrameKind kind, std::span<const std::byte> body, const Limits& limits) {
  Decoded decoded = readFields(kind, WireReader(body), limits);
  decoded.frame.kind = kind;
  return decoded;
}

}  // namespace

std::string_view toString(Refusal refusal) {
  switch (refusal) {
    case Refusal::Existing:
      return "the two are already linked";
    case Refusal::Version:
      return "another version of the protocol";
    case Refusal::Malformed:
      return "malformed hello";
    case Refusal::TooLarge:
      return "hello over a limit";
    case Refusal::Busy:
      return "the peer's door is busy: too many strangers";
    case Refusal::Crossing:
      return "a crossing call stays";
    case Refusal::Authentication:
      return "authentication failed";
    case Refusal::Closing:
      return "the worker is closing";
    case Refusal::WrongWorker:
      return "another worker answered";
    case Refusal::Nearer:
      return "both are on one machine";
    case Refusal::NeedsUcx:
      return "only UCX leads there";
    case Refusal::UcxFailed:
      return "UCX does not start at the peer";
    case Refusal::LocalFailed:
      return "the peer has no room for a local channel";
    case Refusal::OtherUser:
      return "another user";
    case Refusal::NoDescriptors:
      return "the peer has no file descriptors left";
    case Refusal::OutOfDescriptors:
      return "the peer has no file descriptors left: raise its limit (ulimit -n)";
  }
  return "unknown reason";
}

std::vector<std::byte> encode(FrameKind kind, const Hello& hello) {
  std::vector<std::byte> body;
  WireWriter out(body);
  out.put(hello.worker);
  out.put(hello.machine);
  out.put(hello.wanted);
  out.put(hello.link);
  out.put(hello.nonce);
  out.put(hello.listener);
  out.put(hello.unexpected_bytes);
  out.put(hello.announcements);
  out.put(hello.ucx_version);
  out.put(static_cast<std::uint32_t>(hello.ucx_address.size()));
  out.put(std::span<const std::byte>(hello.ucx_address));
  out.put(static_cast<std::uint8_t>(hello.may_be_local));
  out.put(static_cast<std::uint32_t>(hello.local_terms.size()));
  out.put(std::span<const std::byte>(hello.local_terms));
  out.put(hello.challenge);
  return frame(kind, body);
}

std::vector<std::byte> encode(const Refused& refused) {
  std::vector<std::byte> body;
  WireWriter out(body);
  out.put(static_cast<std::uint32_t>(refused.reason));
  out.put(refused.link);
  out.put(refused.listener);
  out.put(refused.worker);
  out.put(refused.local_name);
  return frame(FrameKind::Refused, body);
}

std::vector<std::byte> encode(const Proof& proof) {
  return frame(FrameKind::Proof, {proof.begin(), proof.end()});
}

std::vector<std::byte> encodeChallenge(const base::Id128& challenge) {
  std::vector<std::byte> body;
  WireWriter(body).put(challenge);
  return frame(FrameKind::Challenge, body);
}

// The order is the point: magic, header checksum, version, kind, length, body checksum, and only
// then a field. The version comes before kind and length, whose meaning may change with it.
Decoded decode(std::span<const std::byte> bytes, const Limits& limits) {
  if (!beginsLikeMagic(bytes)) return failed(Refusal::Malformed, true);
  if (bytes.size() < kFrameHeaderBytes) return needMore(kFrameHeaderBytes - bytes.size());
  Header header;
  if (!readHeader(bytes, header)) return failed(Refusal::Malformed);
  if (header.version != kProtocolVersion) return failed(Refusal::Version);
  if (!isKnownKind(header.kind)) return failed(Refusal::Malformed);
  const std::size_t total = kFrameHeaderBytes + header.body_bytes;
  if (total > limits.hello_bytes) return failed(Refusal::TooLarge);
  if (bytes.size() < total) return needMore(total - bytes.size());
  const auto body = bytes.subspan(kFrameHeaderBytes, header.body_bytes);
  if (base::crc32c(body) != header.body_crc) return failed(Refusal::Malformed);
  Decoded decoded = readBody(static_cast<FrameKind>(header.kind), body, limits);
  if (decoded.state == DecodeState::Done) decoded.consumed = total;
  return decoded;
}

}  // namespace ucxx::door
