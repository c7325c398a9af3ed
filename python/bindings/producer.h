// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>

namespace ucxx::core {
class CopyGate;
}  // namespace ucxx::core

struct CUctx_st;     // what CUcontext points to
struct CUstream_st;  // what cudaStream_t and CUstream point to

namespace ucxx::python {

/// Who uses the memory of a device that an array shows. What its producer has in a stream comes
/// before.
struct Consumer {
  enum class Kind : std::uint8_t {
    Now,     ///< the call itself
    Copy,    ///< copies of the library, later, into that memory: `gate` opens for them
    Stream,  ///< a transfer that `stream` starts
    Later,   ///< a transfer that is triggered: whoever does so has waited for the producer
  };
  Kind kind = Kind::Now;
  CUstream_st* stream = nullptr;
  CUctx_st* context =
      nullptr;  ///< in which `stream` was named; each has streams 1 and 2 of its own
  std::shared_ptr<core::CopyGate>* gate = nullptr;
};

/// One by a stream, of the context that is current.
Consumer streamConsumer(CUstream_st* stream);

/// Whether it is a stream that is being captured. With the GIL. Throws as `awaitProducer`.
bool isBeingCaptured(const Consumer& consumer);

/// Has `consumer` come after all that is in the stream `producer` now, which writes what is at
/// `data`: a stream waits for it in the stream, a call here, without the GIL, and for copies
/// nobody does. With the GIL. Throws
/// `InvalidParamError` or `IOError`: what the driver says.
///
/// Where no driver can be used, or none is in use, nothing is there to wait for.
/// `InvalidParamError` where the wait cannot be made: one of the two streams is captured, and the
/// other one is not, or the driver does not tell.
void awaitProducer(const Consumer& consumer, std::uint64_t producer, const void* data);

}  // namespace ucxx::python
