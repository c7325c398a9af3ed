// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What tests of transfers from and to memory of a device start from.

#pragma once

#include <memory>
#include <string>

#include "core/met.h"
#include "cuda/device_memory.h"

namespace ucxx::cuda::test {

using core::test::bytes;
using core::test::Met;
using core::test::Requests;

inline constexpr Tag kTag{0x1a9d};

/// How the endpoint leads to its peer.
enum class Road { Self, Local, Ucx };
inline std::string nameOf(Road road) {
  const char* const names[] = {"Self", "Local", "Ucx"};
  return names[static_cast<int>(road)];
}

/// A worker that talks to itself, or two.
struct Ends {
  Ends() = default;
  explicit Ends(Road road) {
    gpu::useDevice();
    if (road == Road::Self) {
      sender = receiver = core::test::workerWith("auto");
      there = sender->createEndpointFromWorkerAddress(sender->getAddress());
      back = there;
      return;
    }
    const char* const local = road == Road::Local ? "auto" : "off";
    met = std::make_unique<Met>(local, local, false);
    EXPECT_TRUE(met->talks());
    sender = met->left;
    receiver = met->right;
    there = met->there;
    back = met->back;
  }
  bool wait(const Requests& requests) const { return compat::ended({sender, receiver}, requests); }
  template <class Done>
  bool until(Done done) const {
    return compat::until({sender, receiver}, done);
  }

  std::unique_ptr<Met> met;
  std::shared_ptr<Worker> sender, receiver;
  std::shared_ptr<Endpoint> there, back;
};

inline void expectOk(const Requests& requests) {
  for (const auto& request : requests) EXPECT_NO_THROW(request->checkError());
}

}  // namespace ucxx::cuda::test
