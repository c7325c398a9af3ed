// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <ucs/type/status.h>

#include "base/list.h"
#include "core/channel/incoming.h"
#include "local/chunks.h"

namespace ucxx::core {

class Port;
struct Fetch;

/// The receiving half of a rendezvous inside a machine: payloads that the receiver copies out of
/// their sender's memory, chunk by chunk in the rounds of the loop, while the sender copies from
/// the other end if it is there. Where a copy fails, the payload comes in pieces instead
/// (grants.h). Part of a link.
class Copies {
 public:
  explicit Copies(Port& port) noexcept : port_(port) {}
  ~Copies();
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  /// How the payload of an announcement could be copied into `buffer`.
  enum class Way {
    None,
    Kernel,  ///< by system calls
    Mapped,  ///< out of library memory; without the kernel, into it as well
  };
  Way wayOf(const Announcement& announcement, const void* buffer, std::size_t size) const noexcept;
  /// The payload of `announcement`, `size` bytes and not none, comes into `buffer` in such a way;
  /// `fetch` is told when all of it is there.
  void add(const Announcement& announcement, void* buffer, std::size_t size, Fetch& fetch);
  /// Copies the next chunk, if there is one, and ends what is whole. Returns the bytes copied.
  std::size_t work();
  /// Another payload has its turn.
  void turn() noexcept;
  /// There is nothing to do before a helper has finished.
  bool isQuiet() noexcept;
  bool empty() const noexcept { return copying_.empty() && waiting_.empty(); }
  /// The sender of the last payload that it could help to copy has done so.
  bool wasHelped() const noexcept { return was_helped_; }
  /// The copies for these fetches stop, and end with `status`: at once, or when their helper
  /// does not touch the buffer any more.
  void revoke(const std::function<bool(const Fetch&)>& chosen, ucs_status_t status);
  /// The link has ended: so do all of them, in the same way.
  void end(ucs_status_t status) noexcept;
  /// The loop ends: no helper is waited for any longer.
  void abandon() noexcept;

 private:
  struct Copy {
    std::uint64_t number = 0;  // of the announcement
    std::uint64_t from = 0;
    std::byte* to = nullptr;
    std::size_t size = 0;
    std::size_t chunk_bytes = 0;
    local::ChunkOwner chunks;
    int slot = -1;  // none lent
    Fetch* fetch = nullptr;
    ucs_status_t status = UCS_OK;  // else: stopped, to end with it
    bool failed = false;           // to be fetched in pieces
    bool waits = false;            // in which list it is
    bool can_read = true;          // else its helper copies all
    base::ListNode node{};
  };
  using List = base::List<Copy, &Copy::node>;

  bool comesTooLate(const Copy& copy) const noexcept;
  bool mayLend(const Copy& copy) const noexcept;
  void lend(Copy& copy);
  Copy* next() noexcept;
  bool copyChunk(Copy& copy, std::uint32_t chunk) noexcept;
  void wait(Copy& copy) noexcept;
  void stop(Copy& copy, ucs_status_t status) noexcept;
  Copy* findStopped() noexcept;
  Copy* findUntouched() noexcept;
  bool isTouched(Copy& copy) noexcept;
  void settle(Copy& copy);
  void finish(Copy& copy);
  Copy take(Copy& copy) noexcept;

  Port& port_;
  List copying_;             // with chunks that are free, oldest first
  List waiting_;             // all chunks are taken, perhaps some by a helper that has not finished
  std::uint32_t lent_ = 0;   // chunk words in use, a bit each
  std::uint16_t round_ = 0;  // the last one
  bool was_helped_ = false;
  unsigned looks_ = 0;
};

}  // namespace ucxx::core
