// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <string>

#include "core/operations.h"

namespace ucxx::core::test {

inline std::shared_ptr<Worker> workerWith(const char* local, ConfigMap config = {}) {
  config["UCXX_LOCAL"] = local;
  return createContext(std::move(config))->createWorker();
}

inline bool says(const std::shared_ptr<Worker>& worker, const std::string& words) {
  return worker->describe().find(words) != std::string::npos;
}

/// Two workers of a process that have met, by address or by name.
struct Met {
  Met(const char* left_local, const char* right_local, bool by_name)
      : Met(workerWith(left_local), workerWith(right_local), by_name) {}
  Met(std::shared_ptr<Worker> left_worker, std::shared_ptr<Worker> right_worker, bool by_name)
      : left(std::move(left_worker)), right(std::move(right_worker)) {
    if (by_name) {
      listener = right->createListener(
          0,
          [](ucp_conn_request_h request, void* self) {
            auto& met = *static_cast<Met*>(self);
            met.back = met.listener->createEndpointFromConnRequest(request);
            met.has_back = true;
          },
          this);
      there = left->createEndpointFromHostname("127.0.0.1", listener->getPort());
    } else {
      there = left->createEndpointFromWorkerAddress(right->getAddress());
      back = right->createEndpointFromWorkerAddress(left->getAddress());
      has_back = true;
    }
  }
  Met(const Met&) = delete;
  Met& operator=(const Met&) = delete;

  /// A message each way has arrived.
  bool talks() {
    const bool has_met =
        compat::until({left, right}, [&] { return has_back || !there->isAlive(); }) && has_back;
    if (!has_met) return false;
    constexpr Tag kTag{7};
    const int out = 42;
    int in[2] = {0, 0};
    const Requests requests{there->tagSend(&out, sizeof out, kTag),
                            back->tagSend(&out, sizeof out, kTag),
                            left->tagRecv(&in[0], sizeof out, kTag, TagMaskFull),
                            right->tagRecv(&in[1], sizeof out, kTag, TagMaskFull)};
    return compat::ended({left, right}, requests) && in[0] == 42 && in[1] == 42;
  }
  bool isLocal() const {
    const bool is_local = there->getTransports().front().transport == "local";
    EXPECT_EQ(back->getTransports().front().transport == "local", is_local);
    return is_local;
  }
  /// What `there` has failed with.
  std::string failure() const {
    if (!compat::until({left, right}, [&] { return !there->isAlive(); })) return "it lives";
    return messageOf([&] { there->raiseOnError(); });
  }

  std::shared_ptr<Worker> left, right;
  std::shared_ptr<Listener> listener;
  std::shared_ptr<Endpoint> there, back;
  std::atomic<bool> has_back{false};  // a progress thread may make it
};

}  // namespace ucxx::core::test
