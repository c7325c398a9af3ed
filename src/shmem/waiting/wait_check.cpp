// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/waiting/wait_check.h"

#include <chrono>

#include "base/clock.h"

namespace ucxx::shmem {
namespace {

constexpr auto kAskEvery = std::chrono::milliseconds(50);

struct Asked {
  WaitCheck check = nullptr;
  void* context = nullptr;
  base::TimePoint next{};
};
constinit thread_local Asked asked;

}  // namespace

void setWaitCheck(WaitCheck check, void* context) noexcept { asked = {check, context, {}}; }

bool isWaitToBeLeft(bool at_once) noexcept {
  if (asked.check == nullptr) return false;
  const base::TimePoint now = base::Clock::now();
  if (!at_once && now < asked.next) return false;
  asked.next = now + kAskEvery;  // first: the check may wait, too
  return asked.check(asked.context) != 0;
}

}  // namespace ucxx::shmem
