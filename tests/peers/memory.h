// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ucxx/buffer.h>

namespace ucxx::peers {

/// The bytes of a numbered message: no shift, zero, or (of 8 bytes and more) other number passes
/// for them.
void writePayload(std::byte* to, std::size_t size, std::uint64_t number);
/// Whether these are its bytes from `offset` on.
bool isPayload(const std::byte* bytes, std::size_t size, std::uint64_t number,
               std::size_t offset = 0);

/// For people.
std::string whatIsWrong(const std::byte* bytes, std::size_t size, std::uint64_t number);

/// A buffer between two guards, in the library's memory, which peers map, or in our own. All of it
/// is a pattern while nobody may write there.
class Block {
 public:
  Block(std::size_t size, bool is_librarys);
  std::byte* data() { return bytes_.data() + kGuard; }
  const std::byte* data() const { return bytes_.data() + kGuard; }
  std::size_t size() const { return bytes_.size() - 2 * kGuard; }
  bool isMapped() const { return librarys_ != nullptr; }
  /// Nobody may write there from now on. False: the guards had changed.
  [[nodiscard]] bool close();
  /// Nobody has written.
  bool isUntouched() const;

 private:
  static constexpr std::size_t kGuard = 64;
  std::vector<std::byte> own_;
  std::unique_ptr<HostBuffer> librarys_;
  std::span<std::byte> bytes_;
};

/// Buffers for transfers. One whose request has ended is filled with the pattern at once, and must
/// keep it until it is used again, and at each look.
class Pool {
 public:
  std::unique_ptr<Block> take(std::size_t size);
  void give(std::unique_ptr<Block> block);
  /// Looks at those of one size.
  void look(std::size_t size);
  /// How often somebody had written where nobody may.
  std::size_t lateWrites() const { return late_writes_; }

 private:
  std::map<std::size_t, std::deque<std::unique_ptr<Block>>> resting_;
  std::size_t late_writes_ = 0;
  std::size_t made_ = 0;
};

}  // namespace ucxx::peers
