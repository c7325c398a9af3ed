// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "base/completion.h"
#include "base/list.h"
#include "core/onesided/atomic_update.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"

namespace ucxx::core {

class Port;

/// Where in the peer's memory.
struct AccessPlace {
  std::uint64_t name = 0;  // MemoryKey::name
  std::uint64_t offset = 0;
};

/// One-sided operations of the local side on memory of the peer: by plain loads and stores where it
/// is mapped here; by the kernel, inside a machine; else by messages, which the peer serves in
/// their order (served.h). Part of a link.
class Accesses {
 public:
  /// Nothing is begun while so much is under way: messages that have not left, and answers that
  /// have not come. A question is both at first.
  static constexpr std::size_t kMostUnderWay = 128;
  /// After so many bytes the peer is asked whether it has them: they may wait for their turn there.
  static constexpr std::size_t kMostUnsettled = 4 << 20;

  explicit Accesses(Port& port) : port_(port) {}
  Accesses(const Accesses&) = delete;
  Accesses& operator=(const Accesses&) = delete;

  /// Begins `op`, and ends it if it can be ended at once.
  void add(Operation& op);
  /// Does some more of one that has not begun all it is to do; they take turns. Returns the bytes.
  std::size_t work();
  /// Nothing can be begun now.
  bool isQuiet() const noexcept { return active_.empty() || isFull(); }
  bool empty() const noexcept { return active_.empty(); }

  /// Not known of all puts, and atomics that fetch nothing, what became of them.
  bool isUnsettled() const noexcept {
    return unsettled_bytes_ != 0 || settling_ != 0 || refused_ != UCS_OK;
  }
  /// Finds out: a part of `op`, a flush.
  void settle(Operation& op);
  /// Takes back one that has begun nothing.
  void withdraw(Operation& op) noexcept;

  /// Ends one that has begun, or a flush of such, with `status` if there is something of it that
  /// was not begun or is not answered: what still comes for it goes nowhere. False: it has not
  /// ended. Of a put then UCX still has bytes, and it ends, with `status` as well if not all of it
  /// was begun, when they have left.
  bool revoke(Operation& op, ucs_status_t status) noexcept;
  /// The peer's answer to the oldest question. False: it is none.
  [[nodiscard]] bool take(ucs_status_t status, const void* bytes, std::size_t size) noexcept;
  /// The link has ended.
  void end(ucs_status_t status) noexcept;

 private:
  /// What a question is asked for.
  enum class Purpose : std::uint8_t { Bytes, Flush, Room };
  struct Question {
    Purpose purpose;
    Operation* op;       // null: none, or it was revoked
    std::size_t offset;  // of the bytes of the answer, in its buffer
    std::size_t size;    // of the answer
  };
  /// A message that has not left.
  struct Sent final : base::Completion {
    Sent(Accesses& accesses_, Operation* put_) noexcept;
    void ended(ucs_status_t status) noexcept;

    Accesses& accesses;
    WireHeader header;
    Operation* put;  // whose bytes it carries; null: its own, or none
    AtomicUpdate update;
    base::ListNode node;
  };
  /// How an operation goes on.
  enum class Way { None, Here, Kernel, Messages };

  bool isFull() const noexcept {
    return under_way_ >= kMostUnderWay || (unsettled_bytes_ >= kMostUnsettled && settling_ != 0);
  }
  void queue(Operation& op);
  std::size_t goOn(Operation& op);
  std::size_t askWhetherSettled(Operation* flush);
  void settled(const Question& question, ucs_status_t status) noexcept;
  std::size_t begin(Operation& op);
  Way wayOf(Operation& op) const noexcept;
  std::size_t access(Operation& op, std::size_t size) noexcept;
  std::size_t copy(Operation& op, std::size_t size) noexcept;
  std::size_t send(Operation& op, std::size_t size);
  void ask(const Question& question, MessageKind kind, const AccessPlace& place,
           const AtomicUpdate* update);
  void tell(const AccessPlace& place, std::span<const std::byte> bytes, Operation& put);
  void tell(const AccessPlace& place, const AtomicUpdate& update);
  void told(std::size_t bytes);
  Sent& makeMessage(Operation* put);
  void give(Sent& sent, MessageKind kind, const AccessPlace& place, std::size_t length,
            std::span<const std::byte> bytes) noexcept;
  void keepBytesOf(const Operation& put) noexcept;

  Port& port_;
  WaitList active_;                 // with something left to begin, in turn
  std::deque<Question> questions_;  // oldest first
  base::List<Sent, &Sent::node> sent_;
  std::size_t under_way_ = 0;
  std::size_t unsettled_bytes_ = 0;  // sent, not answered, nor asked about
  std::size_t settling_ = 0;         // questions about such
  ucs_status_t refused_ = UCS_OK;    // what became of one that no flush was told of
};

}  // namespace ucxx::core
