// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "copies_without_gil.h"

#include <chrono>
#include <utility>

#include "base/copying.h"
#include "without_gil.h"

namespace ucxx::python {
namespace {

using Clock = std::chrono::steady_clock;

/// So many bytes are copied with the GIL, in about 0.2 ms. To get it back takes 5 ms where another
/// thread computes: messages of 1 MiB, each answered, took 16 ms with 64 KiB, and take 6.
constexpr std::size_t kBytesWithGil = 2 << 20;
/// Who waits longer for the GIL waits for a thread that computes.
constexpr auto kLongWait = std::chrono::microseconds(500);
/// For so long it is believed to go on.
constexpr auto kMemory = std::chrono::milliseconds(100);

/// Of the process, as the GIL is. With the GIL.
Clock::time_point last_long_wait{};

// Each await sets it twice: without a call for its place.
[[gnu::tls_model("initial-exec")]] thread_local CopiesWithoutGil* innermost = nullptr;

}  // namespace

CopiesWithoutGil::CopiesWithoutGil() noexcept
    : outer_(std::exchange(innermost, this)), left_(kBytesWithGil) {}

CopiesWithoutGil::~CopiesWithoutGil() {
  innermost = outer_;
  if (state_ == nullptr) return;
  const auto began = Clock::now();
  callingPython([this] { PyEval_RestoreThread(state_); });
  const auto ended = Clock::now();
  if (ended - began > kLongWait) last_long_wait = ended;
}

void CopiesWithoutGil::release() noexcept {
  if (state_ == nullptr) state_ = PyEval_SaveThread();
}

void CopiesWithoutGil::aboutToCopy(std::size_t bytes) noexcept {
  CopiesWithoutGil* const one = innermost;
  if (one == nullptr) return;
  if (bytes >= one->left_) return one->release();
  one->left_ -= bytes;
}

CopiesWithoutGil::Interrupted::Interrupted() noexcept : inner_(std::exchange(innermost, nullptr)) {}

CopiesWithoutGil::Interrupted::~Interrupted() { innermost = inner_; }

bool CopiesWithoutGil::isContended() noexcept { return Clock::now() - last_long_wait < kMemory; }

bool CopiesWithoutGil::isUnderWay() noexcept { return innermost != nullptr; }

void CopiesWithoutGil::listen() noexcept { base::before_copy = aboutToCopy; }

}  // namespace ucxx::python
