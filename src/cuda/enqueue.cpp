// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/enqueue.h"

#include <exception>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ucxx/cuda/stream.h>
#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "base/log.h"
#include "cuda/stream_condition.h"

namespace ucxx::cuda {
namespace {

/// cuStreamBatchMemOp takes no more.
constexpr std::size_t kMostOperations = 255;

/// Into a stream that is not captured, and whose context is current.
void put(const Stream& stream, MemoryOperation* operations, std::size_t count, const char* what) {
  check(requireDriver(what).batch(stream.handle, static_cast<unsigned>(count), operations, 0),
        "cuStreamBatchMemOp", what);
}

}  // namespace

struct StreamBatch::State {
  explicit State(const Stream& stream_) : stream(stream_), outer(innermost) {
    operations.reserve(kMostOperations);
    innermost = this;
  }
  /// On another thread it is in no list, and stays in that of its own.
  ~State() {
    State** place = &innermost;
    while (*place != nullptr && *place != this) place = &(*place)->outer;
    if (*place != nullptr) *place = outer;
  }

  /// The outermost of its batches; null: there is none.
  static State* collectorOf(const Stream& stream) noexcept {
    State* found = nullptr;
    for (State* one = innermost; one != nullptr; one = one->outer) {
      if (one->stream.id == stream.id) found = one;
    }
    return found;
  }

  void add(const MemoryOperation& operation, std::shared_ptr<StreamMark> mark) {
    if (operations.size() == kMostOperations) submit();
    if (mark != nullptr) marks.push_back(std::move(mark));
    operations.push_back(operation);
  }

  void submit() {
    if (operations.empty()) return;
    const std::vector<std::shared_ptr<StreamMark>> theirs = std::exchange(marks, {});
    try {
      const InContext context(stream.context, kWhat);
      requireUsable();
      put(stream, operations.data(), operations.size(), kWhat);
      operations.clear();
    } catch (...) {
      operations.clear();
      for (const auto& mark : theirs) mark->failToEnter();
      throw;
    }
  }

  /// A capture would write and await the same values in each launch.
  void requireUsable() const {
    if (isCaptured(stream, kWhat))
      throw UnsupportedError(fmt::format(
          "{}: stream {} is being captured, and this was posted before", kWhat, stream.id));
    stream.requireItself(kWhat);
  }

  /// The outermost first, as if each had not been collected.
  static void submitFrom(State* one) {
    if (one == nullptr) return;
    submitFrom(one->outer);
    one->submit();
  }

  static constexpr const char* kWhat = "StreamBatch";
  const Stream stream;
  State* outer;
  std::vector<MemoryOperation> operations;
  std::vector<std::shared_ptr<StreamMark>> marks;

  static thread_local State* innermost;
};

constinit thread_local StreamBatch::State* StreamBatch::State::innermost = nullptr;

StreamBatch::StreamBatch(CUstream_st* stream)
    : state_(std::make_unique<State>(Stream::of(stream, State::kWhat))) {}

StreamBatch::~StreamBatch() {
  if (base::isForkedChild()) return;
  try {
    state_->submit();
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "cuda", "{}: what it collected is not in the stream", error.what());
  }
}

void StreamBatch::submit() {
  base::requireNotForked();
  if (State* const collector = State::collectorOf(state_->stream)) collector->submit();
}

MemoryOperation writeOf(Address word, std::uint64_t value) noexcept {
  return {.operation = base::cuda::kWrite64, .address = word, .value = value};
}

MemoryOperation writeOfHalf(Address word, std::uint32_t value) noexcept {
  return {.operation = base::cuda::kWrite32, .address = word, .value = value};
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
  MemoryOperation one = operation;
  put(stream, &one, 1, what);
}

void submitBatches() { StreamBatch::State::submitFrom(StreamBatch::State::innermost); }

}  // namespace ucxx::cuda
