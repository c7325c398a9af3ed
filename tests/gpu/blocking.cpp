// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Which calls of the driver wait for a stream that waits: what the library may not do while
// something is armed.

#include <cstdlib>
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

constexpr std::chrono::milliseconds kHeldUp{250};
constexpr std::size_t kLength = 1 << 20;

/// What the calls need, made before anything waits. Never freed: a call may be left behind.
struct Things {
  Words words;
  Stream other = makeStream(), third = makeStream();
  Address device = 0, to_free = 0, from_pool = 0;
  void* pinned = nullptr;
  void* pinned_to_free = nullptr;
  char* pages = static_cast<char*>(std::aligned_alloc(4096, kLength));
  Module module = nullptr;
  Event event = nullptr;
  Graph graph = nullptr;

  Things() {
    must("cuMemAlloc", driver().allocate(&device, kLength));
    must("cuMemAlloc", driver().allocate(&to_free, kLength));
    must("cuMemHostAlloc", driver().allocateHost(&pinned, kLength, kPortable));
    must("cuMemHostAlloc", driver().allocateHost(&pinned_to_free, kLength, kPortable));
    must("cuEventCreate", driver().createEvent(&event, 2));
    must("cuGraphCreate", driver().createGraph(&graph, 0));
  }
};

/// A call while a stream waits: does it come back before the stream goes on? And after?
void tellCallBeside(Things& things, const std::string& name, const std::function<Result()>& call) {
  const Stream stream = makeStream();
  things.words[0] = 0;
  must("the gate", driver().waitValue64(stream, things.words.at(0), 1, kGreaterOrEqual));
  const Aside aside(call);
  const bool comes_back = aside.endsWithin(kHeldUp);
  things.words[0] = 1;
  fact(name, comes_back ? "comes back" : "waits for the stream");
  if (expect(name, aside.endsWithin(kPatience), "it never came back"))
    fact(name + ": result", nameOf(aside.result()));
  drains(name.c_str(), stream);
}

void tellMemory(Things& my) {
  tellCallBeside(my, "cuMemAlloc", [&] { return driver().allocate(&my.from_pool, kLength); });
  tellCallBeside(my, "cuMemFree", [&] { return driver().free(my.to_free); });
  tellCallBeside(my, "cuMemHostAlloc", [&] {
    void* block = nullptr;
    return driver().allocateHost(&block, kLength, kPortable);
  });
  tellCallBeside(my, "cuMemFreeHost", [&] { return driver().freeHost(my.pinned_to_free); });
  tellCallBeside(my, "cuMemHostRegister",
                 [&] { return driver().registerHost(my.pages, kLength, kPortable); });
  tellCallBeside(my, "cuMemHostUnregister", [&] { return driver().unregisterHost(my.pages); });
  tellCallBeside(my, "cuMemAllocAsync in another stream",
                 [&] { return driver().allocateAsync(&my.from_pool, kLength, my.other); });
  tellCallBeside(my, "cuMemFreeAsync in another stream",
                 [&] { return driver().freeAsync(my.from_pool, my.other); });
  tellCallBeside(my, "cuPointerGetAttribute", [&] {
    unsigned type = 0;
    return driver().pointerAttribute(&type, 2, my.device);
  });
}

void tellCopiesBeside(Things& my) {
  tellCallBeside(my, "cuMemcpyDtoH", [&] { return driver().copyOut(my.pinned, my.device, 64); });
  tellCallBeside(my, "cuMemcpyHtoD", [&] { return driver().copyIn(my.device, my.pinned, 64); });
  tellCallBeside(my, "cuMemcpyHtoD of pageable memory",
                 [&] { return driver().copyIn(my.device, my.pages, kLength); });
  tellCallBeside(my, "cuMemsetD8", [&] { return driver().fill8(my.device, 0, 64); });
  tellCallBeside(my, "a copy in another stream, and its end", [&] {
    const Result result = driver().copyOutAsync(my.pinned, my.device, kLength, my.other);
    return result != kSuccess ? result : driver().synchronizeStream(my.other);
  });
  tellCallBeside(my, "a write in the legacy stream, and its end", [&] {
    const Result result = driver().writeValue64(nullptr, my.words.at(1), 1, 0);
    return result != kSuccess ? result : driver().synchronizeStream(nullptr);
  });
}

void tellStreamsBeside(Things& my) {
  tellCallBeside(my, "cuStreamCreate", [&] {
    Stream made = nullptr;
    return driver().createStream(&made, kNonBlocking);
  });
  tellCallBeside(my, "cuStreamDestroy of another stream",
                 [&] { return driver().destroyStream(my.third); });
  tellCallBeside(my, "cuStreamSynchronize of another stream",
                 [&] { return driver().synchronizeStream(my.other); });
  tellCallBeside(my, "cuEventRecord and cuEventQuery in another stream", [&] {
    const Result result = driver().recordEvent(my.event, my.other);
    driver().queryEvent(my.event);
    return result;
  });
  tellCallBeside(my, "cuCtxSynchronize", [] { return driver().synchronize(); });
}

void tellCode(Things& my) {
  tellCallBeside(my, "cuModuleLoadData", [&] { return driver().loadModule(&my.module, kKernels); });
  tellCallBeside(my, "first launch of a kernel", [&] {
    Kernel kernel = nullptr;
    Address word = my.words.at(2);
    std::uint64_t value = 1;
    void* parameters[]{&word, &value};
    Result result = driver().getFunction(&kernel, my.module, "write_word");
    if (result == kSuccess)
      result = driver().launch(kernel, 1, 1, 1, 1, 1, 1, 0, my.other, parameters, nullptr);
    return result != kSuccess ? result : driver().synchronizeStream(my.other);
  });
  tellCallBeside(my, "cuModuleUnload", [&] { return driver().unloadModule(my.module); });
  tellCallBeside(my, "cuGraphInstantiate, launch and end", [&] {
    Exec exec = nullptr;
    Result result = driver().instantiate(&exec, my.graph, 0);
    if (result == kSuccess) result = driver().launchGraph(exec, my.other);
    return result != kSuccess ? result : driver().synchronizeStream(my.other);
  });
  tellCallBeside(my, "cuFlushGPUDirectRDMAWrites", [] { return driver().flushWrites(0, 100); });
}

}  // namespace

void tellBlocking() {
  useDevice();
  auto& things = *new Things;
  tellMemory(things);
  tellCopiesBeside(things);
  tellStreamsBeside(things);
  tellCode(things);
}

}  // namespace gpu
