// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/faults.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <mutex>

#include <unistd.h>

#include "cuda/driver/queue.h"
#include "cuda/driver/reset.h"

namespace stand_in {
namespace {

std::atomic<Result> lost{kSuccess};
thread_local sigjmp_buf* way_back = nullptr;
struct sigaction old_actions[2];  // of SIGSEGV, SIGBUS

void jumpBack(int signal, siginfo_t* information, void* context) {
  if (way_back != nullptr) siglongjmp(*way_back, 1);
  // Not ours: as if this handler were not there.
  const struct sigaction& old = old_actions[signal == SIGBUS ? 1 : 0];
  if ((old.sa_flags & SA_SIGINFO) != 0) return old.sa_sigaction(signal, information, context);
  if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) return old.sa_handler(signal);
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  ::sigaction(signal, &by_default, nullptr);  // and the instruction fails again
}

void handleSignals() {
  struct sigaction action {};
  action.sa_sigaction = jumpBack;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  ::sigaction(SIGSEGV, &action, &old_actions[0]);
  ::sigaction(SIGBUS, &action, &old_actions[1]);
}

}  // namespace

Result lostBy() noexcept { return lost.load(std::memory_order_acquire); }

void lose(Result error) noexcept {
  Result none = kSuccess;
  lost.compare_exchange_strong(none, error);
  tellChange();
}

bool guarded(const std::function<void()>& body) {
  static std::once_flag handled;
  std::call_once(handled, handleSignals);
  sigjmp_buf here;
  sigjmp_buf* const outer = way_back;
  if (sigsetjmp(here, 1) != 0) {
    way_back = outer;
    if (isOfBefore()) return false;  // what it touches has gone with the context
    lose(kIllegalAddress);
    return false;
  }
  way_back = &here;
  body();
  way_back = outer;
  return true;
}

void waitForEver() {
  for (;;) ::pause();
}

}  // namespace stand_in
