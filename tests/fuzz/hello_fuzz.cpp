// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What a stranger may send to the door: frames, and whole handshakes cut anywhere. The first byte
// of the input says which and how; the rest is what arrives. Frames also run with their checksums
// made right, or nothing behind the checksums would ever be reached. Behind a secret nobody comes
// who does not know it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "base/crc32c.h"
#include "door/handshake.h"
#include "door/hello.h"
#include "fuzz/require.h"

namespace {

using namespace ucxx::door;
using ucxx::fuzz::require;
using Bytes = std::vector<std::byte>;

const Limits kLimits{.hello_bytes = 2048, .address_bytes = 512};

void putWord(Bytes& bytes, std::size_t at, std::size_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

void seal(Bytes& bytes) {
  if (bytes.size() < kFrameHeaderBytes) return;
  const auto genuine = encode(Refused{});
  std::copy_n(genuine.begin(), 10, bytes.begin());  // magic and version
  const auto body = std::span(bytes).subspan(kFrameHeaderBytes);
  putWord(bytes, 12, body.size());
  putWord(bytes, 16, ucxx::base::crc32c(body));
  putWord(bytes, 20, ucxx::base::crc32c(std::span(bytes).first(20)));
}

Bytes encodeAgain(const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::Hello:
    case FrameKind::Welcome:
      return encode(frame.kind, frame.hello);
    case FrameKind::Refused:
      return encode(frame.refused);
    case FrameKind::Challenge:
      return encodeChallenge(frame.challenge);
    case FrameKind::Proof:
      return encode(frame.proof);
  }
  std::abort();
}

void tryDecode(std::span<const std::byte> bytes) {
  const Decoded decoded = decode(bytes, kLimits);
  if (decoded.state == DecodeState::NeedMore) {
    require(decoded.missing > 0 && bytes.size() + decoded.missing <= kLimits.hello_bytes);
  }
  if (decoded.state != DecodeState::Done) return;
  require(decoded.consumed <= bytes.size() && decoded.consumed <= kLimits.hello_bytes);
  const Decoded again = decode(encodeAgain(decoded.frame), kLimits);
  require(again.state == DecodeState::Done && again.frame.kind == decoded.frame.kind);
  require(again.frame.hello == decoded.frame.hello);
  require(again.frame.refused == decoded.frame.refused);
  require(again.frame.challenge == decoded.frame.challenge);
  require(again.frame.proof == decoded.frame.proof);
}

void answerIfAsked(Handshake& handshake, bool welcome) {
  if (handshake.state() != Handshake::State::Asked) return;
  require(static_cast<bool>(handshake.hello().worker));
  if (welcome) {
    handshake.welcome(handshake.hello());
  } else {
    handshake.refuse({.reason = Refusal::Closing});
  }
}

void requireNothingBelieved(const Handshake& handshake) {
  using State = Handshake::State;
  require(handshake.state() != State::Asked && handshake.state() != State::Established);
  const Refused& refused = handshake.refused();
  require(refused == Refused{.reason = refused.reason});
}

void tryHandshake(std::span<const std::byte> bytes, const Secret* secret, bool calling,
                  bool welcome, std::size_t chunk) {
  Hello hello;
  hello.worker = {1, 2};
  auto handshake = calling ? Handshake::calling(kLimits, hello, {}, secret)
                           : Handshake::answering(kLimits, secret);
  while (!bytes.empty() && handshake.wanted() > 0) {
    const std::size_t count = std::min({bytes.size(), handshake.wanted(), chunk});
    require(count <= kLimits.hello_bytes);
    handshake.receive(bytes.first(count));
    bytes = bytes.subspan(count);
    if (secret != nullptr) requireNothingBelieved(handshake);
    answerIfAsked(handshake, welcome);
    handshake.sent(std::min(chunk, handshake.pending().size()));
  }
  handshake.sent(handshake.pending().size());
  require(handshake.pending().empty());
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned mode = data[0];
  const auto input = std::as_bytes(std::span(data, size)).subspan(1);
  Bytes bytes(input.begin(), input.end());
  if ((mode & 1) != 0) seal(bytes);
  tryDecode(bytes);
  static const std::string_view text = "that nobody guesses";
  static const Secret secret(std::as_bytes(std::span(text)), "the fuzzer's");
  for (const Secret* const each : {static_cast<const Secret*>(nullptr), &secret})
    tryHandshake(bytes, each, (mode & 2) != 0, (mode & 4) != 0, 1 + (mode >> 3));
  return 0;
}
