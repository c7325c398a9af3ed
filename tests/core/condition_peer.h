// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <csignal>

#include <sys/wait.h>

#include "core/conditional.h"
#include "peers/process.h"
#include "peers/server.h"

namespace ucxx::core::test {

inline constexpr Tag kTakenTag{0x52};
/// By which a process sends a key to its memory.
inline constexpr Tag kKeyTag{0x53};
/// More than a receiver takes in one round of its loop.
inline constexpr std::size_t kTakenBytes = std::size_t{32} << 20;

/// A process that has called a worker, and another worker beside it.
class ConditionPeerTest {
 protected:
  ConditionPeerTest(const char* role, Mode mode)
      : server_(mode),
        process_({role, std::to_string(server_.listener->getPort())}),
        endpoint_(server_.next()) {
    EXPECT_NE(endpoint_, nullptr);
  }

  template <class Done>
  [[nodiscard]] bool until(Done done) {
    return server_.until([&] { return near_worker_->progress(), done(); });
  }
  [[nodiscard]] bool ended(const Requests& requests) {
    return until([&] {
      return std::ranges::all_of(requests, [](const auto& one) { return one->isCompleted(); });
    });
  }
  /// It is stopped, by itself or by the test.
  [[nodiscard]] bool hasStopped() {
    siginfo_t info{};
    return until([&] {
      return ::waitid(P_PID, static_cast<id_t>(process_.pid()), &info,
                      WSTOPPED | WNOWAIT | WNOHANG) == 0 &&
             info.si_pid == process_.pid();
    });
  }
  std::shared_ptr<Request> send(const Condition& condition, std::size_t size, Tag tag) {
    return endpoint_->tagSendBuilder(out_.data(), size, tag).condition(condition).build();
  }
  std::shared_ptr<Request> receive(const Condition& condition) {
    return endpoint_->tagRecvBuilder(&in_, sizeof in_, kConditionalTag)
        .condition(condition)
        .build();
  }
  bool isLocal() const { return is_local_; }
  /// Conditions and messages of the worker go on as before.
  void expectWorkerGoesOn() {
    const auto near = server_.worker->createEndpointFromWorkerAddress(near_worker_->getAddress());
    const auto condition = Condition::host(repeating());
    const auto armed =
        near->tagSendBuilder(out_.data(), kNearBytes, kConditionalTag).condition(condition).build();
    std::vector<std::byte> room(kNearBytes);
    for (std::uint64_t epoch = 1; epoch <= 3; ++epoch) {
      std::fill(room.begin(), room.end(), std::byte{});
      condition.trigger();
      ASSERT_TRUE(
          ended({near_worker_->tagRecv(room.data(), room.size(), kConditionalTag, TagMaskFull)}));
      ASSERT_TRUE(until([&] { return condition.epoch() == epoch; }));
      EXPECT_EQ(condition.lastStatus(), UCS_OK);
      EXPECT_TRUE(std::equal(room.begin(), room.end(), out_.begin()));
    }
    condition.close();
    ASSERT_TRUE(ended({armed}));
    EXPECT_EQ(armed->getStatus(), UCS_OK);
    EXPECT_EQ(server_.worker->stats().armed_requests, 0u);
  }

  static constexpr std::size_t kNearBytes = 1 << 20;
  std::vector<std::byte> out_ = bytes(kTakenBytes);  // as long as requests use it
  int in_ = 0;
  Server server_;
  std::shared_ptr<Worker> near_worker_ = makeWorker();
  Process process_;
  std::shared_ptr<Endpoint> endpoint_;
  const bool is_local_ = endpoint_->getTransports().front().transport == "local";
};

}  // namespace ucxx::core::test
