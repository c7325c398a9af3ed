// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// One-sided operations on memory of a process that is killed fail soon, though its memory is still
// mapped here and nothing but these operations moves the worker.

#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <string>

#include <sys/wait.h>

#include "core/fixtures.h"
#include "peers/process.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kOwnersKeyBytes = 48;
constexpr Tag kOwnersKey{1};

enum class Asks { Get, Put, PutAndFlush, Fetch, Post, Swap };
std::string wordOf(Asks asks) {
  const char* names[] = {"Get", "Put", "PutAndFlush", "Fetch", "Post", "Swap"};
  return names[static_cast<int>(asks)];
}

class DeadOwnerTest : public testing::TestWithParam<std::tuple<Asks, bool>> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(compat::until({worker_}, [&] { return endpoint_ != nullptr; }));
    std::string key(kOwnersKeyBytes, '\0');
    ASSERT_TRUE(compat::ended({worker_}, {endpoint_->tagRecv(key.data(), key.size(), kOwnersKey)}));
    key_ = createRemoteKeyFromSerialized(endpoint_, key);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(statusOf(ask()), UCS_OK);
    if (std::get<bool>(GetParam())) worker_->startProgressThread();
  }
  void kill() {
    process_.signal(SIGKILL);
    siginfo_t info{};
    ASSERT_EQ(::waitid(P_PID, process_.pid(), &info, WEXITED | WNOWAIT), 0);
  }
  std::shared_ptr<Request> ask() {
    switch (std::get<Asks>(GetParam())) {
      case Asks::Get:
        return endpoint_->memGet(&word_, sizeof word_, key_, 64);
      case Asks::Put:
        return endpoint_->memPut(&word_, sizeof word_, key_, 64);
      case Asks::PutAndFlush:
        (void)endpoint_->memPut(&word_, sizeof word_, key_, 64);
        return endpoint_->flush();
      case Asks::Fetch:
        return endpoint_->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &word_, key_, 64);
      case Asks::Post:
        return endpoint_->atomicPost<std::uint64_t>(AtomicOperation::Add, 1, key_, 64);
      default:
        return endpoint_->atomicCompareSwap<std::uint64_t>(0, 1, &word_, key_, 64);
    }
  }
  /// Moves the worker only where the operation does not end in its call.
  ucs_status_t statusOf(const std::shared_ptr<Request>& request) {
    if (!request->isCompleted() && !compat::ended({worker_}, {request}))
      ADD_FAILURE() << worker_->dump();
    return request->getStatus();
  }

  std::shared_ptr<Context> context_ = createContext();
  std::shared_ptr<Worker> worker_ = context_->createWorker();
  std::shared_ptr<Endpoint> endpoint_;
  std::shared_ptr<Listener> listener_ = worker_->createListener(
      0,
      [](ucp_conn_request_h request, void* self) {
        auto& test = *static_cast<DeadOwnerTest*>(self);
        auto endpoint = test.listener_->createEndpointFromConnRequest(request);
        if (test.endpoint_ == nullptr)
          test.endpoint_ = endpoint;
        else
          test.second_ = endpoint;
      },
      this, "127.0.0.1");
  Process process_{{"own-mapped", "127.0.0.1", std::to_string(listener_->getPort())}};
  std::shared_ptr<Endpoint> second_;
  std::shared_ptr<RemoteKey> key_;
  std::uint64_t word_ = 0;
};

TEST_P(DeadOwnerTest, IsNoticed) {
  kill();
  const auto end = Clock::now() + 10s;
  ucs_status_t status = UCS_OK;
  while (status == UCS_OK && Clock::now() < end) status = statusOf(ask());
  EXPECT_TRUE(status == UCS_ERR_CONNECTION_RESET || status == UCS_ERR_ENDPOINT_TIMEOUT) << status;
}

/// Between two looks at a polled flag a program sleeps.
TEST_P(DeadOwnerTest, IsNoticedByWhoAsksRarely) {
  const bool is_mapped = endpoint_->getTransports().front().transport == "local";
  kill();
  const auto end = Clock::now() + 10s;
  ucs_status_t status = UCS_OK;
  while (status == UCS_OK && Clock::now() < end) {
    status = statusOf(ask());
    // Over TCP a post ends when it has left, and asks nobody.
    if (!is_mapped && std::get<Asks>(GetParam()) == Asks::Post) worker_->progress();
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(status == UCS_ERR_CONNECTION_RESET || status == UCS_ERR_ENDPOINT_TIMEOUT) << status;
}

INSTANTIATE_TEST_SUITE_P(All, DeadOwnerTest,
                         testing::Combine(testing::Values(Asks::Get, Asks::Put, Asks::PutAndFlush,
                                                          Asks::Fetch, Asks::Post, Asks::Swap),
                                          testing::Bool()),
                         [](const auto& info) {
                           return wordOf(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "Thread" : "");
                         });

}  // namespace
}  // namespace ucxx::core::test
