// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id128.h"

namespace ucxx::door {

/// What a peer may ask of a door before it is known; all of it can be set per worker.
struct Limits {
  std::size_t hello_bytes = 16 << 10;   ///< a whole frame, its header included
  std::size_t address_bytes = 8 << 10;  ///< the UCX address in it
  int handshake_ms = 2000;              ///< in all, from the moment of `accept`
  int half_open = 128;
  int half_open_per_address = 8;
  int reserved_descriptors = 8;  ///< per process; the first door that listens decides
};

inline constexpr std::size_t kMaxLocalTerms = 256;

/// What two workers tell each other before they trust a byte of what follows. The same fields go
/// both ways; each describes its sender.
struct Hello {
  base::Id128 worker{};     ///< who; never zero (malformed)
  base::Id128 machine{};    ///< a hint: same value, perhaps same machine
  std::uint64_t link = 0;   ///< random name by which the sender wants the link to be called
  std::uint64_t nonce = 0;  ///< random
  /// Answer: which listener was reached; 0 is the worker itself. Caller, over the Unix socket whose
  /// one name serves the whole worker: which one it means; elsewhere it says 0, and nobody looks.
  std::uint64_t listener = 0;
  std::uint64_t unexpected_bytes = 0;  ///< credits that the sender grants
  std::uint32_t announcements = 0;     ///< unmatched announcements that the sender accepts
  std::uint32_t ucx_version = 0;       ///< major << 16 | minor << 8 | release
  /// Where UCX reaches the sender. Empty: over a Unix socket, where nobody looks; and from a caller
  /// that may be local and has not made its UCX yet: Nearer or NeedsUcx is the answer then.
  std::vector<std::byte> ucx_address{};
  /// Caller only: the one worker that it means to reach; zero is whoever listens there. Anybody
  /// else refuses as WrongWorker, and the call goes on to its next address: private addresses (a
  /// bridge, loopback) exist on many machines, and a neighbour's door may answer there first.
  base::Id128 wanted{};
  /// Caller only: it can use the local channel and asks to be told where (Refusal::Nearer); false:
  /// it has tried, or cannot, and goes by TCP.
  bool may_be_local = false;
  /// What the descriptors that come with this are, in the words of the owners; the door only looks
  /// at their length.
  std::vector<std::byte> local_terms{};
  /// Caller with a secret only: random, so that the answerer's proof is of this call. The handshake
  /// sets it; zero says that the caller has none.
  base::Id128 challenge{};

  bool operator==(const Hello&) const = default;
};

enum class Refusal : std::uint32_t {
  Existing = 1,      ///< no failure: `link` of the refusal already joins these two workers
  Version,           ///< another version of the protocol
  Malformed,         ///< checksum, lengths or fields make no sense
  TooLarge,          ///< over a limit
  Busy,              ///< too many half-open connections: call again
  Crossing,          ///< both call each other; the other call stays
  Authentication,    ///< a secret: wrong, missing, or unexpected
  Closing,           ///< the worker is going away
  WrongWorker,       ///< the caller wants somebody else
  Nearer,            ///< both are on one machine: call `local_name`
  NeedsUcx,          ///< no local channel here: call again with a UCX address
  UcxFailed,         ///< UCX does not start at the refuser
  LocalFailed,       ///< the refuser has no room for a local channel
  OtherUser,         ///< the ends of a Unix socket run as different users; the kernel tells both
  NoDescriptors,     ///< the refuser has no room for those that came with the hello
  OutOfDescriptors,  ///< the refuser has none left to take a caller: call again
};
/// Whether the caller may come again.
constexpr bool passes(Refusal reason) noexcept {
  return reason == Refusal::Busy || reason == Refusal::OutOfDescriptors;
}
/// For messages; a reason that only a newer peer knows is "unknown reason".
std::string_view toString(Refusal refusal);

struct Refused {
  Refusal reason = Refusal::Malformed;
  std::uint64_t link = 0;      ///< Existing: the name of the link at the refuser
  std::uint64_t listener = 0;  ///< Existing, Nearer: which listener was reached
  base::Id128 worker{};        ///< Existing: who the refuser is
  base::Id128 local_name{};    ///< Nearer: see `unixAddress`; zero is malformed

  bool operator==(const Refused&) const = default;
};

/// First bytes of every message at the door, in every version of it: magic (8), version (2), kind
/// (2), length of the body (4), CRC-32C of the body (4), CRC-32C of these 20 bytes (4). All
/// integers are little endian.
inline constexpr std::size_t kFrameHeaderBytes = 24;
inline constexpr std::uint16_t kProtocolVersion = 13;

enum class FrameKind : std::uint16_t {
  Hello = 1,
  Welcome = 2,
  Refused = 3,
  Challenge = 4,
  Proof = 5
};

/// That its sender knows the secret, see proof.h.
using Proof = std::array<std::byte, 32>;

struct Frame {
  FrameKind kind = FrameKind::Hello;
  Hello hello;      ///< Hello and Welcome
  Refused refused;  ///< Refused
  base::Id128
      challenge{};  ///< Challenge: what the caller's proof must cover; never zero (malformed)
  Proof proof{};    ///< Proof
};

std::vector<std::byte> encode(FrameKind kind, const Hello& hello);
std::vector<std::byte> encode(const Refused& refused);
std::vector<std::byte> encode(const Proof& proof);
std::vector<std::byte> encodeChallenge(const base::Id128& challenge);

enum class DecodeState { NeedMore, Done, Failed };

struct Decoded {
  DecodeState state = DecodeState::NeedMore;
  std::size_t missing = 0;               ///< when NeedMore: how many bytes at least
  Refusal failure = Refusal::Malformed;  ///< when Failed
  bool stranger = false;                 ///< when Failed: the magic is wrong, so do not even answer
  std::size_t consumed = 0;              ///< when Done
  Frame frame{};                         ///< when Done
};

/// Reads one frame from the front of `bytes`; no I/O, no allocation beyond `limits`. A wrong magic
/// fails at the first byte that differs, so a stranger is sent away at once. Unknown fields at the
/// end of a body (a newer peer's) are skipped.
Decoded decode(std::span<const std::byte> bytes, const Limits& limits);

}  // namespace ucxx::door
