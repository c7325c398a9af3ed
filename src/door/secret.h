// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace ucxx::door {

/// What the two ends of a handshake prove to each other that they know (docs/how-to/security.md).
/// Its bytes are wiped at its end, and no log line, exception or description has anything of them.
class Secret {
 public:
  static constexpr std::size_t kMinBytes = 16;
  static constexpr std::size_t kMaxBytes = 1024;

  /// Throws `InvalidParamError` for another length, `UnsupportedError` when OpenSSL refuses
  /// HMAC-SHA256 with it. One newline at the end is no part of it. `source` names it in errors.
  Secret(std::span<const std::byte> bytes, const std::string& source);
  ~Secret();
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;

  std::span<const std::byte> bytes() const noexcept { return std::span(bytes_).first(length_); }

 private:
  Secret() = default;

  std::array<std::byte, kMaxBytes> bytes_{};
  std::size_t length_ = 0;
};

using SharedSecret = std::shared_ptr<const Secret>;

/// A regular file, at the end of symbolic links too, that belongs to the effective user or to root
/// and that nobody else may read or write. Throws `InvalidParamError`, which names the file.
SharedSecret readSecretFile(const std::string& path);
/// All of a file, wherever it is read just now, or what comes out of a pipe until its end; whoever
/// opened it vouches for it. It stays open. Throws `InvalidParamError`; also when nothing comes for
/// 5 s.
SharedSecret readSecret(int descriptor);

}  // namespace ucxx::door
