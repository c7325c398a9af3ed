// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Users of active messages: the same calls in the same order.

#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include <ucxx/api.h>

#include "peers.h"

namespace {

using compat::Deadline;
using compat::kDeadline;
using compat::pattern;

// Velox: blocking progress, endpoints found by their handle, active messages by function pointer.
struct Exchange {
  static inline Exchange* instance = nullptr;
  std::shared_ptr<ucxx::Worker> worker;
  std::shared_ptr<ucxx::Listener> listener;
  std::map<ucp_ep_h, std::shared_ptr<ucxx::Endpoint>> endpoints;
  std::vector<std::string> messages;
  bool closed = false;

  static void accept(ucp_conn_request_h request, void* argument) {
    auto* self = static_cast<Exchange*>(argument);
    auto endpoint = self->listener->createEndpointFromConnRequest(request, true);
    endpoint->setCloseCallback(
        [](ucs_status_t, std::shared_ptr<void> data) {
          std::static_pointer_cast<std::function<void()>>(data)->operator()();
        },
        std::make_shared<std::function<void()>>([self] { self->closed = true; }));
    self->endpoints.emplace(endpoint->getHandle(), endpoint);
  }

  static void handshake(std::shared_ptr<ucxx::Request> request, ucp_ep_h handle) {
    ASSERT_EQ(instance->endpoints.count(handle), 1u);
    ASSERT_TRUE(request->isCompleted());
    auto buffer = std::dynamic_pointer_cast<ucxx::Buffer>(request->getRecvBuffer());
    instance->messages.emplace_back(static_cast<const char*>(buffer->data()), buffer->getSize());
  }

  bool run(const std::shared_ptr<ucxx::Worker>& other, const std::function<bool()>& done) const {
    const Deadline deadline;
    while (!done() && deadline) {
      worker->progressWorkerEvent(1);
      other->progress();
    }
    return done();
  }
};

TEST(CompatUserTest, VeloxFindsEndpointsByHandle) {
  Exchange exchange;
  Exchange::instance = &exchange;
  auto context = ucxx::createContext({}, UCP_FEATURE_TAG | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP);
  exchange.worker = context->createWorker();
  exchange.worker->initBlockingProgressMode();
  const ucxx::AmReceiverCallbackInfo info(ucxx::AmReceiverCallbackOwnerType("exchange"), 123);
  exchange.worker->registerAmReceiverCallback(info, &Exchange::handshake);
  exchange.listener = exchange.worker->createListener(0, &Exchange::accept, &exchange);
  EXPECT_FALSE(exchange.listener->getIp().empty());

  auto client = context->createWorker();
  auto endpoint =
      client->createEndpointFromHostname("127.0.0.1", exchange.listener->getPort(), true);
  const std::string hello = "hello";
  bool sent = false;
  auto keep = std::make_shared<std::string>(hello);
  auto request = endpoint->amSend(
      keep->data(), keep->size(), UCS_MEMORY_TYPE_HOST, info, false,
      [&](ucs_status_t status, std::shared_ptr<void> data) {
        EXPECT_EQ(status, UCS_OK);
        EXPECT_EQ(*std::static_pointer_cast<std::string>(data), hello);
        sent = true;
      },
      keep);
  ASSERT_TRUE(exchange.run(client, [&] { return sent && !exchange.messages.empty(); }));
  EXPECT_EQ(exchange.messages.front(), hello);
  EXPECT_TRUE(request->isCompleted());

  auto to_client = exchange.endpoints.begin()->second;
  EXPECT_TRUE(to_client->isAlive());
  const auto bytes = pattern(compat::kLarge);
  std::vector<std::uint8_t> received(bytes.size());
  bool received_all = false;
  auto receive = endpoint->tagRecv(
      received.data(), received.size(), ucxx::Tag{1}, ucxx::TagMaskFull, false,
      [&](ucs_status_t status, std::shared_ptr<void>) { received_all = status == UCS_OK; });
  auto send = to_client->tagSend(bytes.data(), bytes.size(), ucxx::Tag{1}, false,
                                 [](ucs_status_t, std::shared_ptr<void>) {});
  ASSERT_TRUE(exchange.run(client, [&] { return received_all && send->isCompleted(); }));
  EXPECT_EQ(received, bytes);

  endpoint->closeBlocking();
  EXPECT_TRUE(exchange.run(client, [&] { return exchange.closed; }));
  try {
    ucxx::utils::ucsErrorThrow(UCS_ERR_IO_ERROR);
  } catch (const ucxx::IOError&) {
  }
  exchange.endpoints.clear();
}

// One thread progresses and does what others queue; they wake it.
class Communicator {
 public:
  explicit Communicator(std::shared_ptr<ucxx::Worker> worker)
      : worker_(std::move(worker)), thread_([this] { loop(); }) {}
  ~Communicator() {
    add([this] { done_ = true; });
    thread_.join();
  }
  void add(std::function<void()> work) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      queued_.push_back(std::move(work));
    }
    worker_->signal();
  }

 private:
  void loop() {
    while (!done_) {
      std::vector<std::function<void()>> work;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        work.swap(queued_);
      }
      for (const auto& each : work) each();
      if (!done_) worker_->progressWorkerEvent(60'000);
    }
  }

  std::shared_ptr<ucxx::Worker> worker_;
  std::mutex mutex_;
  std::vector<std::function<void()>> queued_;
  bool done_ = false;
  std::thread thread_;
};

TEST(CompatUserTest, VeloxSignalsItsCommunicatorAndCancels) {
  const auto begin = compat::Clock::now();
  std::uint8_t byte = 0;
  std::promise<std::shared_ptr<ucxx::Request>> posted;
  std::promise<ucs_status_t> ended;
  auto worker = ucxx::createContext({}, UCP_FEATURE_TAG | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP)
                    ->createWorker();
  worker->initBlockingProgressMode();
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress(), true);
  {
    Communicator communicator(worker);
    communicator.add([&] {
      posted.set_value(endpoint->tagRecv(
          &byte, 1, ucxx::Tag{1}, ucxx::TagMaskFull, false,
          [&](ucs_status_t status, std::shared_ptr<void>) { ended.set_value(status); }));
    });
    auto receive = posted.get_future();
    ASSERT_EQ(receive.wait_for(kDeadline), std::future_status::ready);
    const std::shared_ptr<ucxx::Request> request = receive.get();
    EXPECT_FALSE(request->isCompleted());
    communicator.add([&] { request->cancel(); });
    auto status = ended.get_future();
    ASSERT_EQ(status.wait_for(kDeadline), std::future_status::ready);
    EXPECT_EQ(status.get(), UCS_ERR_CANCELED);
  }
  EXPECT_LT(compat::Clock::now() - begin, kDeadline);  // signals have ended its sleeps, not time
}

// Copies of it leave the worker to a progress thread, and have that make what it uses.
TEST(CompatUserTest, VeloxForksWorkOnTheProgressThread) {
  for (const bool polling : {false, true}) {
    auto worker = ucxx::createContext({}, UCP_FEATURE_TAG | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP)
                      ->createWorker();
    const int epoll_timeout = 10;
    worker->startProgressThread(polling, epoll_timeout);
    std::shared_ptr<ucxx::Endpoint> endpoint;
    std::thread::id ran_on;
    ASSERT_TRUE(worker->registerGenericPre(
        [&] {
          ran_on = std::this_thread::get_id();
          endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress(), true);
        },
        3e9));
    EXPECT_EQ(ran_on, worker->getProgressThreadId());
    const std::string sent = "sent";
    std::string received(sent.size(), ' ');
    const compat::Requests requests{
        endpoint->tagRecv(received.data(), received.size(), ucxx::Tag{1}, ucxx::TagMaskFull),
        endpoint->tagSend(sent.data(), sent.size(), ucxx::Tag{1})};
    ASSERT_TRUE(compat::ended({worker}, requests));
    EXPECT_EQ(received, sent);
  }
}

// rapidsmpf: builders only; ranks meet through a listener and addresses as strings.
struct Rank {
  std::shared_ptr<ucxx::Worker> worker;
  std::shared_ptr<ucxx::Listener> listener;
  std::mutex mutex;
  std::map<ucp_ep_h, std::shared_ptr<ucxx::Endpoint>> endpoints;
  std::atomic<int> accepted{0};

  static void accept(ucp_conn_request_h request, void* argument) {
    auto* self = static_cast<Rank*>(argument);
    auto endpoint = self->listener->endpointBuilder(request).endpointErrorHandling(true).build();
    const std::lock_guard<std::mutex> lock(self->mutex);
    self->endpoints[endpoint->getHandle()] = endpoint;
    ++self->accepted;
  }
};

void expectBarrier(Rank& root, const std::shared_ptr<ucxx::Worker>& worker,
                   const std::shared_ptr<ucxx::Endpoint>& to_root) {
  std::shared_ptr<ucxx::Endpoint> from_root;
  {
    const std::lock_guard<std::mutex> lock(root.mutex);
    from_root = root.endpoints.begin()->second;
  }
  const std::shared_ptr<ucxx::RequestAm> arrival = from_root->amRecvBuilder().build();
  const compat::Requests requests{arrival, to_root->amRecvBuilder().pythonFuture(false).build(),
                                  from_root->amSendBuilder(nullptr, 0, UCS_MEMORY_TYPE_HOST),
                                  to_root->amSendBuilder(nullptr, 0, UCS_MEMORY_TYPE_HOST)};
  ASSERT_TRUE(compat::ended({root.worker, worker}, requests));
  for (const auto& request : requests) request->checkError();
  EXPECT_EQ(arrival->getRecvBuffer()->getSize(), 0u);
}

TEST(CompatUserTest, RapidsmpfUsesBuildersOnly) {
  for (const bool thread : {false, true}) {
    const std::uint64_t flags = thread ? ucxx::Context::defaultFeatureFlags
                                       : ucxx::Context::defaultFeatureFlags & ~UCP_FEATURE_WAKEUP;
    auto context = ucxx::contextBuilder(flags).build();
    EXPECT_EQ(context->getFeatureFlags(), flags);
    Rank root;
    root.worker = context->workerBuilder().build();
    auto worker = ucxx::workerBuilder(context).build();
    if (thread) {
      for (const auto& each : {root.worker, worker}) {
        each->setProgressThreadStartCallback([](void*) {}, nullptr);
        each->startProgressThread(false);
      }
    }
    root.listener = root.worker->listenerBuilder(0, &Rank::accept, &root).build();
    auto control_parameters = ucxx::AmReceiverCallbackInfo("rapidsmpf", 0);
    std::atomic<int> controls{0};
    std::atomic<bool> found{false};
    root.worker->registerAmReceiverCallback(
        control_parameters, [&](std::shared_ptr<ucxx::Request> request, ucp_ep_h handle) {
          const auto buffer = request->getRecvBuffer();
          EXPECT_TRUE(buffer->getSize() == 0 || *static_cast<const char*>(buffer->data()) == 'c');
          const std::lock_guard<std::mutex> lock(root.mutex);
          found = root.endpoints.count(handle) == 1;
          ++controls;
        });
    auto endpoint = worker->endpointBuilder("127.0.0.1", root.listener->getPort())
                        .endpointErrorHandling(true)
                        .build();
    const char control = 'c';
    compat::Requests sends{
        endpoint->amSendBuilder(&control, 1, UCS_MEMORY_TYPE_HOST)
            .receiverCallbackInfo(control_parameters)
            .build(),
        endpoint->amSendBuilder(nullptr, 0, UCS_MEMORY_TYPE_HOST)
            .receiverCallbackInfo(control_parameters)
            .build(),
    };
    for (const auto& send : sends) send->checkError();  // early: in progress is no error
    ASSERT_TRUE(compat::ended({root.worker, worker}, sends));
    ASSERT_TRUE(compat::until({root.worker, worker}, [&] { return controls == 2; }));
    EXPECT_TRUE(found);
    EXPECT_EQ(std::dynamic_pointer_cast<ucxx::Worker>(endpoint->getParent()), worker);
    expectBarrier(root, worker, endpoint);

    const std::string address(root.worker->addressBuilder().build()->getStringView());
    auto direct = ucxx::endpointBuilder(worker, ucxx::AddressBuilder(address).build()).build();
    const auto sent = pattern(100000);
    auto send = direct->tagSendBuilder(sent.data(), sent.size(), ucxx::Tag{77}).build();
    std::shared_ptr<ucxx::TagProbeInfo> probe;
    ASSERT_TRUE(compat::until({root.worker, worker}, [&] {
      probe = root.worker->tagProbe(ucxx::Tag{77}, ucxx::TagMaskFull, true);
      return probe->isMatched();
    }));
    EXPECT_EQ(static_cast<int>(probe->getInfo().senderTag), 77);
    std::vector<std::uint8_t> received(probe->getInfo().length);
    auto receive = root.worker->tagRecvWithHandleBuilder(received.data(), probe).build();
    ASSERT_TRUE(compat::ended({root.worker, worker}, {send, receive}));
    EXPECT_EQ(received, sent);
    if (thread && worker->isProgressThreadRunning()) worker->stopProgressThread();
  }
}

// holoscan: messages served as they come, without a progress thread.
TEST(CompatUserTest, HoloscanServesActiveMessagesByHand) {
  auto context = ucxx::createContext({}, UCP_FEATURE_AM);
  Exchange server;
  server.worker = context->createWorker();
  server.listener = server.worker->createListener(0, &Exchange::accept, &server);
  int updates = 0;
  ucxx::AmReceiverCallbackInfo info("pose_tree", 1);
  server.worker->registerAmReceiverCallback(
      std::move(info), [&](std::shared_ptr<ucxx::Request> request, ucp_ep_h) {
        try {
          request->checkError();
          updates += request->getRecvBuffer()->getSize() == sizeof(double) ? 1 : 0;
        } catch (const ucxx::ConnectionResetError&) {
          FAIL();
        }
      });
  auto client = context->createWorker();
  auto endpoint = client->createEndpointFromHostname("127.0.0.1", server.listener->getPort(), true);
  const double pose = 1.5;
  const ucxx::AmReceiverCallbackInfo to("pose_tree", 1);
  compat::Requests requests{endpoint->amSend(&pose, sizeof pose, UCS_MEMORY_TYPE_HOST, to),
                            endpoint->amSend(nullptr, 0, UCS_MEMORY_TYPE_HOST, to),
                            endpoint->amSend(&pose, sizeof pose, UCS_MEMORY_TYPE_HOST, to)};
  ASSERT_TRUE(compat::ended({server.worker, client}, requests));
  EXPECT_TRUE(compat::until({server.worker, client}, [&] { return updates == 2; }));
  server.endpoints.clear();
}

}  // namespace
