// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "producer.h"

#include <string>

#include <ucxx/exception.h>

#include "base/cuda_driver.h"
#include "without_gil.h"

namespace ucxx::python {
namespace {

namespace cuda = base::cuda;

constexpr int kContextAttribute = 1;   // CU_POINTER_ATTRIBUTE_CONTEXT
constexpr unsigned kWithoutTimes = 2;  // CU_EVENT_DISABLE_TIMING
constexpr std::uint64_t kPerThread = 2;

void check(cuda::Result result, const char* call) {
  if (result == cuda::kSuccess || result == cuda::kNotInitialized) return;
  const std::string text = std::string("the stream of an array: ") + call + ": error " +
                           std::to_string(result) + " of CUDA (" + cuda::textOf(result) + ")";
  if (result == cuda::kInvalidHandle || result == cuda::kInvalidValue ||
      result == cuda::kInvalidContext)
    throw InvalidParamError(text);
  throw IOError(text);
}

/// The context of a stream, or for the two that each context has that of the memory. Null: that of
/// the thread.
cuda::Context contextOf(const cuda::Driver& driver, std::uint64_t stream, const void* data) {
  cuda::Context found = nullptr;
  if (stream > kPerThread) {
    const auto handle = reinterpret_cast<cuda::Stream>(stream);
    return driver.streamContext(handle, &found) == cuda::kSuccess ? found : nullptr;
  }
  const auto address = reinterpret_cast<cuda::Address>(data);
  const cuda::Result result = driver.pointerAttribute(&found, kContextAttribute, address);
  return result == cuda::kSuccess ? found : nullptr;
}

/// In a context, if it is not null, and with all calls allowed though another thread captures.
class Inside {
 public:
  Inside(const cuda::Driver& driver, cuda::Context context) : driver_(driver) {
    (void)driver.exchangeCaptureMode(&mode_);
    if (context == nullptr || driver.getContext(&before_) != cuda::kSuccess || before_ == context)
      return;
    is_other_ = driver.setContext(context) == cuda::kSuccess;
  }
  ~Inside() {
    if (is_other_) driver_.setContext(before_);
    driver_.exchangeCaptureMode(&mode_);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  const cuda::Driver& driver_;
  cuda::Context before_ = nullptr;
  bool is_other_ = false;
  int mode_ = cuda::kRelaxedCapture;
};

/// Also where the driver does not tell: while a stream is captured that waits for the legacy one.
bool isCaptured(const cuda::Driver& driver, cuda::Stream stream) {
  int state = 0;
  return driver.isCapturing(stream, &state) != cuda::kSuccess || state != 0;
}

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

  void join(cuda::Stream from, cuda::Stream to) const {
    check(driver_.recordEvent(event_, from), "cuEventRecord");
    check(driver_.waitEvent(to, event_, 0), "cuStreamWaitEvent");
  }

 private:
  const cuda::Driver& driver_;
  cuda::Event event_ = nullptr;
};

void follow(const cuda::Driver& driver, cuda::Stream producer, cuda::Stream consumer) {
  if (isCaptured(driver, producer) != isCaptured(driver, consumer)) return;
  EventOnce(driver).join(producer, consumer);
}

void synchronize(const cuda::Driver& driver, cuda::Stream producer) {
  if (isCaptured(driver, producer)) return;
  check(driver.synchronizeStream(producer), "cuStreamSynchronize");
}

}  // namespace

void awaitProducer(const Consumer& consumer, std::uint64_t producer, const void* data) {
  const auto stream = reinterpret_cast<cuda::Stream>(producer);
  if (consumer.kind == Consumer::Kind::Later || stream == consumer.stream) return;
  const WithoutGil released;
  const cuda::Driver* const driver = cuda::driver();
  if (driver == nullptr) return;
  const Inside inside(*driver, contextOf(*driver, producer, data));
  if (consumer.kind == Consumer::Kind::Stream)
    follow(*driver, stream, consumer.stream);
  else
    synchronize(*driver, stream);
}

}  // namespace ucxx::python
