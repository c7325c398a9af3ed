// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The library asks about an address by cuPointerGetAttributes, as src/ucp/device_memory.cpp does:
// for each send and receive that does not say where its memory is. Beside it the one for one
// attribute, which makes an error of memory that it does not know.

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

constexpr int kCalls = 2000;
constexpr int kRounds = 11;
constexpr std::size_t kBytes = 64 << 10;

Result askType(Address address) {
  unsigned type = 0;
  return driver().pointerAttribute(&type, kMemoryType, address);
}

/// What the library asks.
struct Answer {
  Result result = kSuccess;
  unsigned type = 0, managed = 0;

  explicit Answer(Address address) {
    int attributes[]{kMemoryType, kIsManaged};
    void* places[]{&type, &managed};
    result = driver().pointerAttributes(2, attributes, places, address);
  }
  void tell(const std::string& what) const {
    fact(what, {{"result", nameOf(result)}, {"type", type}, {"is managed", (managed & 0xff) != 0}});
  }
};

template <class Ask>
double nanosecondsOf(const Ask& ask) {
  return timed([&] {
           for (int call = 0; call < kCalls; ++call) ask();
         }) *
         1000 / kCalls;
}

double nanosecondsOfAsking(Address address) {
  return nanosecondsOf([=] { (void)Answer(address); });
}

/// What the driver says of an address, and what asking costs.
void tellAddress(const std::string& what, Address address) {
  unsigned type = 0, managed = 0;
  const Result result = driver().pointerAttribute(&type, kMemoryType, address);
  const Result second = driver().pointerAttribute(&managed, kIsManaged, address);
  fact(what + ": answer", {{"result", nameOf(result)},
                           {"type", type},
                           {"is managed", (managed & 0xff) != 0 && second == kSuccess}});
  std::vector<double> samples;
  for (int round = 0; round < kRounds; ++round)
    samples.push_back(nanosecondsOf([=] { askType(address); }));
  times(what + ": cuPointerGetAttribute", samples, "ns");
  Answer(address).tell(what + ": answer of both");
  samples.clear();
  for (int round = 0; round < kRounds; ++round) samples.push_back(nanosecondsOfAsking(address));
  times(what + ": cuPointerGetAttributes of both", samples, "ns");
}

/// Do threads that ask wait for each other?
void tellThreads(Address address, std::size_t count) {
  std::vector<double> samples(count);
  std::vector<std::thread> threads;
  for (double& sample : samples)
    threads.emplace_back([&sample, address] { sample = nanosecondsOfAsking(address); });
  for (std::thread& thread : threads) thread.join();
  times("memory of malloc, " + std::to_string(count) + " threads without a context, of both",
        samples, "ns");
}

/// While a stream waits, and while it works.
void tellWhileBusy(Address host, Address device) {
  const Words words;
  const Stream stream = makeStream();
  must("cuStreamWaitValue64", driver().waitValue64(stream, words.at(0), 1, kGreaterOrEqual));
  times("memory of malloc, while a stream waits, of both", {nanosecondsOfAsking(host)}, "ns");
  times("memory of the device, while a stream waits, of both", {nanosecondsOfAsking(device)}, "ns");
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
  tellAddress("the stack", reinterpret_cast<Address>(&host));

  Address device = 0, managed = 0;
  void* pinned = nullptr;
  if (check("cuMemAlloc", driver().allocate(&device, kBytes))) {
    tellAddress("memory of the device", device);
    tellAddress("memory of the device, its last byte", device + kBytes - 1);
    std::thread([=] {
      Answer(device).tell("memory of the device, by a thread without a context");
    }).join();
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
