// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The same promise for programs of C++20 and of the builder generation.

#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include <ucxx/api.h>

#include "builder_rules.h"
#include "peers.h"

static_assert(__cplusplus >= 202002L);

namespace {

TEST(CompatCxx20Test, BuilderProgramSendsAndReceives) {
  std::shared_ptr<ucxx::Context> context =
      ucxx::contextBuilder(ucxx::Context::defaultFeatureFlags).configMap({{"TLS", "tcp,self,sm"}});
  std::shared_ptr<ucxx::Worker> worker = ucxx::workerBuilder(context).requestAttributes();
  std::shared_ptr<ucxx::Endpoint> endpoint =
      ucxx::endpointBuilder(worker, worker->addressBuilder().build()).endpointErrorHandling();
  std::array<int, 16> sent{};
  std::iota(sent.begin(), sent.end(), 1);
  std::array<int, 16> received{};
  compat::Requests requests;
  requests.push_back(endpoint->tagRecvBuilder(received.data(), sizeof received, ucxx::Tag{3}));
  requests.push_back(endpoint->tagSendBuilder(sent.data(), sizeof sent, ucxx::Tag{3}));
  ASSERT_TRUE(compat::ended({worker}, requests));
  for (const auto& request : requests) request->checkError();
  EXPECT_EQ(received, sent);
}

TEST(CompatCxx20Test, OptionsTakeDesignatedInitializers) {
  auto worker = ucxx::createContext()->createWorker(
      ucxx::WorkerOptions{.delayed_submission = true, .request_attributes = true});
  EXPECT_TRUE(worker->isDelayedRequestSubmissionEnabled());
  EXPECT_TRUE(worker->isRequestAttributesEnabled());
}

}  // namespace
