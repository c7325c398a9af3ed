// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <exception>

#include "base/file_descriptor.h"
#include "core/request/device_copies.h"
#include "cuda/copy_stream.h"
#include "cuda/stream.h"

namespace ucxx::core {
namespace {

constexpr const char* kWhat = "receive into memory of a device";
constexpr unsigned kWithoutTimes = 2;  // CU_EVENT_DISABLE_TIMING
constexpr base::Duration kAskEach = std::chrono::microseconds(5);

}  // namespace

std::shared_ptr<CopyGate> CopyGate::behind(CUstream_st* stream) {
  const cuda::Driver& driver = cuda::requireDriver(kWhat);
  cuda::Context context = nullptr;
  cuda::check(driver.getContext(&context), "cuCtxGetCurrent", kWhat);
  base::cuda::Event event = nullptr;
  cuda::check(driver.createEvent(&event, kWithoutTimes), "cuEventCreate", kWhat);
  std::shared_ptr<CopyGate> gate(new CopyGate(context, event));
  cuda::check(driver.recordEvent(event, stream), "cuEventRecord", kWhat);
  return gate;
}

CopyGate::~CopyGate() {
  if (base::isForkedChild()) return;
  try {
    const cuda::CurrentContext current(context_, kWhat);
    const cuda::DespiteCaptures allowed(kWhat);
    (void)base::cuda::driver()->destroyEvent(event_);
  } catch (const std::exception&) {  // its context has gone, and it with that
  }
}

bool CopyGate::isOpen(base::TimePoint now) noexcept {
  if (is_open_ || now < ask_at_) return is_open_;
  ask_at_ = now + kAskEach;
  try {
    const cuda::CurrentContext current(context_, kWhat);
    const cuda::DespiteCaptures allowed(kWhat);
    is_open_ = base::cuda::driver()->queryEvent(event_) != base::cuda::kNotReady;
  } catch (const std::exception&) {
    is_open_ = true;
  }
  return is_open_;
}

}  // namespace ucxx::core
