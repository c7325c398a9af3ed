// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// While one thread's call waits for a stream that waits: which calls of another thread come back?
// The loop of a worker copies beside a program that may be held up so.

#include <functional>
#include <string>

#include "gpu/aside.h"
#include "gpu/groups.h"
#include "gpu/kernels.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace gpu {
namespace {

constexpr std::chrono::milliseconds kHeldFor{250};
constexpr std::size_t kCopied = 1 << 20;

/// What both threads need, made before anything waits. Never freed: a call may be left behind.
struct Both {
  Words words;
  Stream copies = makeStream(), launches = makeStream();
  Address device = 0, to_free = 0;
  void* pinned = nullptr;
  Event event = nullptr;

  Both() {
    must("cuMemAlloc", driver().allocate(&device, kCopied));
    must("cuMemAlloc", driver().allocate(&to_free, kCopied));
    must("cuMemHostAlloc", driver().allocateHost(&pinned, kCopied, kPortable));
    must("cuEventCreate", driver().createEvent(&event, 2));
    must("cuEventRecord", driver().recordEvent(event, copies));
    must("a copy", driver().copyInAsync(device, pinned, kCopied, copies));
    must("its end", driver().synchronizeStream(copies));
  }
};

Result launchFirst(Both& my) {
  Module module = nullptr;
  Kernel kernel = nullptr;
  Result result = driver().loadModule(&module, kKernels);
  if (result == kSuccess) result = driver().getFunction(&kernel, module, "write_word");
  if (result != kSuccess) return result;
  Address word = my.words.at(2);
  std::uint64_t value = 1;
  void* parameters[]{&word, &value};
  return driver().launch(kernel, 1, 1, 1, 1, 1, 1, 0, my.launches, parameters, nullptr);
}

struct Probe {
  const char* name;
  Result (*call)(Both& my);
};

constexpr Probe kProbes[] = {
    {"cuMemcpyHtoDAsync",
     [](Both& my) { return driver().copyInAsync(my.device, my.pinned, kCopied, my.copies); }},
    {"cuMemcpyDtoHAsync",
     [](Both& my) { return driver().copyOutAsync(my.pinned, my.device, kCopied, my.copies); }},
    {"cuStreamWriteValue64",
     [](Both& my) { return driver().writeValue64(my.copies, my.words.at(3), 1, 0); }},
    {"cuStreamQuery",
     [](Both& my) {
       const Result result = driver().queryStream(my.copies);
       return result == kNotReady ? kSuccess : result;
     }},
    {"cuEventQuery",
     [](Both& my) {
       const Result result = driver().queryEvent(my.event);
       return result == kNotReady ? kSuccess : result;
     }},
    {"cuPointerGetAttribute", [](Both& my) {
       unsigned type = 0;
       return driver().pointerAttribute(&type, 2, my.device);
     }}};

/// `holder` waits for a stream in one thread, and another one calls.
void tellWhile(const std::string& what, const std::function<Result(Both&)>& holder) {
  for (const Probe& probe : kProbes) {
    auto& my = *new Both;
    const std::string name = std::string(probe.name) + " while " + what + " waits";
    const Stream gate = makeStream();
    must("the gate", driver().waitValue64(gate, my.words.at(0), 1, kGreaterOrEqual));
    const Aside held([&] { return holder(my); });
    if (held.endsWithin(kHeldFor)) {
      fact(name, what + " does not wait");
      my.words[0] = 1;
      drains(name.c_str(), gate);
      continue;
    }
    const Aside aside([&] { return probe.call(my); });
    const bool comes_back = aside.endsWithin(kHeldFor);
    my.words[0] = 1;
    fact(name, comes_back ? "comes back" : "is held up");
    expect(name, aside.endsWithin(kPatience) && held.endsWithin(kPatience), "it never came back");
    fact(name + ": result", nameOf(aside.result()));
    drains(name.c_str(), gate);
  }
}

}  // namespace

void tellHeldUp() {
  useDevice();
  tellWhile("the first launch of a kernel", launchFirst);
  tellWhile("cuMemFree", [](Both& my) { return driver().free(my.to_free); });
  tellWhile("cuModuleLoadData", [](Both&) {
    Module module = nullptr;
    return driver().loadModule(&module, kKernels);
  });
}

}  // namespace gpu
