// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/copy_stream.h"

#include <cerrno>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <utility>

#include <sys/mman.h>

#include "base/immortal.h"
#include "base/log.h"
#include "base/system_error.h"
#include "cuda/staging_memory.h"
#include "cuda/stream.h"
#include "cuda/waiting_streams.h"

namespace ucxx::cuda {
namespace {

constexpr const char* kWhat = "copy";
/// How often the driver is asked: it takes some microseconds, and may be held up by others.
constexpr base::Duration kAskEach = std::chrono::milliseconds(1);
constexpr base::Duration kAskEachWithoutWords = std::chrono::microseconds(5);
constexpr std::size_t kPageBytes = 4096, kLineBytes = 64;

/// Words that copy streams write, each in a line of its own. They stay for ever: a stream may write
/// one late.
class CopyWords {
 public:
  std::atomic<std::uint64_t>* take() {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) addPage();
    --left_;
    return new (next_ += kLineBytes) std::atomic<std::uint64_t>(0);
  }

 private:
  void addPage() {
    void* const page =
        ::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) base::throwErrno(errno, "map the words of copies");
    ::madvise(page, kPageBytes, MADV_DONTFORK);
    next_ = static_cast<std::byte*>(page) - kLineBytes;
    left_ = kPageBytes / kLineBytes;
  }

  std::mutex mutex_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

CopyWords& copyWords() {
  static base::Immortal<CopyWords> only;
  return *only;
}

void* pageOf(const void* word) noexcept {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(word) & ~(kPageBytes - 1));
}

/// Where a device of the current context writes it; 0: it cannot.
Address onDevice(const void* word) noexcept {
  const Driver& driver = *base::cuda::driver();
  int device = 0, has_them = 0;
  const bool may = driver.contextDevice(&device) == base::cuda::kSuccess &&
                   driver.deviceAttribute(&has_them, base::cuda::kMemoryOperations64, device) ==
                       base::cuda::kSuccess &&
                   has_them != 0 && driver.writeValue64.isThere();
  if (!may) return 0;
  // It says so where it has been locked already.
  constexpr unsigned kFlags = base::cuda::kPortable | base::cuda::kDeviceMap;
  (void)driver.registerHost(pageOf(word), kPageBytes, kFlags);
  Address address = 0;
  const Result result = driver.deviceAddress(&address, const_cast<void*>(word), 0);
  return result == base::cuda::kSuccess ? address : 0;
}

/// The highest that there is: what copies wait for is short.
int highestPriority(const Driver& driver) {
  int lowest = 0, highest = 0;
  return driver.priorityRange(&lowest, &highest) == base::cuda::kSuccess ? highest : 0;
}

}  // namespace

CurrentContext::CurrentContext(Context context, const char* what) {
  const Driver& driver = requireDriver(what);
  check(driver.getContext(&before_), "cuCtxGetCurrent", what);
  if (before_ == context) return;
  check(driver.setContext(context), "cuCtxSetCurrent", what);
  is_other_ = true;
}

CurrentContext::~CurrentContext() {
  if (is_other_) base::cuda::driver()->setContext(before_);
}

CopyStream::CopyStream(Context context) : context_(context), word_(copyWords().take()) {
  const Driver& driver = requireDriver(kWhat);
  check(
      driver.createStreamWithPriority(&stream_, base::cuda::kNonBlocking, highestPriority(driver)),
      "cuStreamCreateWithPriority", kWhat);
  word_on_device_ = onDevice(word_);
}

std::uint64_t CopyStream::copy(Address to, Address from, std::size_t size, const std::byte* block) {
  const CurrentContext current(context_, kWhat);
  const DespiteCaptures allowed(kWhat);
  if (block != nullptr) keepLocked(block);
  const Driver& driver = requireDriver(kWhat);
  const std::lock_guard lock(mutex_);
  check(driver.copyAsync(to, from, size, stream_), "cuMemcpyAsync", kWhat);
  const std::uint64_t number = last_.load(std::memory_order_relaxed) + 1;
  last_.store(number, std::memory_order_relaxed);
  if (!writesWords()) return number;
  // The copy is under way: whoever gets no number for it could not tell when its places are free.
  if (const Result result = writeWord(number); result != base::cuda::kSuccess)
    fail(result, "cuStreamWriteValue64");
  return number;
}

/// The page goes with the context that has locked it, as blocks do.
Result CopyStream::writeWord(std::uint64_t number) noexcept {
  const Driver& driver = *base::cuda::driver();
  const Result result = driver.writeValue64(stream_, word_on_device_, number, 0);
  if (result == base::cuda::kSuccess) return result;
  const Address address = onDevice(word_);
  return address == 0 ? result : driver.writeValue64(stream_, address, number, 0);
}

/// One thread at a time.
bool CopyStream::mayAsk(base::TimePoint now) noexcept {
  base::TimePoint at = ask_at_.load(std::memory_order_relaxed);
  return now >= at && !hasFailed() &&
         ask_at_.compare_exchange_strong(at,
                                         now + (writesWords() ? kAskEach : kAskEachWithoutWords),
                                         std::memory_order_relaxed);
}

void CopyStream::ask() noexcept {
  const std::uint64_t last = last_.load(std::memory_order_relaxed);
  Result result = base::cuda::kNotReady;
  try {
    const CurrentContext current(context_, kWhat);
    const DespiteCaptures allowed(kWhat);
    result = base::cuda::driver()->queryStream(stream_);
  } catch (const std::exception&) {  // the context has gone
    result = base::cuda::kContextIsDestroyed;
  }
  if (result == base::cuda::kNotReady) return;
  if (result != base::cuda::kSuccess) return fail(result, "cuStreamQuery");
  asked_.store(last, std::memory_order_release);
}

void CopyStream::provideBlocks() const noexcept try {
  const CurrentContext current(context_, kWhat);
  const DespiteCaptures allowed(kWhat);
  cuda::provideBlocks();
} catch (const std::exception&) {  // the copy itself will tell
}

void CopyStream::fail(Result result, const char* call) noexcept {
  if (has_failed_.exchange(true, std::memory_order_acq_rel)) return;
  base::log(
      LogLevel::Error, "cuda",
      "copies from and to a device have failed: {}: {} ({}); what had not ended does not come",
      call, base::cuda::nameOf(result), base::cuda::textOf(result));
}

namespace {

/// By context. A handle may be another one's when the first was destroyed; the id tells.
class AllStreams {
 public:
  CopyStreams& of(Context context, int device) {
    const std::lock_guard lock(mutex_);
    if (context == nullptr) context = primaryOf(device);
    const std::uint64_t id = idOf(context);
    std::unique_ptr<CopyStreams>& streams = streams_[{context, id}];
    if (streams != nullptr) return *streams;
    const CurrentContext current(context, kWhat);
    const DespiteCaptures allowed(kWhat);
    streams = std::make_unique<CopyStreams>(context);
    countCopyStreams(context);
    return *streams;
  }

 private:
  static std::uint64_t idOf(Context context) {
    const Driver& driver = requireDriver(kWhat);
    unsigned long long id = 0;
    if (driver.contextId.isThere()) check(driver.contextId(context, &id), "cuCtxGetId", kWhat);
    return id;
  }
  Context primaryOf(int device) {
    Context& primary = primaries_[device];
    if (primary == nullptr)
      check(requireDriver(kWhat).retainContext(&primary, device), "cuDevicePrimaryCtxRetain",
            kWhat);
    return primary;
  }

  std::mutex mutex_;
  std::map<std::pair<Context, std::uint64_t>, std::unique_ptr<CopyStreams>> streams_;
  std::map<int, Context> primaries_;
};

}  // namespace

CopyStreams& copyStreamsOf(Context context, int device) {
  static base::Immortal<AllStreams> all;
  return (*all).of(context, device);
}

}  // namespace ucxx::cuda
