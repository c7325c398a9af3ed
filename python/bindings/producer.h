// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

struct CUstream_st;  // what cudaStream_t and CUstream point to

namespace ucxx::python {

/// Who uses the memory of a device that an array shows. What its producer has in a stream comes
/// before.
struct Consumer {
  enum class Kind : std::uint8_t {
    Now,     ///< the call itself
    Stream,  ///< a transfer that `stream` starts
    Later,   ///< a transfer that is triggered: whoever does so has waited for the producer
  };
  Kind kind = Kind::Now;
  CUstream_st* stream = nullptr;
};

/// Has `consumer` come after all that is in the stream `producer` now, which writes what is at
/// `data`: a stream waits for it in the stream, a call here, without the GIL. With the GIL. Throws
/// `InvalidParamError` or `IOError`: what the driver says.
///
/// Where no driver can be used, or none is in use, nothing is there to wait for; nor is anything
/// where one of the two streams is captured, and the other one is not.
void awaitProducer(const Consumer& consumer, std::uint64_t producer, const void* data);

}  // namespace ucxx::python
