// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What every benchmark starts from: kernels that have run once, memory that both sides see, workers
// of this process that are connected, and streams.

#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ucxx/api.h>

#include "gpu/report.h"
#include "gpu/setting.h"

namespace gpu::bench {

using Word = unsigned long long;

/// A few iterations of each: does it run, do the bytes come?
bool isQuick();
inline int repetitions() { return isQuick() ? 1 : 7; }

/// The device is current, all kernels have run once, and the library's words are page-locked: what
/// is first done later waits for streams that wait.
void warmUp();

/// The kernel of that name.
Kernel kernelNamed(const char* name);
struct Grid {
  unsigned blocks, threads;
};
Grid gridOf(std::size_t words);
template <class... Arguments>
void run(const char* kernel, Stream stream, Grid grid, Arguments... arguments) {
  void* places[]{&arguments...};  // the driver copies what is there
  must(kernel, driver().launch(kernelNamed(kernel), grid.blocks, 1, 1, grid.threads, 1, 1, 0,
                               stream, places, nullptr));
}

/// Zeros in memory of the library that is page-locked, never given back; each begins a page.
Word* pinnedWords(std::size_t count);
/// Zeros in memory of the device, never given back.
Word* deviceWords(std::size_t count);

/// How many words were other than kernels have expected.
class WrongWords {
 public:
  WrongWords() : count_(deviceWords(1)) {}
  Word* place() const { return count_; }
  /// While no stream waits. Records an error, and counts anew.
  void check(const std::string& name) const;

 private:
  Word* const count_;
};

/// A stream, until the end of its scope; what it waits for has come by then.
class OwnStream {
 public:
  OwnStream() : stream_(makeStream()) {}
  ~OwnStream() { driver().destroyStream(stream_); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  operator Stream() const { return stream_; }  // NOLINT(google-explicit-constructor)

 private:
  const Stream stream_;
};

/// Workers of this process, each of which is connected with each other one.
class Crew {
 public:
  /// With progress threads of that mode, or moved by the caller.
  Crew(int size, std::optional<ucxx::ProgressMode> mode);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  const std::shared_ptr<ucxx::Worker>& worker(int number) const { return workers_.at(number); }
  const std::shared_ptr<ucxx::Endpoint>& endpoint(int from, int to) const {
    return endpoints_.at(from).at(to);
  }
  /// Seconds of processor time that the progress threads have had.
  double threadSeconds() const;
  /// Until a request has ended, whoever moves the workers; throws what it has failed with.
  void finish(const std::shared_ptr<ucxx::Request>& request) const;

 private:
  void meet(int from, int to) const;
  void start(int number, ucxx::ProgressMode mode);

  const bool has_threads_;
  std::vector<std::shared_ptr<ucxx::Worker>> workers_;
  std::vector<std::vector<std::shared_ptr<ucxx::Endpoint>>> endpoints_;
  std::vector<clockid_t> clocks_;
};

/// The context of all workers, and of the memory.
const std::shared_ptr<ucxx::Context>& context();

/// Each body in a thread of its own, in which the device is current if `has_device`. They begin
/// together. Microseconds until the last one ends; throws what one of them throws.
double together(const std::vector<std::function<void()>>& bodies, bool has_device = true);

double secondsOf(clockid_t clock);

}  // namespace gpu::bench
