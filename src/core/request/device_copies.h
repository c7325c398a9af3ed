// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include <ucxx/export.h>

#include "base/clock.h"
#include "base/completion.h"
#include "base/list.h"
#include "core/loop/loop.h"
#include "core/loop/rooms.h"
#include "core/loop/watch.h"

struct CUctx_st;     // what CUcontext points to
struct CUevent_st;   // what CUevent points to
struct CUstream_st;  // what cudaStream_t and CUstream point to

namespace ucxx::core {

/// What a stream of the program's has still to do with memory before a copy may write there: an
/// event, which loops ask about. No stream of the library waits for it: that could wait for ever.
class CopyGate {
 public:
  /// Opens behind what is in `stream` now, whose context is current. Throws what the driver says.
  UCXX_PUBLIC static std::shared_ptr<CopyGate> behind(CUstream_st* stream);
  ~CopyGate();
  CopyGate(const CopyGate&) = delete;
  CopyGate& operator=(const CopyGate&) = delete;

  /// Also after an error: then the copy fails. The driver is asked now and then.
  bool isOpen(base::TimePoint now) noexcept;

 private:
  CopyGate(CUctx_st* context, CUevent_st* event) noexcept : context_(context), event_(event) {}

  CUctx_st* const context_;
  CUevent_st* const event_;
  base::TimePoint ask_at_{};
  bool is_open_ = false;
};

/// Bytes on their way between memory of the host and memory of a device, or of two devices'. All of
/// it stays where it is until `done` was told.
struct DeviceCopy : base::Completion {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t size = 0;       // 0: its end is that the gate is open
  bool is_to_device = false;  // `to` was in memory of a device when it was posted
  bool is_from_device = false;
  std::shared_ptr<CopyGate> gate{};  // null: nothing is waited for; so it is when it has begun
  /// The library's memory of the host that it needs; nobody else gets it where a device that is
  /// stuck may still use it.
  std::shared_ptr<void> held{};
  base::ListNode node{};  // of those that have not begun
};

/// The copies of one loop. Its rounds move them, and nobody waits for the device. Declared here for
/// the transfers that need one, and defined in src/cuda (device_copies.cpp), which alone calls the
/// driver.
class DeviceCopies final : public Watched {
 public:
  explicit DeviceCopies(Watch& watch);
  ~DeviceCopies();
  DeviceCopies(const DeviceCopies&) = delete;
  DeviceCopies& operator=(const DeviceCopies&) = delete;

  /// Begins `copy`, which asks the driver whose its two places are. Its end comes inside `look`,
  /// never inside this call: success, or `IO_ERROR` where the device has failed (the log says how),
  /// or `NO_MEMORY`.
  void start(DeviceCopy& copy) noexcept;
  /// `copy`, which still has its gate, is as if it had not been started: nobody tells its end.
  void withdraw(DeviceCopy& copy) noexcept;
  /// Those that wait for `gate`.
  void eachAt(const CopyGate& gate, const std::function<void(DeviceCopy&)>& visit);
  bool look() noexcept override;
  bool maySleep() noexcept override { return true; }
  bool changesInSilence() const noexcept override;
  /// Moves them until all have ended, or until `deadline`: then those that are left end with
  /// `IO_ERROR`, and a device that works again may still write. False: there were such. Those whose
  /// gate is shut end at once, with `CANCELED`.
  bool finish(base::TimePoint deadline) noexcept;

 private:
  class Queue;
  std::unique_ptr<Queue> queue_;
};

/// Library memory that is page-locked, so that a device copies from and to it directly: at most
/// `kMostStaged` bytes, given back with the last reference. Null: none is free, or nothing has been
/// locked yet, which the first copy does. Any thread.
inline constexpr std::size_t kMostStaged = std::size_t{1} << 20;
std::shared_ptr<std::byte> takeStaging(std::size_t size) noexcept;
/// No more than so many bytes of it are locked from now on; those that are stay. Any thread.
inline constexpr std::size_t kStagingLimit = std::size_t{64} << 20;
void setStagingLimit(std::size_t bytes) noexcept;

inline DeviceCopies& deviceCopiesOf(const Loop& loop) noexcept { return *loop.rooms.device_copies; }

}  // namespace ucxx::core
