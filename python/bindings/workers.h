// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <ucxx/worker.h>

#include "python.h"

namespace ucxx::python {

/// The workers that Python has made, for whoever wants to know what all of them do. Nothing here
/// needs the GIL, so that it works while another thread has it.
class Workers {
 public:
  static Workers& get();

  void add(const std::shared_ptr<Worker>& worker);
  /// Before the worker's end, which the caller decides: waits until nobody looks at it.
  void remove(const Worker& worker) noexcept;

  /// One text, a piece from each: of one whose loop lets nobody in the reason.
  std::string describe() { return ask(&Worker::describe); }
  std::string dump() { return ask(&Worker::dump); }
  struct Answer {
    WorkerReport report;
    std::string error;  // why there is none; else empty
  };
  std::vector<Answer> reports();
  /// Its workers are the parent's.
  void forgetInChild() noexcept;

 private:
  std::string ask(std::string (Worker::*what)());

  std::mutex mutex_;
  std::vector<std::weak_ptr<Worker>> workers_;  // guarded by `mutex_`
};

}  // namespace ucxx::python
