// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/enqueue.h"

#include <atomic>
#include <exception>
#include <memory>
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

/// The list of its thread owns it while it collects; the batch may end in another thread, and the
/// thread may end first. All but `abandon` is for its own thread.
struct StreamBatch::State : std::enable_shared_from_this<StreamBatch::State> {
  explicit State(const Stream& stream_) : stream(stream_) { operations.reserve(kMostOperations); }

  static std::shared_ptr<State> open(CUstream_st* handle) {
    base::requireNotForked();
    submitAbandoned();
    auto made = std::make_shared<State>(Stream::of(handle, kWhat));
    made->enlist();
    return made;
  }

  /// Whether it is in the list of this thread.
  bool isOfThisThread() const noexcept {
    const State* one = innermost;
    while (one != nullptr && one != this) one = one->outer;
    return one != nullptr;
  }

  /// Any thread: what it has collected enters the stream with the next call of its own thread.
  void abandon() noexcept { is_abandoned.store(true, std::memory_order_release); }

  /// Those that other threads have ended, the outermost first.
  static void submitAbandoned() noexcept {
    while (State* const one = outermostAbandoned()) one->end();
  }

  /// A failure is logged: it is not of the call that submits it.
  void end() noexcept {
    const std::shared_ptr<State> kept = shared_from_this();
    try {
      submit();
    } catch (const std::exception& error) {
      base::log(LogLevel::Error, "cuda", "{}: what it collected is not in the stream",
                error.what());
    }
    delist();
  }

  /// This thread ends.
  static void endAll() noexcept {
    while (innermost != nullptr) {
      State* outermost = innermost;  // which collects for those that are inside
      while (outermost->outer != nullptr) outermost = outermost->outer;
      outermost->end();
    }
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

  /// The outermost first, as if each had not been collected; but for those of a stream that is
  /// being captured, which have to wait. What one throws comes after the others.
  static void submitFrom(State* one) {
    if (one == nullptr) return;
    std::exception_ptr failure;
    try {
      submitFrom(one->outer);
    } catch (...) {
      failure = std::current_exception();
    }
    if (!one->operations.empty() && !one->isHeldUp()) one->submit();
    if (failure != nullptr) std::rethrow_exception(failure);
  }

  static constexpr const char* kWhat = "StreamBatch";
  const Stream stream;
  std::vector<MemoryOperation> operations;
  std::vector<std::shared_ptr<StreamMark>> marks;

  static thread_local State* innermost;

 private:
  struct AtThreadEnd {
    ~AtThreadEnd() {
      if (!base::isForkedChild()) endAll();
    }
  };

  void enlist() {
    [[maybe_unused]] static thread_local const AtThreadEnd at_thread_end;
    outer = innermost;
    listed = shared_from_this();
    innermost = this;
  }
  void delist() noexcept {
    State** place = &innermost;
    while (*place != nullptr && *place != this) place = &(*place)->outer;
    if (*place == nullptr) return;
    *place = outer;
    listed.reset();
  }

  static State* outermostAbandoned() noexcept {
    State* found = nullptr;
    for (State* one = innermost; one != nullptr; one = one->outer) {
      if (one->is_abandoned.load(std::memory_order_acquire) && !one->isHeldUp()) found = one;
    }
    return found;
  }

  /// Its stream is being captured, and gets nothing from outside meanwhile. Where the driver does
  /// not tell, submitting fails in the same way.
  bool isHeldUp() const noexcept {
    try {
      const InContext context(stream.context, kWhat);
      return isCaptured(stream, kWhat);
    } catch (const std::exception&) {
      return false;
    }
  }

  std::atomic<bool> is_abandoned{false};
  State* outer = nullptr;
  std::shared_ptr<State> listed;  // itself, while it is in the list
};

constinit thread_local StreamBatch::State* StreamBatch::State::innermost = nullptr;

StreamBatch::StreamBatch(CUstream_st* stream) : state_(State::open(stream)) {}

StreamBatch::~StreamBatch() {
  if (base::isForkedChild()) return;
  State::submitAbandoned();
  state_->isOfThisThread() ? state_->end() : state_->abandon();
}

void StreamBatch::submit() {
  base::requireNotForked();
  State::submitAbandoned();
  if (State* const collector = State::collectorOf(state_->stream)) collector->submit();
}

void StreamBatch::submitAll() {
  if (State::innermost == nullptr) return;
  base::requireNotForked();
  submitBatches();
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
  StreamBatch::State::submitAbandoned();
  if (StreamBatch::State* const batch = StreamBatch::State::collectorOf(stream))
    return batch->add(operation, std::move(mark));
  MemoryOperation one = operation;
  put(stream, &one, 1, what);
}

void submitBatches() {
  StreamBatch::State::submitAbandoned();
  StreamBatch::State::submitFrom(StreamBatch::State::innermost);
}

}  // namespace ucxx::cuda
