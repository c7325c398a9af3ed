// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/faults/row.h"

namespace ucxx::faults {

std::span<const Row> allRows() {
  static constexpr Row kRows[] = {
      {"strangers", "half-open connections from other addresses, a byte a second each",
       "a friend connects in 2 x its idle time; memory back within 1 MiB in 3 s", runStrangers},
      {"neighbours", "the same from the friend's own address", "the same", runNeighbours},
      {"garbage", "connections that say HTTP, TLS, noise, magic and noise, half a hello",
       "no crash; friends go on; memory back within 1 MiB in 3 s", runGarbage},
      {"cycles", "connect, transfer, close, again and again", "nothing grows", runCycles},
      {"crowd", "half of 1,000 endpoints lose their processes at once, by SIGKILL",
       "each of these ends, the others go on", runCrowd},
      {"flood", "messages that nobody receives, small and large",
       "back-pressure at the credit limit; all arrive in order", runFlood},
      {"cancels", "receives posted and cancelled by several threads, their sender killed",
       "each ends once, no byte is written after", runCancels},
      {"shortage", "descriptors, addresses and allocations run out, one later each time",
       "an error, and success without restart", runShortage},
      {"signals", "signals all the time, stops, fork, exec",
       "nothing fails, handlers stay, the child is told", runSignals},
      {"clocks", "the time of day jumps, clocks of two processes differ by a day", "nothing fails",
       runClocks},
      {"places", "/dev/shm full, read-only, small; temporary files belong there, too",
       "nothing fails, no SIGBUS", runPlaces},
      {"wire", "loss, delay, reordering, duplicates, corruption, partition",
       "slower but right; a partition is an error in 2.5 s", runWire},
  };
  return kRows;
}

}  // namespace ucxx::faults
