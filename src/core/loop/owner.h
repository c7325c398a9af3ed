// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>

#include "base/file_descriptor.h"

namespace ucxx::core {

/// A value that differs between the threads that live at the same time.
inline std::uintptr_t threadToken() noexcept {
  [[gnu::tls_model("initial-exec")]] static constinit thread_local char token = 0;
  return reinterpret_cast<std::uintptr_t>(&token);
}

/// Who owns a loop. One thread at a time; it may enter again from callbacks.
class Owner {
 public:
  explicit Owner(bool single_thread) noexcept : single_thread_(single_thread) {}

  bool isMine() const noexcept { return word_.load(std::memory_order_relaxed) == threadToken(); }
  bool tryEnter() noexcept {
    if (reserved_.load(std::memory_order_relaxed)) return false;
    return enter();
  }
  /// From now on only `enterReserved` lets anybody in: a progress thread starts.
  void reserve() noexcept { reserved_.store(true, std::memory_order_relaxed); }
  void endReservation() noexcept { reserved_.store(false, std::memory_order_relaxed); }
  bool isReserved() const noexcept { return reserved_.load(std::memory_order_relaxed); }
  bool enterReserved() noexcept { return enter(); }
  void leave() noexcept { word_.store(0, std::memory_order_release); }

 private:
  bool enter() noexcept {
    if (single_thread_) {  // nobody else is there: no locked instruction
      word_.store(threadToken(), std::memory_order_relaxed);
      return true;
    }
    std::uintptr_t nobody = 0;
    return word_.load(std::memory_order_relaxed) == 0 &&
           word_.compare_exchange_strong(nobody, threadToken(), std::memory_order_acquire);
  }

  std::atomic<std::uintptr_t> word_{0};
  std::atomic<bool> reserved_{false};
  const bool single_thread_;
};

/// One entry of the calling thread into an owner word.
class Entry {
 public:
  [[gnu::always_inline]] explicit Entry(Owner& owner) noexcept : owner_(owner) {
    if (base::isForkedChild()) return;
    if (owner.isMine())
      kind_ = Kind::Nested;
    else if (owner.tryEnter())
      kind_ = Kind::Entered;
  }
  ~Entry() {
    if (kind_ == Kind::Entered) owner_.leave();
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  bool isOwner() const noexcept { return kind_ != Kind::Refused; }
  bool isNested() const noexcept { return kind_ == Kind::Nested; }
  /// Gives ownership up before the end of the scope.
  void leave() noexcept {
    if (kind_ == Kind::Entered) owner_.leave();
    kind_ = Kind::Refused;
  }

 private:
  enum class Kind : std::uint8_t { Refused, Nested, Entered };
  Owner& owner_;
  Kind kind_ = Kind::Refused;
};

}  // namespace ucxx::core
