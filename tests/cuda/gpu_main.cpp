// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// gpu_stream_tests: the tests of transfers in streams, graphs and kernels over the driver that is
// there. tools/gpu/conditions.py runs it, and sends SIGABRT to one that hangs: that tells where.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <execinfo.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gpu/driver.h"

namespace {

void say(const char* text) { (void)!::write(STDERR_FILENO, text, std::strlen(text)); }

/// The call of the driver, and the stack of this thread.
void tellWhere(int number) {
  void* places[64];
  const char* const call = gpu::called.load();
  say("in the driver: ");
  say(call == nullptr ? "no call of the test" : call);
  say("\n");
  ::backtrace_symbols_fd(places, ::backtrace(places, std::size(places)), STDERR_FILENO);
  (void)std::signal(number, SIG_DFL);
  (void)std::raise(number);
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  void* places[1];
  (void)::backtrace(places, 1);  // what it loads cannot be loaded in a handler
  (void)std::signal(SIGABRT, tellWhere);
  const int status = RUN_ALL_TESTS();
  std::fflush(nullptr);
  // A stream may still wait after a failure: then no destructor has a say.
  if (status != 0) std::_Exit(status);
  return 0;
}
