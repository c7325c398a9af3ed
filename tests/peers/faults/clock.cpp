// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The program's own clock_gettime and time, for the library and UCX, too: where
// UCXX_FAULTS_CLOCK is set, the time of day jumps by up to a day at each look. Nobody needs
// the right to set the machine's clock.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include <dlfcn.h>
#include <sys/time.h>

namespace {

constexpr std::time_t kDay = 86400;

std::time_t jump() {
  static std::atomic<std::uint32_t> state{1};
  const std::uint32_t next = state.load(std::memory_order_relaxed) * 1664525u + 1013904223u;
  state.store(next, std::memory_order_relaxed);
  return static_cast<std::time_t>(next % (2 * kDay)) - kDay;
}

bool jumps() {
  static const bool is_set = std::getenv("UCXX_FAULTS_CLOCK") != nullptr;
  return is_set;
}

template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  static auto* const real = original<int(clockid_t, struct timespec*)>("clock_gettime");
  const int result = real(clock, time);
  if (clock == CLOCK_REALTIME && jumps()) time->tv_sec += jump();
  return result;
}

std::time_t time(std::time_t* to) noexcept {
  static auto* const real = original<std::time_t(std::time_t*)>("time");
  std::time_t now = real(nullptr);
  if (jumps()) now += jump();
  if (to != nullptr) *to = now;
  return now;
}

int gettimeofday(struct timeval* time, void* zone) noexcept {
  static auto* const real = original<int(struct timeval*, void*)>("gettimeofday");
  const int result = real(time, zone);
  if (jumps()) time->tv_sec += jump();
  return result;
}

}  // extern "C"
