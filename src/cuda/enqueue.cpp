// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/enqueue.h"

#include <exception>
#include <utility>
#include <vector>

#include <ucxx/cuda/stream.h>

#include "base/log.h"
#include "cuda/stream_condition.h"

namespace ucxx::cuda {
namespace {

/// cuStreamBatchMemOp takes no more.
constexpr std::size_t kMostOperations = 255;

void put(const Stream& stream, std::vector<MemoryOperation>& operations, const char* what) {
  const InContext context(stream.context, what);
  check(requireDriver(what).batch(stream.handle, static_cast<unsigned>(operations.size()),
                                  operations.data(), 0),
        "cuStreamBatchMemOp", what);
}

}  // namespace

struct StreamBatch::State {
  explicit State(const Stream& stream_) : stream(stream_), outer(std::exchange(innermost, this)) {}
  ~State() {
    State** place = &innermost;
    while (*place != this) place = &(*place)->outer;
    *place = outer;
  }

  /// Null: nobody collects for it.
  static State* collectorOf(const Stream& stream) noexcept {
    State* one = innermost;
    while (one != nullptr && one->stream.id != stream.id) one = one->outer;
    return one;
  }

  void add(const MemoryOperation& operation, std::shared_ptr<StreamMark> mark) {
    if (operations.size() == kMostOperations) submit();
    operations.reserve(operations.size() + 1);
    if (mark != nullptr) marks.push_back(std::move(mark));
    operations.push_back(operation);
  }

  void submit() {
    if (operations.empty()) return;
    std::vector<MemoryOperation> entering = std::exchange(operations, {});
    const std::vector<std::shared_ptr<StreamMark>> theirs = std::exchange(marks, {});
    try {
      put(stream, entering, "StreamBatch");
    } catch (...) {
      for (const auto& mark : theirs) mark->failToEnter();
      throw;
    }
  }

  const Stream stream;
  State* outer;
  std::vector<MemoryOperation> operations;
  std::vector<std::shared_ptr<StreamMark>> marks;

  static thread_local State* innermost;
};

constinit thread_local StreamBatch::State* StreamBatch::State::innermost = nullptr;

StreamBatch::StreamBatch(CUstream_st* stream)
    : state_(std::make_unique<State>(Stream::of(stream, "StreamBatch"))) {}

StreamBatch::~StreamBatch() {
  try {
    submit();
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "cuda", "{}: what it collected is not in the stream", error.what());
  }
}

void StreamBatch::submit() { state_->submit(); }

MemoryOperation writeOf(Address word, std::uint64_t value) noexcept {
  return {.operation = base::cuda::kWrite64, .address = word, .value = value};
}

MemoryOperation waitFor(Address word, std::uint64_t value) noexcept {
  return {.operation = base::cuda::kWait64,
          .address = word,
          .value = value,
          .flags = base::cuda::kGreaterOrEqual};
}

void enqueue(const Stream& stream, const MemoryOperation& operation,
             std::shared_ptr<StreamMark> mark, const char* what) {
  if (StreamBatch::State* const batch = StreamBatch::State::collectorOf(stream))
    return batch->add(operation, std::move(mark));
  std::vector<MemoryOperation> one{operation};
  put(stream, one, what);
}

void submitBatches(const Stream& stream) {
  if (StreamBatch::State* const batch = StreamBatch::State::collectorOf(stream)) batch->submit();
}

}  // namespace ucxx::cuda
