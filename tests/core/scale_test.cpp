// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Many receives, many endpoints, many lives; and several lanes.

#include <algorithm>
#include <random>

#include <malloc.h>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

TEST(ScaleTest, TenThousandReceives) {
  constexpr std::uint32_t kCount = 10000;
  Ends ends(Route::Listener);
  std::vector<std::uint32_t> sent(kCount), received(kCount);
  Requests requests;
  for (std::uint32_t i = 0; i < kCount; ++i)
    requests.push_back(ends.right->tagRecv(&received[i], 4, Tag{i}));
  std::vector<std::uint32_t> order(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) order[i] = sent[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  for (const std::uint32_t i : order) requests.push_back(ends.left->tagSend(&sent[i], 4, Tag{i}));
  requests.push_back(ends.left->flush());
  ASSERT_TRUE(ends.ended(requests));
  EXPECT_EQ(received, sent);
}

TEST(ScaleTest, TenThousandReceivesAreCancelledByClose) {
  Ends ends(Route::Listener);
  std::uint32_t value = 0;
  Requests requests;
  for (std::uint32_t i = 0; i < 10000; ++i)
    requests.push_back(ends.right->tagRecv(&value, 4, Tag{i}));
  requests.push_back(ends.right->close());
  ASSERT_TRUE(ends.ended(requests));
}

TEST(ScaleTest, ThousandEndpointsOnOneLink) {
  Ends ends(Route::Address);
  const std::size_t descriptors = openDescriptors();
  std::vector<std::shared_ptr<Endpoint>> left, right;
  for (int i = 0; i < 1000; ++i) {
    left.push_back(
        ends.left_worker->createEndpointFromWorkerAddress(ends.right_worker->getAddress()));
    right.push_back(
        ends.right_worker->createEndpointFromWorkerAddress(ends.left_worker->getAddress()));
  }
  Requests receives, sends;
  std::vector<int> numbers(1000);
  for (int i = 0; i < 1000; ++i) {
    numbers[static_cast<std::size_t>(i)] = i;
    receives.push_back(right[static_cast<std::size_t>(i)]->amRecv());
    sends.push_back(left[static_cast<std::size_t>(i)]->amSend(&numbers[static_cast<std::size_t>(i)],
                                                              4, UCS_MEMORY_TYPE_HOST));
  }
  ASSERT_TRUE(ends.ended(receives));
  ASSERT_TRUE(ends.ended(sends));
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(*static_cast<int*>(receives[static_cast<std::size_t>(i)]->getRecvBuffer()->data()),
              i);
  EXPECT_LE(openDescriptors(), descriptors + 2);
  receives.clear();
  sends.clear();
  left.clear();
  ASSERT_TRUE(ends.until([&] {
    return std::none_of(right.begin(), right.end(), [](auto& one) { return one->isAlive(); });
  }));
}

TEST(ScaleTest, ThousandLivesLeaveNothing) {
  auto context = createContext();
  auto left = context->createWorker();
  auto right = context->createWorker();
  struct Server {
    std::shared_ptr<Listener> listener;
    std::shared_ptr<Endpoint> endpoint;
  } server;
  server.listener = right->createListener(
      0,
      [](ucp_conn_request_h request, void* self) {
        auto& to = *static_cast<Server*>(self);
        to.endpoint = to.listener->createEndpointFromConnRequest(request);
      },
      &server, "127.0.0.1");
  std::size_t descriptors = 0, threads = 0;
  for (int i = 0; i < 1000; ++i) {
    auto client = left->createEndpointFromHostname("127.0.0.1", server.listener->getPort());
    int sent = i, received = -1;
    ASSERT_TRUE(compat::ended(
        {left, right}, {client->tagSend(&sent, 4, Tag{1}), right->tagRecv(&received, 4, Tag{1})}))
        << i;
    ASSERT_EQ(received, i);
    ASSERT_TRUE(compat::until({left, right}, [&] { return server.endpoint != nullptr; }));
    if (i % 2 == 0) {
      client = nullptr;
      ASSERT_TRUE(compat::until({left, right}, [&] { return !server.endpoint->isAlive(); })) << i;
      server.endpoint = nullptr;
    } else {
      server.endpoint = nullptr;
      ASSERT_TRUE(compat::until({left, right}, [&] { return !client->isAlive(); })) << i;
    }
    if (i == 10) descriptors = openDescriptors(), threads = runningThreads();
  }
  // The last link may still be ending.
  ASSERT_TRUE(compat::until({left, right}, [&] { return openDescriptors() <= descriptors; }))
      << openDescriptors() << " after " << descriptors << left->describe() << right->describe();
  EXPECT_LE(runningThreads(), threads);
}

/// Endpoints between two workers, a message on each, and all closed.
[[nodiscard]] bool round(const std::shared_ptr<Worker>& left, const std::shared_ptr<Worker>& right,
                         std::size_t descriptors) {
  constexpr int kEndpoints = 20;
  std::vector<std::shared_ptr<Endpoint>> endpoints;
  int sent = 7, received[kEndpoints] = {};
  Requests requests, closes;
  for (int& one : received) {
    requests.push_back(right->tagRecv(&one, sizeof one, Tag{1}));
    endpoints.push_back(left->createEndpointFromWorkerAddress(right->getAddress()));
    requests.push_back(endpoints.back()->tagSend(&sent, sizeof sent, Tag{1}));
  }
  if (!compat::ended({left, right}, requests)) return false;
  for (const auto& endpoint : endpoints) closes.push_back(endpoint->close());
  if (!compat::ended({left, right}, closes)) return false;
  return compat::until({left, right}, [&] { return openDescriptors() <= descriptors; });
}

TEST(ScaleTest, RoundsOfEndpointsLeaveNothing) {
  auto context = createContext();
  auto left = context->createWorker();
  auto right = context->createWorker();
  const auto address = right->getAddress();            // opens its door
  const std::size_t at_first = openDescriptors() + 2;  // UCX keeps a timer for each worker
  ASSERT_TRUE(round(left, right, SIZE_MAX));
  const std::size_t descriptors = openDescriptors();  // the link stays for a while
  const std::size_t threads = runningThreads();
  // A leak grows in each ten rounds, a pool in the first ones, and then only now and then.
  constexpr std::size_t kLeastAllocation = 32;
  constexpr int kWarmUp = 50;
  std::vector<std::size_t> growth;
  std::size_t bytes = ::mallinfo2().uordblks;
  for (int i = 1; i <= kWarmUp + 50; ++i) {
    ASSERT_TRUE(round(left, right, descriptors)) << openDescriptors() << " descriptors after round "
                                                 << i << left->describe() << right->describe();
    if (i % 10 != 0) continue;
    const std::size_t before = std::exchange(bytes, ::mallinfo2().uordblks);
    if (i > kWarmUp) growth.push_back(bytes - std::min(before, bytes));
  }
  EXPECT_LT(*std::min_element(growth.begin(), growth.end()), 10 * kLeastAllocation);
  EXPECT_LE(runningThreads(), threads);
  const auto is_alone = [](Worker& worker) {
    return worker.describe().find(" 0 peers") != std::string::npos;
  };
  EXPECT_TRUE(compat::until({left, right}, [&] {
    return openDescriptors() <= at_first && is_alone(*left) && is_alone(*right);
  }));
}

TEST(LanesTest, TwoLanesKeepTheOrder) {
  Ends ends(Route::Listener, Mode::Caller, {}, {{"MAX_EAGER_LANES", "2"}});
  Received none;
  std::vector<std::unique_ptr<Sending>> sends;
  for (unsigned i = 0; i < 3000; ++i)
    sends.push_back(std::make_unique<Sending>(Move::Tag, *ends.left,
                                              bytes(i % 5 == 0 ? 40000 : 1 + i % 9000, i)));
  for (auto& send : sends) {
    Receiving receiving(Move::Tag, *ends.right, 40000, none);
    ASSERT_TRUE(ends.ended({receiving.request}));
    ASSERT_TRUE(receiving.payload() == send->payload());
  }
  RecordProperty("reordered", static_cast<int>(ends.right_worker->stats().reordered_messages));
}

}  // namespace
}  // namespace ucxx::core::test
