// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/stream.h"

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "cuda/words.h"

namespace ucxx::cuda {
namespace {

std::uint64_t idOf(base::cuda::Stream handle, const char* what) {
  unsigned long long id = 0;
  const Result result = requireDriver(what).streamId(handle, &id);
  if (result == base::cuda::kInvalidContext) throwNoContext(what);
  check(result, "cuStreamGetId", what);
  return id;
}

bool isBeingCaptured(base::cuda::Stream handle, const char* what) {
  int state = 0;
  const Result result = requireDriver(what).isCapturing(handle, &state);
  if (result == base::cuda::kInvalidContext) throwNoContext(what);
  check(result, "cuStreamIsCapturing", what);
  return state != 0;
}

/// That of a stream whose handle is valid. A stream has one context for good, and its id no other
/// stream ever has: most threads ask again and again for the same.
Context contextOf(base::cuda::Stream handle, std::uint64_t id, const char* what) {
  struct Known {
    std::uint64_t id;
    Context context;
  };
  constinit static thread_local Known last{~std::uint64_t{}, nullptr};
  if (last.id == id) return last.context;
  Context context = nullptr;
  check(requireDriver(what).streamContext(handle, &context), "cuStreamGetCtx", what);
  last = {id, context};
  return context;
}

Context currentContext(const char* what) {
  Context context = nullptr;
  check(requireDriver(what).getContext(&context), "cuCtxGetCurrent", what);
  if (context == nullptr) throwNoContext(what);
  return context;
}

}  // namespace

/// The legacy stream waits for all others of its context, and they for it.
Stream Stream::of(base::cuda::Stream handle, const char* what) {
  (void)requireDriver(what);
  if (handle == nullptr || handle == base::cuda::legacyStream())
    throw InvalidParamError(
        fmt::format("{}: stream {} is CUDA's legacy default stream, which all others wait for; use "
                    "a stream of your own, or cudaStreamPerThread",
                    what, handle == nullptr ? 0 : 1));
  // What else is asked of a stream that is captured ends the capture.
  if (isBeingCaptured(handle, what)) return {handle, 0, currentContext(what)};
  const std::uint64_t id = idOf(handle, what);
  return {handle, id, contextOf(handle, id, what)};
}

void Stream::requireItself(const char* what) const {
  if (id == 0)
    throw InvalidParamError(fmt::format(
        "{}: stream {} was being captured when it was named; name it again after the capture", what,
        static_cast<const void*>(handle)));
  if (const std::uint64_t now = idOf(handle, what); now != id)
    throw InvalidParamError(fmt::format(
        "{}: {} is stream {} here and now, and was stream {}: that was destroyed, or is "
        "cudaStreamPerThread of another thread",
        what, static_cast<const void*>(handle), now, id));
}

bool isCaptured(const Stream& stream, const char* what) {
  return isBeingCaptured(stream.handle, what);
}

InContext::InContext(Context context, const char* what) {
  requireKept(context, what);
  const Driver& driver = requireDriver(what);
  check(driver.getContext(&before_), "cuCtxGetCurrent", what);
  if (before_ == context) return;
  check(driver.setContext(context), "cuCtxSetCurrent", what);
  is_other_ = true;
}

InContext::~InContext() {
  if (is_other_) base::cuda::driver()->setContext(before_);
}

DespiteCaptures::DespiteCaptures(const char* what) {
  check(requireDriver(what).exchangeCaptureMode(&mode_), "cuThreadExchangeStreamCaptureMode", what);
}

DespiteCaptures::~DespiteCaptures() { base::cuda::driver()->exchangeCaptureMode(&mode_); }

}  // namespace ucxx::cuda
