// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <gtest/gtest.h>

#include <ucxx/api.h>

#include "peers.h"

namespace {

using compat::Pair;
using compat::Self;

TEST(CompatBuilderTest, OnlyBuildSubmits) {
  Self self;
  int sent = 1;
  { auto dropped = self.endpoint->tagSendBuilder(&sent, sizeof sent, ucxx::Tag{1}); }
  (void)self.endpoint->closeBuilder();
  while (self.worker->progress()) {
  }
  EXPECT_FALSE(self.worker->tagProbe(ucxx::Tag{0}, ucxx::TagMask{0})->isMatched());
  EXPECT_TRUE(self.endpoint->isAlive());
}

TEST(CompatBuilderTest, RequestBuildersBuildOnce) {
  Self self;
  char byte = 0;
  auto builder = self.endpoint->tagRecvBuilder(&byte, 1, ucxx::Tag{1});
  auto moved = std::move(builder);
  EXPECT_THROW(builder.build(), std::logic_error);  // NOLINT(bugprone-use-after-move)
  auto receive = moved.build();
  EXPECT_THROW(moved.build(), std::logic_error);
  receive->cancel();
  EXPECT_TRUE(self.wait({receive}));

  auto failing = self.endpoint->streamSendBuilder(nullptr, 0);
  EXPECT_THROW(failing.build(), std::runtime_error);
  EXPECT_THROW(failing.build(), std::logic_error);
}

TEST(CompatBuilderTest, SettersWorkOnNamesAndTemporaries) {
  Self self;
  int sent = 3;
  int received = 0;
  int calls = 0;
  const auto count = [&](ucs_status_t, std::shared_ptr<void> data) {
    calls += *std::static_pointer_cast<int>(data);
  };
  auto receive = self.endpoint->tagRecvBuilder(&received, sizeof received, ucxx::Tag{1});
  receive.callbackFunction(count).callbackData(std::make_shared<int>(1)).pythonFuture(false);
  const std::shared_ptr<ucxx::RequestTag> received_request = receive;
  const std::shared_ptr<ucxx::Request> sent_request =
      self.endpoint->tagSendBuilder(&sent, sizeof sent, ucxx::Tag{1})
          .pythonFuture()
          .callbackFunction(count)
          .callbackData(std::make_shared<int>(10));
  ASSERT_TRUE(self.wait({received_request, sent_request}));
  EXPECT_EQ(received, 3);
  // Both were asked for, so both ran: a completion inside the call calls back too.
  EXPECT_EQ(calls, 11);
}

TEST(CompatBuilderTest, ReceiverCallbackInfoBelongsToSends) {
  Self self;
  const ucxx::AmReceiverCallbackInfo info("library", 1);
  EXPECT_THROW(self.endpoint->amRecvBuilder().receiverCallbackInfo(info).build(), std::logic_error);
  EXPECT_NO_THROW(self.endpoint->amSendBuilder(nullptr, 0, UCS_MEMORY_TYPE_HOST)
                      .receiverCallbackInfo(std::nullopt)
                      .build());
}

TEST(CompatBuilderTest, BuilderKeepsItsEndpointAlive) {
  Self self;
  int value = 0;
  auto builder = self.endpoint->tagRecvBuilder(&value, sizeof value, ucxx::Tag{1});
  std::weak_ptr<ucxx::Endpoint> watched = self.endpoint;
  self.endpoint.reset();
  EXPECT_FALSE(watched.expired());
  auto receive = builder.build();
  EXPECT_EQ(receive->getParent(), watched.lock());
  receive->cancel();
  EXPECT_TRUE(self.wait({receive}));
}

TEST(CompatBuilderTest, FreeFunctionsTakeArgumentCarriers) {
  Pair pair;
  int sent = 4;
  int tagged = 0, on_worker = 0;
  int streamed = 0;
  auto am = ucxx::requestAmBuilder(pair.server, ucxx::data::AmReceive{}).build();
  auto multi = ucxx::requestTagMultiBuilder(
                   pair.server, ucxx::data::TagMultiReceive(ucxx::Tag{9}, ucxx::TagMaskFull))
                   .build();
  EXPECT_TRUE(pair.wait({
      ucxx::requestTagBuilder(pair.server, ucxx::data::TagReceive(&tagged, sizeof tagged,
                                                                  ucxx::Tag{1}, ucxx::TagMaskFull))
          .build(),
      ucxx::requestTagBuilder(pair.client, ucxx::data::TagSend(&sent, sizeof sent, ucxx::Tag{1}))
          .build(),
      ucxx::requestTagBuilder(
          pair.server_worker,
          ucxx::data::TagReceive(&on_worker, sizeof on_worker, ucxx::Tag{2}, ucxx::TagMaskFull))
          .build(),
      ucxx::requestTagBuilder(pair.client, ucxx::data::TagSend(&sent, sizeof sent, ucxx::Tag{2}))
          .build(),
      ucxx::requestStreamBuilder(pair.server, ucxx::data::StreamReceive(&streamed, sizeof streamed))
          .build(),
      ucxx::requestStreamBuilder(pair.client, ucxx::data::StreamSend(&sent, sizeof sent)).build(),
      ucxx::requestAmBuilder(pair.client,
                             ucxx::data::AmSend(&sent, sizeof sent, UCS_MEMORY_TYPE_HOST))
          .build(),
      am,
      ucxx::requestTagMultiBuilder(
          pair.client, ucxx::data::TagMultiSend({&sent}, {sizeof sent}, {0}, ucxx::Tag{9}))
          .build(),
      multi,
      ucxx::requestFlushBuilder(pair.client, ucxx::data::Flush{}).build(),
      ucxx::requestFlushBuilder(pair.client_worker, ucxx::data::Flush{}).build(),
  }));
  EXPECT_EQ(tagged, 4);
  EXPECT_EQ(on_worker, 4);
  EXPECT_EQ(streamed, 4);
  EXPECT_EQ(*static_cast<int*>(am->getRecvBuffer()->data()), 4);
  EXPECT_EQ(multi->_bufferRequests.size(), 1u);
  auto close =
      ucxx::requestEndpointCloseBuilder(pair.client, ucxx::data::EndpointClose(false)).build();
  ASSERT_NE(close, nullptr);
  EXPECT_TRUE(pair.wait({close}));
}

TEST(CompatBuilderTest, SendingNeedsAnEndpoint) {
  Self self;
  char byte = 0;
  EXPECT_THROW(
      ucxx::requestTagBuilder(self.worker, ucxx::data::TagSend(&byte, 1, ucxx::Tag{0})).build(),
      ucxx::Error);
  EXPECT_THROW(ucxx::requestAmBuilder(self.worker, ucxx::data::AmReceive{}).build(), ucxx::Error);
}

/// The first `build()` says what is missing, the second that there was a first.
template <class Builder>
void expectRefusal(Builder builder) {
  EXPECT_THROW(builder.build(), ucxx::Error);
  EXPECT_THROW(builder.build(), std::logic_error);
}

TEST(CompatBuilderTest, BuilderWithoutOwnerIsRefusedWhenItBuilds) {
  char byte = 0;
  const ucxx::Tag tag{1};
  namespace data = ucxx::data;
  expectRefusal(ucxx::requestTagBuilder(nullptr, data::TagSend(&byte, 1, tag)));
  expectRefusal(ucxx::requestTagBuilder(nullptr, data::TagReceive(&byte, 1, tag)));
  expectRefusal(ucxx::requestTagBuilder(nullptr, data::TagReceiveWithHandle(&byte, nullptr)));
  expectRefusal(ucxx::requestEndpointCloseBuilder(nullptr, data::EndpointClose(false)));
  expectRefusal(ucxx::requestFlushBuilder(nullptr, data::Flush{}));
  expectRefusal(ucxx::requestAmBuilder(nullptr, data::AmReceive{}));
  expectRefusal(ucxx::requestStreamBuilder(nullptr, data::StreamSend(&byte, 1)));
  expectRefusal(ucxx::requestTagMultiBuilder(nullptr, data::TagMultiReceive(tag)));
  expectRefusal(ucxx::requestMemBuilder(nullptr, data::MemGet(&byte, 1, nullptr)));
  expectRefusal(ucxx::requestFlushBuilder(ucxx::createContext(), data::Flush{}));
}

TEST(CompatBuilderTest, EndpointBuildersTakeAllThreeSources) {
  Pair pair;
  auto by_name = ucxx::endpointBuilder(pair.client_worker, "127.0.0.1", pair.listener->getPort());
  auto first = by_name.endpointErrorHandling(false).build();
  auto by_address = ucxx::endpointBuilder(pair.client_worker, pair.client_worker->getAddress());
  EXPECT_NE(by_address.build(), by_address.build());
  EXPECT_TRUE(first->isAlive());
  EXPECT_THROW(ucxx::endpointBuilder(pair.listener, ucp_conn_request_h{nullptr}).build(),
               std::invalid_argument);
}

}  // namespace
