// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// After a kernel has touched what it may not: the context is lost. What do waits in other streams
// do, and what does the driver say of an address then? The library must still move host memory, and
// must not take a device's for the host's.

#include <string>

#include "gpu/groups.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/setting.h"
#include "gpu/step.h"

namespace gpu {
namespace {

constexpr std::chrono::milliseconds kAfterwards{500};
constexpr Address kNowhere = 8;

void tellAnswer(const std::string& what, Address address) {
  unsigned type = 0, managed = 0;
  int attributes[]{2, 8};  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED
  void* places[]{&type, &managed};
  const Result result = driver().pointerAttributes(2, attributes, places, address);
  fact(what, {{"result", nameOf(result)}, {"type", type}});
}

void tellAfterError() {
  const Words words;
  const Stream waiting = makeStream(), failing = makeStream();
  static const int ours = 0;
  Address device = 0;
  must("cuMemAlloc", driver().allocate(&device, 4096));
  must("a wait", enqueue(waiting, {wait(words, 0, 1), write(words, 1, 1)}));
  at("the kernel that fails");
  launch("write_word", failing, {kNowhere, 1});
  Result result = kNotReady;
  eventually([&] { return (result = driver().queryStream(failing)) != kNotReady; });
  fact("a kernel that writes nowhere", nameOf(result));
  at("the calls after it");
  words[0] = 1;
  fact("a wait in another stream goes on, and its write comes",
       eventually([&] { return words[1] == 1; }, kAfterwards));
  answer("cuStreamQuery of the other stream", driver().queryStream(waiting));
  answer("a write in the other stream", driver().writeValue64(waiting, words.at(2), 1, 0));
  fact("... comes", eventually([&] { return words[2] == 1; }, kAfterwards));
  tellAnswer("an address of the host", reinterpret_cast<Address>(&ours));
  tellAnswer("an address of the device", device);
  tellAnswer("page-locked pages", words.at(0));
  answer("cuMemHostUnregister", driver().unregisterHost(reinterpret_cast<void*>(&words[0])));
}

}  // namespace

void tellSticky() {
  useDevice();
  warmKernels();
  step("after an error", tellAfterError);
}

}  // namespace gpu
