// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/proof.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <ucxx/exception.h>

#include "door/wire.h"

namespace ucxx::door {
namespace {

static_assert(sizeof(Proof) == SHA256_DIGEST_LENGTH);

/// No other use of the same secret says this.
constexpr std::string_view kPurpose = "UCXX door proof";

const unsigned char* asChars(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

void Transcript::add(std::span<const std::byte> frame) {
  const auto digest = std::span(digests_).subspan(length_, SHA256_DIGEST_LENGTH);
  const unsigned char* made =
      SHA256(asChars(frame), frame.size(), reinterpret_cast<unsigned char*>(digest.data()));
  if (made == nullptr) throw UnsupportedError("OpenSSL makes no SHA-256");
  length_ += digest.size();
}

Proof prove(const Secret& secret, Prover prover, const Transcript& transcript) {
  std::vector<std::byte> said;
  WireWriter out(said);
  out.put(std::as_bytes(std::span(kPurpose)));
  out.put(kProtocolVersion);
  out.put(static_cast<std::uint8_t>(prover));
  out.put(static_cast<std::uint16_t>(secret.bytes().size()));  // HMAC sees no zeros at its end
  out.put(transcript.digests());
  Proof proof{};
  const auto key = secret.bytes();
  const unsigned char* made =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), asChars(said), said.size(),
           reinterpret_cast<unsigned char*>(proof.data()), nullptr);
  if (made == nullptr) throw UnsupportedError("OpenSSL makes no HMAC-SHA256");
  return proof;
}

bool isProven(const Secret& secret, Prover prover, const Transcript& transcript,
              const Proof& claimed) {
  const Proof right = prove(secret, prover, transcript);
  return CRYPTO_memcmp(right.data(), claimed.data(), right.size()) == 0;
}

void requireProofs(const Secret& secret) {
  Transcript transcript;
  transcript.add({});
  (void)prove(secret, Prover::Caller, transcript);
}

}  // namespace ucxx::door
