// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The library asks about an address by cuPointerGetAttribute, as src/ucp/device_memory.cpp does:
// for each send and receive that does not say where its memory is.

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gpu/groups.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace gpu {
namespace {

constexpr int kMemoryType = 2;   // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
constexpr int kPointerId = 7;    // CU_POINTER_ATTRIBUTE_BUFFER_ID
constexpr int kManagedType = 8;  // CU_POINTER_ATTRIBUTE_IS_MANAGED
constexpr int kCalls = 2000;
constexpr int kRounds = 11;
constexpr std::size_t kBytes = 64 << 10;

Result askType(Address address) {
  unsigned type = 0;
  return driver().pointerAttribute(&type, kMemoryType, address);
}

double nanosecondsOfAsking(Address address) {
  return timed([&] {
           for (int call = 0; call < kCalls; ++call) askType(address);
         }) *
         1000 / kCalls;
}

/// What the driver says of an address, and what asking costs.
void tellAddress(const std::string& what, Address address) {
  unsigned type = 0, managed = 0;
  const Result result = driver().pointerAttribute(&type, kMemoryType, address);
  const Result second = driver().pointerAttribute(&managed, kManagedType, address);
  fact(what + ": answer", {{"result", nameOf(result)},
                           {"type", type},
                           {"is managed", (managed & 0xff) != 0 && second == kSuccess}});
  std::vector<double> samples;
  for (int round = 0; round < kRounds; ++round) samples.push_back(nanosecondsOfAsking(address));
  times(what + ": cuPointerGetAttribute", samples, "ns");
}

/// Three attributes in one call.
void tellPlural(const std::string& what, Address address) {
  unsigned type = 0, managed = 0;
  unsigned long long id = 0;
  int attributes[]{kMemoryType, kManagedType, kPointerId};
  void* places[]{&type, &managed, &id};
  std::vector<double> samples;
  for (int round = 0; round < kRounds; ++round)
    samples.push_back(timed([&] {
                        for (int call = 0; call < kCalls; ++call)
                          driver().pointerAttributes(3, attributes, places, address);
                      }) *
                      1000 / kCalls);
  times(what + ": cuPointerGetAttributes of three", samples, "ns");
}

/// Do threads that ask wait for each other?
void tellThreads(Address address, std::size_t count) {
  std::vector<double> samples(count);
  std::vector<std::thread> threads;
  for (double& sample : samples)
    threads.emplace_back([&sample, address] { sample = nanosecondsOfAsking(address); });
  for (std::thread& thread : threads) thread.join();
  times("memory of malloc, " + std::to_string(count) + " threads without a context", samples, "ns");
}

/// While a stream waits, and while it works.
void tellWhileBusy(Address host, Address device) {
  const Words words;
  const Stream stream = makeStream();
  must("cuStreamWaitValue64", driver().waitValue64(stream, words.at(0), 1, kGreaterOrEqual));
  times("memory of malloc, while a stream waits", {nanosecondsOfAsking(host)}, "ns");
  times("memory of the device, while a stream waits", {nanosecondsOfAsking(device)}, "ns");
  words[0] = 1;
  drains("the stream that waited", stream);
}

}  // namespace

void tellPointers() {
  const std::unique_ptr<char[]> host(new char[kBytes]());
  const auto from_host = reinterpret_cast<Address>(host.get());
  tellAddress("before cuInit, memory of malloc", from_host);
  must("cuInit", driver().init(0));
  tellAddress("before a context, memory of malloc", from_host);
  useDevice();
  tellAddress("memory of malloc", from_host);
  tellPlural("memory of malloc", from_host);
  tellAddress("the stack", reinterpret_cast<Address>(&host));

  Address device = 0, managed = 0;
  void* pinned = nullptr;
  if (check("cuMemAlloc", driver().allocate(&device, kBytes))) {
    tellAddress("memory of the device", device);
    tellPlural("memory of the device", device);
  }
  if (check("cuMemHostAlloc", driver().allocateHost(&pinned, kBytes, kPortable)))
    tellAddress("page-locked memory of the driver", reinterpret_cast<Address>(pinned));
  const Words words;
  tellAddress("page-locked pages of ours", reinterpret_cast<Address>(&words[0]));
  if (check("cuMemAllocManaged", driver().allocateManaged(&managed, kBytes, 1)))
    tellAddress("managed memory", managed);
  if (check("cuMemAllocAsync", driver().allocateAsync(&device, kBytes, nullptr)) &&
      check("cuCtxSynchronize", driver().synchronize()))
    tellAddress("memory of a stream-ordered pool", device);
  for (const std::size_t threads : {1u, 4u}) tellThreads(from_host, threads);
  tellWhileBusy(from_host, device);
}

}  // namespace gpu
