// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>

#include <ucxx/export.h>
#include <ucxx/options.h>
#include <ucxx/typedefs.h>

namespace ucxx {

/// `createWorker` in pieces. Reusable: each `build()` makes a new worker.
class UCXX_PUBLIC WorkerBuilder {
 public:
  explicit WorkerBuilder(std::shared_ptr<Context> context) : context_(std::move(context)) {}

  WorkerBuilder& delayedSubmission(bool enable = true) {
    options_.delayed_submission = enable;
    return *this;
  }
  WorkerBuilder& pythonFuture(bool enable = true) {
    options_.future = enable;
    return *this;
  }
  WorkerBuilder& requestAttributes(bool enable = true) {
    options_.request_attributes = enable;
    return *this;
  }
  WorkerBuilder& cudaBufferType(BufferType type) {
    options_.cuda_buffer_type = type;
    return *this;
  }

  std::shared_ptr<Worker> build();
  operator std::shared_ptr<Worker>() { return build(); }  // NOLINT(google-explicit-constructor)

 private:
  std::shared_ptr<Context> context_;
  WorkerOptions options_;
};

inline WorkerBuilder workerBuilder(std::shared_ptr<Context> context) {
  return WorkerBuilder(std::move(context));
}

}  // namespace ucxx
