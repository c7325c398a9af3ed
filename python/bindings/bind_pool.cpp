// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The memory that large received buffers lie in.

#include <optional>

#include <ucxx/pool.h>

#include "bind.h"
#include "without_gil.h"
#include "word.h"

namespace ucxx::python {
namespace {

nb::dict stats() {
  const PoolStats stats = poolStats();
  nb::dict pool;
  pool["used_bytes"] = stats.used_bytes;
  pool["idle_bytes"] = stats.idle_bytes;
  pool["idle_limit_bytes"] = stats.idle_limit_bytes;
  pool["total_limit_bytes"] = stats.total_limit_bytes;
  pool["taken"] = stats.taken;
  pool["reused"] = stats.reused;
  pool["device_used_bytes"] = stats.device_used_bytes;
  pool["device_idle_bytes"] = stats.device_idle_bytes;
  pool["device_idle_limit_bytes"] = stats.device_idle_limit_bytes;
  return pool;
}

std::uint64_t trim() {
  const WithoutGil released;
  return trimPool();
}

std::optional<std::uint64_t> limitOf(nb::handle value, const char* name) {
  if (value.is_none()) return std::nullopt;
  return wordOf(value, name);
}

void setLimits(nb::handle idle_bytes, nb::handle total_bytes, nb::handle device_idle_bytes,
               nb::handle staging_bytes) {
  PoolLimits limits;
  limits.idle_bytes = limitOf(idle_bytes, "idle_bytes");
  limits.total_bytes = limitOf(total_bytes, "total_bytes");
  limits.device_idle_bytes = limitOf(device_idle_bytes, "device_idle_bytes");
  limits.staging_bytes = limitOf(staging_bytes, "staging_bytes");
  const WithoutGil released;
  setPoolLimits(limits);
}

}  // namespace

void bindPool(nb::module_& module) {
  module.def(
      "pool_stats", &stats, nb::sig("def pool_stats() -> dict[str, int]"),
      "Return the counters of the pool, the memory that large received buffers lie in.\n\n"
      "used_bytes, idle_bytes (free, kept warm for what comes next), idle_limit_bytes and\n"
      "total_limit_bytes (see `set_pool_limits`), taken (blocks so far), reused (of them warm "
      "ones).\nIdle memory that nothing has needed for 5 seconds goes back to the system, "
      "while an event loop or\na progress thread moves a worker, and by `trim_pool`.\n\n"
      "Of the memory of devices, in DeviceBuffers: device_used_bytes, device_idle_bytes, kept for\n"
      "the next ones, and device_idle_limit_bytes.");
  module.def("trim_pool", &trim, nb::sig("def trim_pool() -> int"),
             "Give all idle memory of the pool back to the system now; return how many bytes that "
             "were.\n\nAny thread. Buffers that are in use stay. Memory of devices goes back to "
             "the driver, unless\na stream waits for a transfer, or a graph or a kernel may. In a "
             "forked child it does nothing.");
  module.def(
      "set_pool_limits", &setLimits, "idle_bytes"_a = nb::none(), "total_bytes"_a = nb::none(),
      "device_idle_bytes"_a = nb::none(), "staging_bytes"_a = nb::none(),
      nb::sig(
          "def set_pool_limits(idle_bytes: int | None = None, total_bytes: int | None = "
          "None, device_idle_bytes: int | None = None, staging_bytes: int | None = None) -> None"),
      "Limit the pool, for as long as the process lives; idle memory beyond goes back at "
      "once.\n\nAny thread. In a forked child it does nothing.\n\n"
      "Args:\n"
      "    idle_bytes: of what is kept warm; None: as it is, at first 256 MiB, or a sixteenth "
      "of the\n        machine's memory if that is less.\n"
      "    total_bytes: of what is used or kept warm; None: as it is, at first the machine's "
      "memory, 64 GiB\n        at most. Beyond it buffers come from `malloc`: nothing fails, "
      "but they are slower.\n"
      "    device_idle_bytes: of the memory of all devices that is kept for the next "
      "DeviceBuffers; None: as it\n        is, at first 256 MiB.\n"
      "    staging_bytes: of what is page-locked for copies from and to devices; None: as it is, "
      "at "
      "first\n        64 MiB. It is locked as it is needed, 4 MiB at a time, and what is locked "
      "stays so. Copies\n        beyond it wait for their turn.\n\n"
      "Raises:\n    ValueError, TypeError: not an int from 0 to 2**64 - 1, nor None.");
}

}  // namespace ucxx::python
