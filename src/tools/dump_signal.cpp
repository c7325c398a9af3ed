// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/dump_signal.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

namespace ucxx::tools {

void dumpOnSignal() {
  struct sigaction action {};
  action.sa_handler = [](int) { dumps_wanted.fetch_add(1, std::memory_order_relaxed); };
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGUSR1, &action, nullptr);
}

void DumpsOf::print(Worker& worker) {
  done_ = dumps_wanted;
  fmt::print(stderr, "process {}:\n{}", ::getpid(), worker.dump());
}

}  // namespace ucxx::tools
