// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucxx/export.h>

struct CUstream_st;  // what cudaStream_t and CUstream point to

namespace ucxx::cuda {

/// Gets ready for CUDA's context that is current on this thread: page-locks the words by which
/// streams and transfers tell each other (300 KiB, once, for the life of the process), and finds
/// out whether the device can read and write them. Without that call the first use of a stream does
/// it; a program may call it early, since it takes some time. Any thread, also during a capture.
/// Throws `UnsupportedError`: there is no usable driver, or the device lacks memory operations of
/// 64 bits; `InvalidParamError`: no context is current; `Error`: what the driver says.
UCXX_PUBLIC void attach();

/// One call of the driver in place of many. While it lives, what this thread posts with
/// `Condition::stream(stream)`, and its `Request::waitOn(stream)`, is collected; `submit` puts all
/// of it into the stream, in the order of the calls. A call costs about 1 us on an H200, one
/// operation more of the same call 0.1.
///
///     {
///       ucxx::cuda::StreamBatch batch(stream);
///       for (auto& edge : edges) edge.post(stream);
///     }                                              // here all edges enter the stream
///
/// What the program itself puts into the stream meanwhile comes before. Other streams and other
/// threads are not collected, nor is what a capture takes. A batch is full after 255 operations,
/// and is submitted then; so are all of the thread's when a post has to wait for room. Do not wait
/// for the stream, nor for a transfer that it starts, while one is open: what is collected is not
/// in the stream yet (`submitAll`). Of several on one stream the outermost collects.
///
/// Make, submit and destroy it in one thread. One that is destroyed in another thread goes on
/// collecting until the thread that made it makes, submits or destroys a batch, posts with a
/// condition of a stream, calls `Request::waitOn`, or ends: that call submits it first.
class UCXX_PUBLIC StreamBatch {
 public:
  /// Throws as `Condition::stream`.
  explicit StreamBatch(CUstream_st* stream);
  /// Submits; a failure is logged.
  ~StreamBatch();
  StreamBatch(const StreamBatch&) = delete;
  StreamBatch& operator=(const StreamBatch&) = delete;

  /// Puts what was collected into the stream. Throws what the driver says: then nothing of it is in
  /// the stream, the transfers that it was to start end with CANCELED, and the stream waits for no
  /// request.
  void submit();
  /// Submits all batches of this thread, the outermost first: call it before a wait for what they
  /// start. Costs next to nothing where there is none. Throws as `submit`; the batches that come
  /// after the one that fails stay as they are.
  static void submitAll();

  struct State;  // the library's

 private:
  std::shared_ptr<State> state_;
};

}  // namespace ucxx::cuda
