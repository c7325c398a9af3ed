// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Staging: device memory to and from page-locked memory, by the copy engine and by a kernel, each
// told of in a word; and the bandwidth of page-locked, shared and pageable memory.

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <sys/mman.h>

#include "gpu/groups.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace gpu {
namespace {

constexpr std::size_t kLargest = std::size_t{64} << 20;
constexpr int kSamples = 30;

/// Enqueues a copy.
using Copy = std::function<Result(Stream, std::size_t bytes)>;

std::string textOf(std::size_t bytes) {
  return bytes < 1024      ? std::to_string(bytes) + " B"
         : bytes < 1 << 20 ? std::to_string(bytes >> 10) + " KiB"
                           : std::to_string(bytes >> 20) + " MiB";
}

/// From the call to a word that the stream writes behind the copy.
void tellCopy(const std::string& name, const Copy& copy) {
  const Words words;
  const Stream stream = makeStream();
  std::uint64_t number = 0;
  for (const std::size_t bytes : {8ul, 1024ul, 4096ul, 65536ul, 1ul << 20, 16ul << 20}) {
    std::vector<double> samples;
    for (int sample = 0; sample < kSamples; ++sample) {
      const double begin = microseconds();
      const Result result = copy(stream, bytes);
      must("cuStreamWriteValue64", driver().writeValue64(stream, words.at(0), ++number, 0));
      if (!check(name, result) ||
          !expect(name, eventually([&] { return words[0] == number; }), "its word never came"))
        return;
      samples.push_back(microseconds() - begin);
    }
    times(name + ", " + textOf(bytes), samples, "us");
  }
}

void tellSynchronised(const std::string& name, const Copy& copy) {
  const Stream stream = makeStream();
  for (const std::size_t bytes : {8ul, 65536ul, 1ul << 20}) {
    std::vector<double> samples;
    for (int sample = 0; sample < kSamples; ++sample)
      samples.push_back(timed([&] {
        check(name, copy(stream, bytes));
        check(name, driver().synchronizeStream(stream));
      }));
    times(name + ", " + textOf(bytes), samples, "us");
  }
}

Copy byKernel(Address to, Address from) {
  return [to, from](Stream stream, std::size_t bytes) {
    launch("copy_words", stream, {to, from, bytes / 8}, bytes > 65536 ? 64 : 8, 256);
    return kSuccess;
  };
}

void tellBandwidth(const std::string& name, Address device, void* host) {
  std::vector<double> in, out;
  for (int sample = 0; sample < 5; ++sample) {
    Result result = kSuccess;
    in.push_back(kLargest / 1e3 / timed([&] { result = driver().copyIn(device, host, kLargest); }));
    check(name, result);
    out.push_back(kLargest / 1e3 /
                  timed([&] { result = driver().copyOut(host, device, kLargest); }));
    check(name, result);
  }
  times(name + ", to the device", in, "GB/s");
  times(name + ", to the host", out, "GB/s");
}

}  // namespace

void tellCopies() {
  useDevice();
  Address device = 0, second = 0, there = 0;
  void* pinned = nullptr;
  must("cuMemAlloc", driver().allocate(&device, kLargest));
  must("cuMemAlloc", driver().allocate(&second, kLargest));
  must("cuMemHostAlloc", driver().allocateHost(&pinned, kLargest, kPortable | kDeviceMap));
  must("cuMemHostGetDevicePointer", driver().deviceAddress(&there, pinned, 0));
  std::memset(pinned, 1, kLargest);

  const Copy out = [=](Stream s, std::size_t n) {
    return driver().copyOutAsync(pinned, device, n, s);
  };
  const Copy in = [=](Stream s, std::size_t n) {
    return driver().copyInAsync(device, pinned, n, s);
  };
  tellCopy("copy engine to the host", out);
  tellCopy("copy engine to the device", in);
  tellCopy("kernel to the host", byKernel(there, device));
  tellCopy("kernel to the device", byKernel(device, there));
  tellCopy("kernel within the device", byKernel(second, device));
  tellSynchronised("copy engine to the host, synchronised", out);

  tellBandwidth("64 MiB, page-locked by the driver", device, pinned);
  void* const pages =
      ::mmap(nullptr, kLargest, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::memset(pages, 1, kLargest);
  tellBandwidth("64 MiB, pageable", device, pages);
  if (check("cuMemHostRegister", driver().registerHost(pages, kLargest, kPortable)))
    tellBandwidth("64 MiB, page-locked pages of ours", device, pages);
}

}  // namespace gpu
