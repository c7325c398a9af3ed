// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/foreign_fence.h"

#include <cerrno>

#include <sys/syscall.h>
#include <unistd.h>

namespace ucxx::base {
namespace {

// Of Linux 4.16; older headers lack them.
constexpr int kGlobalExpedited = 1 << 1;
constexpr int kRegisterGlobalExpedited = 1 << 2;

bool membarrier(int command) noexcept {
  const int saved = errno;
  const bool done = ::syscall(SYS_membarrier, command, 0, 0) == 0;
  errno = saved;
  return done;
}

}  // namespace

bool admitForeignFences() noexcept {
  static const bool admitted = membarrier(kRegisterGlobalExpedited) && membarrier(kGlobalExpedited);
  return admitted;
}

void foreignFence() noexcept {
  if (admitForeignFences()) membarrier(kGlobalExpedited);
  fullFence();
}

}  // namespace ucxx::base
