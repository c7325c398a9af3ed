// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// A program of today's users: C++17, each header by name, positional form.

#define UCXX_DISABLE_DEPRECATED_NON_BUILDER_CONSTRUCTOR_WARNINGS

#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include <ucxx/address.h>
#include <ucxx/address_builder.h>
#include <ucxx/api.h>
#include <ucxx/buffer.h>
#include <ucxx/component.h>
#include <ucxx/config.h>
#include <ucxx/constructors.h>
#include <ucxx/context.h>
#include <ucxx/context_builder.h>
#include <ucxx/delayed_submission.h>
#include <ucxx/endpoint.h>
#include <ucxx/endpoint_builder.h>
#include <ucxx/exception.h>
#include <ucxx/header.h>
#include <ucxx/inflight_requests.h>
#include <ucxx/listener.h>
#include <ucxx/listener_builder.h>
#include <ucxx/log.h>
#include <ucxx/memory_handle.h>
#include <ucxx/memory_handle_builder.h>
#include <ucxx/remote_key.h>
#include <ucxx/remote_key_builder.h>
#include <ucxx/request.h>
#include <ucxx/request_am.h>
#include <ucxx/request_am_builder.h>
#include <ucxx/request_data.h>
#include <ucxx/request_endpoint_close.h>
#include <ucxx/request_endpoint_close_builder.h>
#include <ucxx/request_flush.h>
#include <ucxx/request_flush_builder.h>
#include <ucxx/request_helper.h>
#include <ucxx/request_mem.h>
#include <ucxx/request_mem_builder.h>
#include <ucxx/request_stream.h>
#include <ucxx/request_stream_builder.h>
#include <ucxx/request_tag.h>
#include <ucxx/request_tag_builder.h>
#include <ucxx/request_tag_multi.h>
#include <ucxx/request_tag_multi_builder.h>
#include <ucxx/tag_probe.h>
#include <ucxx/tag_probe_builder.h>
#include <ucxx/typedefs.h>
#include <ucxx/utils/callback_notifier.h>
#include <ucxx/utils/file_descriptor.h>
#include <ucxx/utils/sockaddr.h>
#include <ucxx/utils/ucx.h>
#include <ucxx/worker.h>
#include <ucxx/worker_builder.h>
#include <ucxx/worker_progress_thread.h>

#include "builder_rules.h"
#include "peers.h"

static_assert(__cplusplus == 201703L, "this source is the one that is compiled as C++17");
static_assert(INET6_ADDRSTRLEN > 0, "<netdb.h> comes with the umbrella");

namespace {

TEST(CompatCxx17Test, PositionalProgramSendsAndReceives) {
  auto context = ucxx::createContext({}, ucxx::Context::defaultFeatureFlags);
  auto worker = context->createWorker();
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  std::array<int, 16> sent{};
  std::iota(sent.begin(), sent.end(), 1);
  std::array<int, 16> received{};
  std::vector<std::shared_ptr<ucxx::Request>> requests;
  requests.push_back(endpoint->tagRecv(received.data(), sizeof received, ucxx::Tag{3},
                                       ucxx::TagMaskFull, false, nullptr, nullptr));
  requests.push_back(endpoint->tagSend(sent.data(), sizeof sent, ucxx::Tag{3}, false));
  ASSERT_TRUE(compat::ended({worker}, requests));
  ucxx::waitRequests(worker, requests);
  EXPECT_EQ(received, sent);
}

TEST(CompatCxx17Test, ParentsAreReadAndReplaced) {
  const compat::Self self;
  char byte = 0;
  auto receive = self.endpoint->tagRecv(&byte, 1, ucxx::Tag{1});
  EXPECT_EQ(std::dynamic_pointer_cast<ucxx::Endpoint>(receive->getParent()), self.endpoint);
  receive->setParent(self.worker);
  EXPECT_EQ(receive->getParent(), self.worker);
  std::shared_ptr<ucxx::Component> address = self.worker->getAddress();
  EXPECT_EQ(address->getParent(), self.worker);
  address->setParent(nullptr);
  EXPECT_EQ(address->getParent(), nullptr);
  receive->cancel();
  EXPECT_TRUE(self.wait({receive}));
}

TEST(CompatCxx17Test, EndpointsNameTheirTransports) {
  const compat::Pair pair;
  char sent = 1;
  char received = 0;
  ASSERT_TRUE(pair.wait({pair.server->tagRecv(&received, 1, ucxx::Tag{1}),
                         pair.client->tagSend(&sent, 1, ucxx::Tag{1})}));
  const auto transports = pair.client->getTransports();
  ASSERT_FALSE(transports.empty());
  for (const auto& [transport, device] : transports) {
    EXPECT_FALSE(transport.empty());
    EXPECT_FALSE(device.empty());
  }
  EXPECT_EQ(transports.front().transport, pair.server->getTransports().front().transport);
}

}  // namespace
