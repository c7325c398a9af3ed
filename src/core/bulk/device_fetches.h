// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include <ucs/type/status.h>

#include "base/completion.h"
#include "base/list.h"
#include "core/channel/incoming.h"
#include "core/request/device_copies.h"

namespace ucxx::core {

class IncomingPayloads;
class Port;
struct Fetch;
struct Operation;

/// UCX takes as long for all that is shorter, unless several are under way: 165 us on an H200
/// (docs/performance/gpu.md).
inline constexpr std::size_t kLeastByUcx = 256 << 10;

/// Within a process there is no CUDA IPC, and UCX sends 8 KiB at a time: it is not asked. Tests
/// have both sides in one.
extern std::atomic<bool> is_ucx_for_own_process;

/// How an announced payload gets into a buffer, if one of the two is in memory of a device.
enum class DeviceWay : std::uint8_t {
  None,       ///< neither is, or the sender copies all of it first, and then it is as any other
  Staged,     ///< in parts, which the sender stages for this side in memory of the library
  ByUcx,      ///< by UCX, which maps the memory of one process in the other
  Pulled,     ///< in parts, which this side reads out of the memory of the sender
  Collected,  ///< in memory of the host first, all of it
};
/// The choice, of a payload of `size` bytes, not none.
DeviceWay deviceWayOf(const IncomingPayloads& payloads, const Announcement& announcement,
                      const void* buffer, std::size_t size, bool is_into_device) noexcept;
/// For people.
const char* toString(DeviceWay way) noexcept;

/// Payloads of announcements on their way into, or out of, memory of devices: the receiving half.
/// Into memory of a device they go through memory of the library, part by part. Whatever ends one
/// of them, its fetch is told behind the copies that are under way. Part of a link.
class DeviceFetches {
 public:
  DeviceFetches(Port& port, IncomingPayloads& payloads) noexcept;
  ~DeviceFetches();
  DeviceFetches(const DeviceFetches&) = delete;
  DeviceFetches& operator=(const DeviceFetches&) = delete;

  /// The payload of `announcement` comes into `buffer` in this way, which is not None; `fetch` is
  /// told when all of it is there. Throws `std::bad_alloc`.
  void add(const Announcement& announcement, void* buffer, std::size_t size, DeviceWay way,
           Fetch& fetch);
  /// The payload is asked for when the gate opens, in whatever way. Throws `std::bad_alloc`.
  void awaitGate(std::shared_ptr<CopyGate> gate, Fetch& fetch, const Announcement& announcement,
                 void* buffer, std::size_t size);
  /// @name What the sender of `number` says; false: it was not asked for that
  /// @{
  /// The next part is at `address`; with 0 bytes, it ends with that status.
  [[nodiscard]] bool takeStaged(std::uint64_t number, std::uint64_t address,
                                std::uint64_t size) noexcept;
  /// UCX has it.
  [[nodiscard]] bool takeByUcx(std::uint64_t number, void* announcement, std::size_t size);
  /// UCX cannot bring it: the payload is asked for in another way.
  [[nodiscard]] bool refuseByUcx(std::uint64_t number);
  /// @}
  /// All of it is in `memory`, or does not come.
  void collected(std::uint64_t number, std::shared_ptr<std::byte> memory,
                 ucs_status_t status) noexcept;
  bool isUcxRefused() const noexcept { return is_ucx_refused_; }
  /// What was to come behind its gate for `op` comes into memory of the host at once.
  void turnBack(Operation& op) noexcept;
  /// What comes for these fetches, which end with `status`, goes nowhere from now on.
  void revoke(const std::function<bool(const Fetch&)>& chosen, ucs_status_t status);
  /// Nothing more comes.
  void end(ucs_status_t status) noexcept;

 private:
  struct Coming;
  struct PartCopy;
  /// What is not asked for yet, since a stream of the program's has still to do with its place.
  struct Gated final : DeviceCopy {
    static void opened(base::Completion& self, ucs_status_t status);
    DeviceFetches* fetches = nullptr;
    Announcement announcement;
    void* buffer = nullptr;
    std::size_t bytes = 0;
    Fetch* fetch = nullptr;  // null: it has ended
    base::ListNode gated_node;
  };
  using Table = std::map<std::uint64_t, std::unique_ptr<Coming>>;

  Coming* find(std::uint64_t number) noexcept;
  template <class Chosen>
  Gated* findGated(const Chosen& chosen) noexcept;
  void ask(Coming& coming);
  void revokeGated(const std::function<bool(const Fetch&)>& chosen, ucs_status_t status);
  void pull(Coming& coming) noexcept;
  void collect(Coming& coming);
  bool take(Coming& coming, std::uint64_t address, std::size_t size) noexcept;
  void land(Coming& coming, std::shared_ptr<std::byte> memory, std::size_t size);
  void stop(Coming& coming, ucs_status_t status) noexcept;
  void review(Coming& coming) noexcept;

  Port& port_;
  IncomingPayloads& payloads_;
  Table coming_;  // by the number of their announcement
  base::List<Gated, &Gated::gated_node> gated_;
  bool is_ucx_refused_ = false;
  bool has_ended_ = false;  // the link
};

}  // namespace ucxx::core
