// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <ucxx/export.h>

namespace ucxx {

/// Frames that one `Header` describes.
static constexpr std::size_t HeaderFramesSize = 100;  // NOLINT(readability-identifier-naming)

/// A table of frames as fixed-size bytes, for programs that send their own multi-buffer messages.
/// `tagMultiSend` does not use it. The bytes are of this machine: byte order and sizes of types.
class UCXX_PUBLIC Header {
 public:
  /// The first `nframes` of both arrays. More than `HeaderFramesSize` throw `std::overflow_error`.
  Header(bool next, std::size_t nframes, const int* is_cuda, const std::size_t* size);
  /// From `serialize()`'s bytes; anything else throws `std::overflow_error`.
  explicit Header(const std::string& serialized);

  /// Length of what `serialize` returns.
  static std::size_t dataSize() noexcept;
  std::string serialize() const;
  /// As many headers as it takes, `next` set in all but the last. Vectors of unequal length throw
  /// `std::length_error`.
  static std::vector<Header> buildHeaders(const std::vector<std::size_t>& size,
                                          const std::vector<int>& is_cuda);

  bool next;            ///< another header follows
  std::size_t nframes;  ///< entries used in the arrays
  std::array<int, HeaderFramesSize> isCUDA{};
  std::array<std::size_t, HeaderFramesSize> size{};
};

}  // namespace ucxx
