// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "producer.h"

#include <string>

#include <ucxx/exception.h>

#include "base/cuda_driver.h"
#include "core/request/device_copies.h"
#include "without_gil.h"

namespace ucxx::python {
namespace {

namespace cuda = base::cuda;

constexpr int kContextAttribute = 1;   // CU_POINTER_ATTRIBUTE_CONTEXT
constexpr unsigned kWithoutTimes = 2;  // CU_EVENT_DISABLE_TIMING
constexpr std::uint64_t kPerThread = 2;
constexpr char kOfArray[] = "the stream of an array: ";
constexpr char kOfCondition[] = "the stream of a condition: ";

/// CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED to CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD
bool isOfCapture(cuda::Result result) { return result >= 900 && result <= 908; }

void check(cuda::Result result, const char* call, const char* whose = kOfArray) {
  if (result == cuda::kSuccess) return;
  const std::string text = std::string(whose) + call + ": error " + std::to_string(result) +
                           " of CUDA (" + cuda::textOf(result) + ")";
  if (result == cuda::kInvalidHandle || result == cuda::kInvalidValue ||
      result == cuda::kInvalidContext || isOfCapture(result))
    throw InvalidParamError(text);
  throw IOError(text);
}

/// False: nobody has called cuInit, or this is a forked child.
bool isInUse(const cuda::Driver& driver) {
  cuda::Context current = nullptr;
  return driver.getContext(&current) != cuda::kNotInitialized;
}

cuda::Context currentContext(const cuda::Driver& driver) {
  cuda::Context current = nullptr;
  return driver.getContext(&current) == cuda::kSuccess ? current : nullptr;
}

/// Null: the driver knows none.
cuda::Context contextOfMemory(const cuda::Driver& driver, const void* data) {
  cuda::Context found = nullptr;
  const auto address = reinterpret_cast<cuda::Address>(data);
  const cuda::Result result = driver.pointerAttribute(&found, kContextAttribute, address);
  return result == cuda::kSuccess ? found : nullptr;
}

/// The processor writes there, and looks at no gate.
bool isManaged(const cuda::Driver& driver, const void* data) {
  unsigned is_managed = 0;  // a bool, of which the driver may write more than a byte
  const auto address = reinterpret_cast<cuda::Address>(data);
  const cuda::Result result = driver.pointerAttribute(&is_managed, cuda::kIsManaged, address);
  return result == cuda::kSuccess && (is_managed & 0xff) != 0;
}

/// All calls are allowed though another thread captures.
class Relaxed {
 public:
  explicit Relaxed(const cuda::Driver& driver) : driver_(driver) {
    (void)driver.exchangeCaptureMode(&mode_);
  }
  ~Relaxed() { driver_.exchangeCaptureMode(&mode_); }
  Relaxed(const Relaxed&) = delete;
  Relaxed& operator=(const Relaxed&) = delete;

 private:
  const cuda::Driver& driver_;
  int mode_ = cuda::kRelaxedCapture;
};

/// In a context, if it is not null.
class Inside {
 public:
  Inside(const cuda::Driver& driver, cuda::Context context)
      : driver_(driver), before_(currentContext(driver)) {
    if (context == nullptr || before_ == context) return;
    check(driver.setContext(context), "cuCtxSetCurrent");
    is_other_ = true;
  }
  ~Inside() {
    if (is_other_) driver_.setContext(before_);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  const cuda::Driver& driver_;
  const cuda::Context before_;
  bool is_other_ = false;
};

/// Throws where the driver does not tell, as of the legacy stream while one is captured that waits
/// for it: nothing can be done with such a stream either.
bool isCaptured(const cuda::Driver& driver, cuda::Stream stream, const char* whose) {
  int state = 0;
  check(driver.isCapturing(stream, &state), "cuStreamIsCapturing", whose);
  return state != 0;
}

/// Not for a stream that is captured: the question ends the capture.
cuda::Context contextOfStream(const cuda::Driver& driver, cuda::Stream stream) {
  cuda::Context found = nullptr;
  if (reinterpret_cast<std::uint64_t>(stream) <= kPerThread) return currentContext(driver);
  check(driver.streamContext(stream, &found), "cuStreamGetCtx");
  return found;
}

/// An event of the current context, for one wait.
class EventOnce {
 public:
  explicit EventOnce(const cuda::Driver& driver) : driver_(driver) {
    check(driver.createEvent(&event_, kWithoutTimes), "cuEventCreate");
  }
  ~EventOnce() {
    if (event_ != nullptr) driver_.destroyEvent(event_);  // who waits for it goes on waiting
  }
  EventOnce(const EventOnce&) = delete;
  EventOnce& operator=(const EventOnce&) = delete;

  /// In the context of `from`.
  void join(cuda::Stream from, const Consumer& to) const {
    check(driver_.recordEvent(event_, from), "cuEventRecord");
    const Inside context(driver_, to.context);
    check(driver_.waitEvent(to.stream, event_, 0), "cuStreamWaitEvent", kOfCondition);
  }

 private:
  const cuda::Driver& driver_;
  cuda::Event event_ = nullptr;
};

bool isConsumerCaptured(const cuda::Driver& driver, const Consumer& consumer) {
  const Inside context(driver, consumer.context);
  return isCaptured(driver, consumer.stream, kOfCondition);
}

[[noreturn]] void refuseCaptured(const char* why) {
  throw InvalidParamError(std::string(kOfArray) + why);
}

void follow(const cuda::Driver& driver, cuda::Stream producer, const Consumer& consumer) {
  const bool is_captured = isCaptured(driver, producer, kOfArray);
  const bool is_consumer_captured = isConsumerCaptured(driver, consumer);
  if (is_captured && !is_consumer_captured)
    refuseCaptured(
        "it is being captured, and that of the condition is not, which cannot wait for it; post "
        "the transfer to a stream of the capture, or after the capture");
  if (!is_captured && is_consumer_captured)
    refuseCaptured(
        "that of the condition is being captured, and cannot wait for another one; wait for the "
        "producer before the capture, and give an array that names no stream, or the captured one");
  const Inside context(driver, is_captured ? nullptr : contextOfStream(driver, producer));
  EventOnce(driver).join(producer, consumer);
}

void synchronize(const cuda::Driver& driver, cuda::Stream producer) {
  if (isCaptured(driver, producer, kOfArray))
    refuseCaptured(
        "it is being captured, and what it does is not there before a launch; post the transfer "
        "with a condition of that stream, or after the capture");
  const Inside context(driver, contextOfStream(driver, producer));
  check(driver.synchronizeStream(producer), "cuStreamSynchronize");
}

std::shared_ptr<core::CopyGate> gateBehind(const cuda::Driver& driver, cuda::Stream producer) {
  if (isCaptured(driver, producer, kOfArray))
    refuseCaptured(
        "it is being captured, and what it does with the memory is not done before a launch; "
        "receive before the capture or after it, or into memory of the host");
  const Inside context(driver, contextOfStream(driver, producer));
  return core::CopyGate::behind(producer);
}

}  // namespace

Consumer streamConsumer(CUstream_st* stream) {
  const cuda::Driver* const driver = cuda::driver();
  return {Consumer::Kind::Stream, stream, driver == nullptr ? nullptr : currentContext(*driver)};
}

bool isBeingCaptured(const Consumer& consumer) {
  if (consumer.kind != Consumer::Kind::Stream) return false;
  const WithoutGil released;
  const cuda::Driver* const driver = cuda::driver();
  return driver != nullptr && isInUse(*driver) && isConsumerCaptured(*driver, consumer);
}

void awaitProducer(const Consumer& consumer, std::uint64_t producer, const void* data) {
  const auto stream = reinterpret_cast<cuda::Stream>(producer);
  if (consumer.kind == Consumer::Kind::Later) return;
  if (producer > kPerThread && stream == consumer.stream) return;
  const WithoutGil released;
  const cuda::Driver* const driver = cuda::driver();
  if (driver == nullptr || !isInUse(*driver)) return;
  const Relaxed relaxed(*driver);
  const cuda::Context known = contextOfMemory(*driver, data);
  const Inside context(*driver, known != nullptr ? known : consumer.context);
  if (consumer.kind == Consumer::Kind::Stream)
    follow(*driver, stream, consumer);
  else if (consumer.kind == Consumer::Kind::Copy && !isManaged(*driver, data))
    *consumer.gate = gateBehind(*driver, stream);
  else
    synchronize(*driver, stream);
}

}  // namespace ucxx::python
