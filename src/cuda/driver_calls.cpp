// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver_calls.h"

#include <string>

#include <fmt/format.h>

#include <ucxx/exception.h>

namespace ucxx::cuda {

const Driver& requireDriver(const char* what) {
  const Driver* const found = base::cuda::driver();
  if (found == nullptr)
    throw UnsupportedError(fmt::format("{}: {}", what, base::cuda::whyNoDriver()));
  return *found;
}

void check(Result result, const char* call, const char* what) {
  using namespace base::cuda;
  if (result == kSuccess) return;
  const std::string text =
      fmt::format("{}: {}: {} ({})", what, call, nameOf(result), textOf(result));
  if (result == kNotFound)
    throw UnsupportedError(fmt::format("{}; this driver of CUDA is too old for it", text));
  if (result == kInvalidValue || result == kInvalidContext || result == kInvalidHandle)
    throw InvalidParamError(text);
  if (result == kContextIsDestroyed) throw IOError(fmt::format("{}; {}", text, kWordsGone));
  throw IOError(text);
}

void throwNoContext(const char* what) {
  throw InvalidParamError(
      fmt::format("{}: no context of CUDA is current on this thread; cudaSetDevice, or "
                  "cuCtxSetCurrent, makes one so, in Python torch.cuda.set_device(i) or "
                  "cupy.cuda.Device(i).use()",
                  what));
}

}  // namespace ucxx::cuda
