// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "base/cuda_driver.h"

#include <cstdio>

#include <dlfcn.h>

namespace ucxx::base::cuda {
namespace {

constexpr const char* kLibrary = "libcuda.so.1";
constexpr std::uint64_t kLegacyStreams = 1;  // CU_GET_PROC_ADDRESS_LEGACY_STREAM

/// Finds a function in the form that a version of CUDA has.
class Finder {
 public:
  explicit Finder(void* library) noexcept
      : now_(reinterpret_cast<Now*>(::dlsym(library, "cuGetProcAddress_v2"))),
        first_(reinterpret_cast<First*>(::dlsym(library, "cuGetProcAddress"))) {}

  bool isThere() const noexcept { return now_ != nullptr || first_ != nullptr; }
  Result operator()(const char* symbol, int version, void** address) const noexcept {
    int found = 0;
    return now_ != nullptr ? now_(symbol, address, version, kLegacyStreams, &found)
                           : first_(symbol, address, version, kLegacyStreams);
  }

 private:
  using Now = Result(const char* symbol, void** address, int version, std::uint64_t flags,
                     int* found);  // since CUDA 12
  using First = Result(const char* symbol, void** address, int version,
                       std::uint64_t flags);  // since CUDA 11.3

  Now* const now_;
  First* const first_;
};

/// What looking for the driver has found.
class Search {
 public:
  Search() noexcept {
    void* const library = ::dlopen(kLibrary, RTLD_LAZY | RTLD_LOCAL);  // for ever
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the text is this thread's
    library == nullptr ? say("%s", ::dlerror()) : load(Finder(library));
  }

  Presence presence = Presence::None;
  Driver driver;
  char reason[256] = "";

 private:
  template <class... Words>
  void say(const char* format, Words... words) noexcept {
    std::snprintf(reason, sizeof reason, format, words...);
  }

  void load(const Finder& find) noexcept {
    if (!find.isThere()) {
      presence = Presence::TooOld;
      return say("%s has no cuGetProcAddress: it is older than CUDA 11.3", kLibrary);
    }
    void* init = nullptr;
    const Result result = find("cuInit", 2000, &init);
    if (result != kSuccess || init == nullptr)
      return say("%s has no functions (error %d)%s", kLibrary, result,
                 result == kStubLibrary ? ": it is the stub that programs are linked with" : "");
    presence = Presence::Usable;
    const auto set = [&](auto& function, const char* symbol, int version) {
      void* address = nullptr;
      if (find(symbol, version, &address) == kSuccess) function.set(address);
    };
#define UCXX_CUDA_SET(name, symbol, version, ...) set(driver.name, #symbol, version);
    UCXX_CUDA_FUNCTIONS(UCXX_CUDA_SET)
#undef UCXX_CUDA_SET
  }
};

const Search& search() noexcept {
  static const Search only;
  return only;
}

}  // namespace

Presence presence() noexcept { return search().presence; }

const Driver* driver() noexcept {
  return search().presence == Presence::Usable ? &search().driver : nullptr;
}

const char* whyNoDriver() noexcept { return search().reason; }

const char* nameOf(Result result) noexcept {
  const char* name = nullptr;
  if (result == kSuccess) return "ok";
  if (search().driver.errorName(result, &name) != kSuccess || name == nullptr)
    return "unknown error";
  return name;
}

const char* textOf(Result result) noexcept {
  const char* text = nullptr;
  if (search().driver.errorText(result, &text) != kSuccess || text == nullptr)
    return "unknown error";
  return text;
}

}  // namespace ucxx::base::cuda
