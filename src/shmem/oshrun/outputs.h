// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <deque>
#include <string_view>

#include "base/poller.h"
#include "shmem/oshrun/output.h"
#include "shmem/oshrun/spawn.h"
#include "shmem/oshrun/stream.h"
#include "shmem/oshrun/watch.h"

namespace ucxx::shmem::oshrun {

/// Both outputs of oshrun, and with `--tag-output` those of the PEs, which end there.
class Outputs {
 public:
  explicit Outputs(base::Poller& poller);

  /// Takes the pipes of a PE, if it has any. PEs come by number.
  void add(int pe, Started& started);
  /// The PE has ended: what it has written goes out before anything else.
  void drain(int pe);
  /// The job has ended.
  void finish();
  /// A line of oshrun's own.
  void say(std::string_view text);

  bool areEmpty() const noexcept { return output_.isEmpty() && errors_.isEmpty(); }
  /// To be called before each wait: the poller then tells when what waits can be written, and what
  /// PEs have written where there is room for it.
  void watchWhatWaits();
  /// What waits is lost.
  void drop() noexcept;
  /// Says what could not be written, and why; false: nothing.
  bool tellLoss();

 private:
  Output output_, errors_;
  Watch output_watch_, errors_watch_;
  base::Poller& poller_;
  std::deque<Stream> streams_;  ///< two of each PE
};

}  // namespace ucxx::shmem::oshrun
