// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/crc32c.h"
#include "door/handshake.h"
#include "door/proof.h"
#include "door/world.h"

namespace ucxx::door::test {

using Bytes = std::vector<std::byte>;
using State = Handshake::State;

inline const Limits kLimits;

inline Handshake caller(const SharedSecret& secret = kSecret) {
  return Handshake::calling(kLimits, makeHello(1), {}, secret.get());
}
inline Handshake answerer(const SharedSecret& secret = kSecret) {
  return Handshake::answering(kLimits, secret.get());
}

/// All that it has to say now.
inline Bytes take(Handshake& handshake) {
  Bytes bytes(handshake.pending().begin(), handshake.pending().end());
  handshake.sent(bytes.size());
  return bytes;
}

/// In pieces of at most `chunk`; what is not wanted is dropped.
inline void feed(Handshake& handshake, std::span<const std::byte> bytes,
                 std::size_t chunk = 1 << 20) {
  while (!bytes.empty() && handshake.wanted() > 0) {
    const std::size_t count = std::min({bytes.size(), handshake.wanted(), chunk});
    handshake.receive(bytes.first(count));
    bytes = bytes.subspan(count);
  }
}

inline Refusal reasonIn(const Bytes& bytes) { return decode(bytes, kLimits).frame.refused.reason; }

/// It was sent away, or sends away, for the secret, and says no more than that.
inline void expectFailed(const Handshake& handshake) {
  EXPECT_EQ(handshake.state(), State::Refused);
  EXPECT_EQ(handshake.refused(), Refused{.reason = Refusal::Authentication});
}

/// The words of two that know the secret, up to the welcome.
struct Conversation {
  Conversation() {
    hello = take(from);
    feed(to, hello);
    challenge = take(to);
    feed(from, challenge);
    proof = take(from);
    feed(to, proof);
    EXPECT_EQ(to.state(), State::Asked);
    to.welcome(makeHello(2));
    welcome = take(to);
  }

  Handshake from = caller();
  Handshake to = answerer();
  Bytes hello, challenge, proof, welcome;  // the welcome with its own proof
};

/// A frame with another byte at `at` of its body, whose checksums are right all the same.
inline Bytes changed(Bytes frame, std::size_t at) {
  const auto put = [&](std::size_t where, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) frame[where + i] = static_cast<std::byte>(value >> (8 * i) & 0xff);
  };
  std::size_t length = 0;
  for (int i = 0; i < 4; ++i) length |= std::to_integer<std::size_t>(frame[12 + i]) << (8 * i);
  frame[kFrameHeaderBytes + at] ^= std::byte{1};
  put(16, base::crc32c(std::span(frame).subspan(kFrameHeaderBytes, length)));
  put(20, base::crc32c(std::span(frame).first(20)));
  return frame;
}

inline std::size_t bodyBytes(const Bytes& frame) { return frame.size() - kFrameHeaderBytes; }
inline constexpr std::size_t kProofFrameBytes = kFrameHeaderBytes + sizeof(Proof);

}  // namespace ucxx::door::test
