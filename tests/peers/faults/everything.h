// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::faults {

/// How the use of the library may end that has no excuse: the exit statuses of a process.
enum class Harm : int {
  Hangs = 10,   ///< a request does not end, not even when all is closed
  Silent = 11,  ///< nothing more comes, and nobody was told
  Wrong = 12,   ///< other bytes came
  Throws = 13,  ///< `progress` has thrown
  Kept = 14     ///< a request is still counted when all have ended
};

/// Two workers that meet by a listener, and an operation of each kind. Throws what the first that
/// failed was refused with, when all has ended; a `Harm` ends the process.
void useEverything(bool in_threads);

}  // namespace ucxx::faults
