// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include "completions.h"
#include "spin.h"

namespace ucxx {
class Request;
class Worker;
}  // namespace ucxx

namespace ucxx::python {

class CopiesWithoutGil;

/// Moves a worker for Python: knows how long it pays to look for what comes, and when other threads
/// have the GIL meanwhile. What ends is left to its caller. Everything needs the GIL.
class Mover {
 public:
  /// Both outlive it.
  Mover(const std::shared_ptr<Worker>& worker, const Completions& completions) noexcept
      : worker_(worker), completions_(completions) {}

  /// One round; true: something moved.
  bool progress();
  /// So many rounds at most, while they find something; true: so did the last. Between the parts of
  /// a payload other threads do not get the GIL, unless other tasks of the loop are ready.
  bool progress(int rounds, bool others_are_ready);
  /// A round, and if it `may_look` more of them for a while, until `request` has ended; true: it
  /// has.
  bool spin(const Request& request, bool may_look);
  /// Something has ended, which an await has perhaps slept for.
  void woken() { spin_.came(Spin::Clock::now()); }
  /// Sleeps without the GIL until something comes, a millisecond at most: a peer on the same
  /// processor may have to move a payload.
  void nap();

 private:
  /// An await that looks for its end.
  struct Look {
    Spin::Clock::duration time;  // for so long, if nothing moves
    Spin::Clock::time_point began{};
    Spin::Clock::time_point last{};  // of those at which it has looked at the clock
  };
  bool look(const Request& request, CopiesWithoutGil& copies, Look& looked);
  void waitForParts(CopiesWithoutGil& copies);

  const std::shared_ptr<Worker>& worker_;
  const Completions& completions_;
  Spin spin_;
};

}  // namespace ucxx::python
