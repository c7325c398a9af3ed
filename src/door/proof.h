// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "door/hello.h"
#include "door/secret.h"

namespace ucxx::door {

/// Whose proof it is: the one cannot be sent back as the other.
enum class Prover : std::uint8_t { Caller = 1, Answerer = 2 };

/// The frames of a handshake so far, in their order and as they were sent, whole: a proof covers
/// every byte of what both have said, and their nonces. Of constant size.
class Transcript {
 public:
  void add(std::span<const std::byte> frame);
  std::span<const std::byte> digests() const noexcept { return std::span(digests_).first(length_); }

 private:
  static constexpr std::size_t kMaxFrames = 3;  // hello, challenge, answer
  std::array<std::byte, kMaxFrames * sizeof(Proof)> digests_{};
  std::size_t length_ = 0;
};

/// HMAC-SHA256 with the secret.
Proof prove(const Secret& secret, Prover prover, const Transcript& transcript);
/// Takes the same time whatever is wrong with `claimed`.
bool isProven(const Secret& secret, Prover prover, const Transcript& transcript,
              const Proof& claimed);
/// Throws `UnsupportedError` when OpenSSL makes no proofs with this secret (a policy of the
/// system).
void requireProofs(const Secret& secret);

}  // namespace ucxx::door
