// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/hello.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/crc32c.h"
#include "door/world.h"

namespace ucxx::door::test {
namespace {

using Bytes = std::vector<std::byte>;

void putLittleEndian(Bytes& bytes, std::size_t at, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    bytes.at(at + i) = static_cast<std::byte>(value >> (8 * i) & 0xff);
  }
}

/// Makes both checksums and the length right after a change of the frame.
void seal(Bytes& bytes) {
  const auto body = std::span(bytes).subspan(kFrameHeaderBytes);
  putLittleEndian(bytes, 12, body.size(), 4);
  putLittleEndian(bytes, 16, base::crc32c(body), 4);
  putLittleEndian(bytes, 20, base::crc32c(std::span(bytes).first(20)), 4);
}

Refusal failureOf(std::span<const std::byte> bytes, const Limits& limits = {}) {
  const Decoded decoded = decode(bytes, limits);
  EXPECT_EQ(decoded.state, DecodeState::Failed);
  EXPECT_FALSE(decoded.stranger);
  return decoded.failure;
}

TEST(HelloTest, SurvivesTheWire) {
  Hello hello = makeHello();
  hello.listener = 77;
  hello.wanted = {8, 9};
  hello.may_be_local = true;
  hello.local_terms.assign(kMaxLocalTerms, std::byte{0x17});
  for (const auto kind : {FrameKind::Hello, FrameKind::Welcome}) {
    const auto bytes = encode(kind, hello);
    const Decoded decoded = decode(bytes, {});
    ASSERT_EQ(decoded.state, DecodeState::Done);
    EXPECT_EQ(decoded.consumed, bytes.size());
    EXPECT_EQ(decoded.frame.kind, kind);
    EXPECT_EQ(decoded.frame.hello, hello);
  }
}

TEST(HelloTest, EmptyAddressSurvivesTheWire) {
  Hello hello = makeHello();
  hello.ucx_address.clear();
  EXPECT_EQ(decode(encode(FrameKind::Hello, hello), {}).frame.hello, hello);
}

TEST(HelloTest, RefusalSurvivesTheWire) {
  const Refused refused{Refusal::Nearer, 1, 2, {3, 4}, {5, 6}};
  const Decoded decoded = decode(encode(refused), {});
  ASSERT_EQ(decoded.state, DecodeState::Done);
  EXPECT_EQ(decoded.frame.kind, FrameKind::Refused);
  EXPECT_EQ(decoded.frame.refused, refused);
}

TEST(HelloTest, ReasonOfANewerPeerIsKept) {
  const auto bytes = encode(Refused{.reason = static_cast<Refusal>(4711)});
  const Decoded decoded = decode(bytes, {});
  ASSERT_EQ(decoded.state, DecodeState::Done);
  EXPECT_EQ(static_cast<std::uint32_t>(decoded.frame.refused.reason), 4711u);
  EXPECT_EQ(toString(decoded.frame.refused.reason), "unknown reason");
}

TEST(HelloTest, EachReasonHasItsText) {
  std::set<std::string_view> texts;
  for (std::uint32_t reason = 1; reason <= 13; ++reason) {
    texts.insert(toString(static_cast<Refusal>(reason)));
  }
  EXPECT_EQ(texts.size(), 13u);
  EXPECT_FALSE(texts.contains("unknown reason"));
}

TEST(HelloTest, LayoutNeverChanges) {
  // Other versions of the library read this; a new field goes behind the last one.
  const auto bytes = encode(Refused{Refusal::Busy, 0x1122, 3, {4, 5}, {6, 7}});
  const auto hexOf = [](unsigned byte) {
    constexpr const char* kDigits = "0123456789abcdef";
    return std::string{kDigits[byte >> 4], kDigits[byte & 15]};
  };
  std::string hex;
  for (const std::byte byte : bytes) hex += hexOf(std::to_integer<unsigned>(byte));
  EXPECT_EQ(hex.substr(0, 32), "93554358580d0a1a" + hexOf(kProtocolVersion) + "00030034000000");
  EXPECT_EQ(hex.substr(48),
            "0500000022110000000000000300000000000000"
            "04000000000000000500000000000000"
            "06000000000000000700000000000000");
}

TEST(HelloTest, TruncatedAtEveryByteNeedsMore) {
  const auto bytes = helloBytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const Decoded decoded = decode(std::span(bytes).first(length), {});
    EXPECT_EQ(decoded.state, DecodeState::NeedMore);
    const std::size_t end = length < kFrameHeaderBytes ? kFrameHeaderBytes : bytes.size();
    EXPECT_EQ(decoded.missing, end - length);
  }
}

TEST(HelloTest, EveryFlippedBitFails) {
  auto bytes = helloBytes();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    const Decoded decoded = decode(bytes, {});
    EXPECT_EQ(decoded.state, DecodeState::Failed) << bit;
    EXPECT_EQ(decoded.stranger, bit < 64) << bit;
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

TEST(HelloTest, WrongMagicFailsAtTheFirstByteThatDiffers) {
  const auto bytes = helloBytes();
  for (std::size_t at = 0; at < 8; ++at) {
    Bytes begin(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    begin.back() ^= std::byte{0x20};
    EXPECT_TRUE(decode(begin, {}).stranger) << at;
  }
}

TEST(HelloTest, BytesBehindTheFrameAreLeft) {
  auto bytes = helloBytes();
  const std::size_t length = bytes.size();
  bytes.push_back(std::byte{0xff});
  EXPECT_EQ(decode(bytes, {}).consumed, length);
}

TEST(HelloTest, AnotherVersionFailsBeforeItsBodyIsHere) {
  auto bytes = helloBytes();
  bytes[8] = std::byte{kProtocolVersion + 1};
  bytes[10] = std::byte{99};  // kinds and lengths of other versions mean nothing to us
  seal(bytes);
  EXPECT_EQ(failureOf(std::span(bytes).first(kFrameHeaderBytes)), Refusal::Version);
}

TEST(HelloTest, UnknownKindIsMalformed) {
  auto bytes = helloBytes();
  for (const int kind : {0, 6, 7, 255}) {
    bytes[10] = static_cast<std::byte>(kind);
    seal(bytes);
    EXPECT_EQ(failureOf(bytes), Refusal::Malformed);
  }
}

TEST(HelloTest, LengthsOverTheLimitFailFromTheHeaderAlone) {
  const auto hello = helloBytes();
  Limits limits;
  limits.hello_bytes = hello.size();
  EXPECT_EQ(decode(hello, limits).state, DecodeState::Done);
  for (const std::uint64_t body : {std::uint64_t{hello.size() - kFrameHeaderBytes + 1},
                                   std::uint64_t{1} << 31, (std::uint64_t{1} << 32) - 1}) {
    Bytes header(hello.begin(), hello.begin() + kFrameHeaderBytes);
    putLittleEndian(header, 12, body, 4);
    putLittleEndian(header, 20, base::crc32c(std::span(header).first(20)), 4);
    EXPECT_EQ(failureOf(header, limits), Refusal::TooLarge);
  }
}

TEST(HelloTest, AddressOverTheLimitIsTooLarge) {
  Limits limits;
  limits.address_bytes = 299;
  EXPECT_EQ(failureOf(helloBytes(), limits), Refusal::TooLarge);
  limits.address_bytes = 300;
  EXPECT_EQ(decode(helloBytes(), limits).state, DecodeState::Done);
}

TEST(HelloTest, LocalTermsOverTheLimitAreTooLarge) {
  Hello hello = makeHello();
  hello.local_terms.resize(kMaxLocalTerms + 1);
  EXPECT_EQ(failureOf(encode(FrameKind::Hello, hello)), Refusal::TooLarge);
}

TEST(HelloTest, AnotherTruthThanYesOrNoIsMalformed) {
  auto bytes = helloBytes();
  // Before the length of no local terms, and no challenge.
  bytes.at(bytes.size() - 5 - sizeof(base::Id128)) = std::byte{2};
  seal(bytes);
  EXPECT_EQ(failureOf(bytes), Refusal::Malformed);
}

TEST(HelloTest, NearerWithoutANameIsMalformed) {
  EXPECT_EQ(failureOf(encode(Refused{.reason = Refusal::Nearer})), Refusal::Malformed);
}

TEST(HelloTest, ChallengesAndProofsKeepTheirContent) {
  Hello hello = makeHello();
  hello.challenge = {1, 2};
  EXPECT_EQ(decode(encode(FrameKind::Hello, hello), {}).frame.hello, hello);
  const Frame challenge = decode(encodeChallenge({3, 4}), {}).frame;
  EXPECT_EQ(challenge.kind, FrameKind::Challenge);
  EXPECT_EQ(challenge.challenge, (base::Id128{3, 4}));
  Proof proof;
  for (std::size_t i = 0; i < proof.size(); ++i) proof[i] = static_cast<std::byte>(i);
  const Frame proven = decode(encode(proof), {}).frame;
  EXPECT_EQ(proven.kind, FrameKind::Proof);
  EXPECT_EQ(proven.proof, proof);
}

TEST(HelloTest, ChallengeOfZerosIsMalformed) {
  EXPECT_EQ(failureOf(encodeChallenge({})), Refusal::Malformed);
}

TEST(HelloTest, AddressBeyondTheBodyIsMalformed) {
  auto bytes = helloBytes();
  bytes.pop_back();
  seal(bytes);
  EXPECT_EQ(failureOf(bytes), Refusal::Malformed);
}

TEST(HelloTest, BodyCutAtEveryByteIsMalformed) {
  for (const auto& whole :
       {helloBytes(), encode(Refused{}), encodeChallenge({1, 2}), encode(Proof{})}) {
    for (auto bytes = whole; bytes.size() > kFrameHeaderBytes;) {
      bytes.pop_back();
      seal(bytes);
      EXPECT_EQ(failureOf(bytes), Refusal::Malformed);
    }
  }
}

TEST(HelloTest, FieldsOfANewerPeerAreSkipped) {
  for (auto bytes : {helloBytes(), encode(Refused{.reason = Refusal::Busy})}) {
    const Frame frame = decode(bytes, {}).frame;
    bytes.insert(bytes.end(), 40, std::byte{0xee});
    seal(bytes);
    const Decoded decoded = decode(bytes, {});
    ASSERT_EQ(decoded.state, DecodeState::Done);
    EXPECT_EQ(decoded.consumed, bytes.size());
    EXPECT_EQ(decoded.frame.hello, frame.hello);
    EXPECT_EQ(decoded.frame.refused, frame.refused);
  }
}

TEST(HelloTest, WorkerWithoutANameIsMalformed) {
  Hello hello = makeHello();
  hello.worker = {};
  EXPECT_EQ(failureOf(encode(FrameKind::Hello, hello)), Refusal::Malformed);
}

TEST(HelloTest, RefusalWithoutAReasonIsMalformed) {
  EXPECT_EQ(failureOf(encode(Refused{.reason = Refusal{}})), Refusal::Malformed);
}

}  // namespace
}  // namespace ucxx::door::test
