// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "copies_without_gil.h"

#include <utility>

#include "base/copying.h"
#include "without_gil.h"

namespace ucxx::python {
namespace {

/// So many bytes are copied with the GIL: in some 10 us.
constexpr std::size_t kWithGil = 64 << 10;

// Each await sets it twice: without a call for its place.
[[gnu::tls_model("initial-exec")]] thread_local CopiesWithoutGil* innermost = nullptr;

}  // namespace

CopiesWithoutGil::CopiesWithoutGil() noexcept
    : outer_(std::exchange(innermost, this)), left_(kWithGil) {}

CopiesWithoutGil::~CopiesWithoutGil() {
  innermost = outer_;
  if (state_ != nullptr) callingPython([this] { PyEval_RestoreThread(state_); });
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

bool CopiesWithoutGil::isUnderWay() noexcept { return innermost != nullptr; }

void CopiesWithoutGil::listen() noexcept { base::before_copy = aboutToCopy; }

}  // namespace ucxx::python
