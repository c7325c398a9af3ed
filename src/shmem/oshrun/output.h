// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <string_view>

namespace ucxx::shmem::oshrun {

/// Standard output or error of oshrun. What its reader does not take at once waits here, so that a
/// slow reader never keeps oshrun from its PEs.
class Output {
 public:
  explicit Output(int fd) : fd_(fd) {}

  void write(std::string_view text);
  /// Writes what can be written now.
  void flush();
  int descriptor() const noexcept { return fd_; }
  bool isEmpty() const noexcept { return waiting_.empty(); }
  /// So much waits that nothing should be added.
  bool isFull() const noexcept;
  /// Nobody reads any more; what is written is lost.
  bool isBroken() const noexcept { return is_broken_; }
  /// Why it is so, where that is not its reader's wish; 0: it is.
  int error() const noexcept { return error_; }
  /// What waits is lost.
  void drop() noexcept { waiting_.clear(); }

 private:
  bool canWrite() const noexcept;

  int fd_;
  std::string waiting_;
  bool is_broken_ = false;
  int error_ = 0;
};

/// "oshrun: TEXT", a line.
void tell(Output& errors, std::string_view text);

}  // namespace ucxx::shmem::oshrun
