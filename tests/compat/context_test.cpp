// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include <ucxx/api.h>

#include "peers.h"

namespace {

TEST(CompatContextTest, FeatureFlagsAreWhatWasPassed) {
  EXPECT_EQ(ucxx::createContext()->getFeatureFlags(), ucxx::Context::defaultFeatureFlags);
  for (const std::uint64_t flags : {std::uint64_t{UCP_FEATURE_TAG}, std::uint64_t{UCP_FEATURE_AM},
                                    std::uint64_t{UCP_FEATURE_TAG | UCP_FEATURE_AM}})
    EXPECT_EQ(ucxx::createContext({}, flags)->getFeatureFlags(), flags);
}

TEST(CompatContextTest, ConfigurationReadsBackUnchanged) {
  const auto config = ucxx::createContext({{"MAX_RNDV_RAILS", "3"}})->getConfig();
  ASSERT_NE(config.find("MAX_RNDV_RAILS"), config.end());
  EXPECT_EQ(config.at("MAX_RNDV_RAILS"), "3");
  EXPECT_NE(config.find("TLS"), config.end());
}

TEST(CompatContextTest, UnknownKeysAndBadValuesThrow) {
  EXPECT_THROW(ucxx::createContext({{"NO_SUCH_SETTING", "1"}}), ucxx::NoElemError);
  EXPECT_THROW(ucxx::createContext({{"MAX_RNDV_RAILS", "many"}}), ucxx::Error);
}

TEST(CompatContextTest, UcxIsAsPatientAsUcxx) {
  const auto idle = [](ucxx::ConfigMap options) {
    const auto config = ucxx::createContext(std::move(options))->getConfig();
    const auto found = config.find("TCP_KEEPIDLE");
    return found == config.end() ? "" : found->second;
  };
  EXPECT_EQ(idle({}), "");
  EXPECT_EQ(idle({{"UCXX_PATIENCE", "auto"}}), "");
  EXPECT_EQ(idle({{"UCXX_PATIENCE", "30"}}), "30000ms");
  EXPECT_EQ(idle({{"UCXX_PATIENCE", "1.5"}}), "1500ms");
  EXPECT_EQ(idle({{"UCXX_PATIENCE", "30"}, {"TCP_KEEPIDLE", "5s"}}), "5s");
  ASSERT_EQ(::setenv("UCX_TCP_KEEPIDLE", "7s", 1), 0);
  EXPECT_EQ(idle({{"UCXX_PATIENCE", "30"}}), "");
  ASSERT_EQ(::unsetenv("UCX_TCP_KEEPIDLE"), 0);
}

/// What an exception of `make` says.
template <class Make>
std::string textOf(Make make) {
  try {
    make();
  } catch (const ucxx::Error& error) {
    return error.what();
  }
  return "no exception";
}

TEST(CompatContextTest, WrongPatienceIsNamed) {
  for (const char* value : {"0", "0.9", "601", "-1", "nan", "inf", "30s", "long", "", " 30"})
    EXPECT_EQ(textOf([&] {
                ucxx::createContext({{"UCXX_PATIENCE", value}});
              }),
              std::string("invalid UCXX_PATIENCE \"") + value +
                  "\": use auto, or a number of seconds from 1 to 600");
}

TEST(CompatContextTest, ErrorOfABadValueHasTheLineOfUcx) {
  const std::string text = textOf([] { ucxx::createContext({{"MAX_RNDV_RAILS", "many"}}); });
  EXPECT_NE(text.find("set the UCX option MAX_RNDV_RAILS to \"many\""), std::string::npos) << text;
  EXPECT_NE(text.find("UCX: Invalid value for MAX_RNDV_RAILS: 'many'. Expected: unsigned integer"),
            std::string::npos)
      << text;
}

TEST(CompatContextTest, ErrorOfABadVariableNamesIt) {
  ASSERT_EQ(::setenv("UCX_RNDV_THRESH", "perhaps", 1), 0);
  const std::string text = textOf([] { ucxx::createContext(); });
  ::unsetenv("UCX_RNDV_THRESH");
  EXPECT_NE(text.find("UCX: Invalid value for RNDV_THRESH: 'perhaps'"), std::string::npos) << text;
  EXPECT_NE(text.find("the environment has UCX_RNDV_THRESH=perhaps"), std::string::npos) << text;
}

TEST(CompatContextTest, ErrorOfABadVariableOfATransportNamesIt) {
  ASSERT_EQ(::setenv("UCX_TCP_CONN_NB", "perhaps", 1), 0);
  const std::string text = textOf([] { (void)ucxx::createContext()->createWorker()->getHandle(); });
  ::unsetenv("UCX_TCP_CONN_NB");
  EXPECT_NE(text.find("UCX: Invalid value for CONN_NB: 'perhaps'"), std::string::npos) << text;
  EXPECT_NE(text.find("the environment has UCX_TCP_CONN_NB=perhaps"), std::string::npos) << text;
}

TEST(CompatContextTest, ErrorOfATransportThatIsNotThereListsThoseThatAre) {
  const std::string text = textOf([] {
    (void)ucxx::createContext({{"TLS", "nonsense"}})->getHandle();
  });
  EXPECT_NE(text.find("transport 'nonsense' is not available"), std::string::npos) << text;
  EXPECT_NE(text.find("tcp"), std::string::npos) << text;
}

TEST(CompatContextTest, HandleAndTextAreThere) {
  const auto context = ucxx::createContext();
  EXPECT_NE(context->getHandle(), nullptr);
  EXPECT_NE(context->getInfo().find("UCP context"), std::string::npos);
  EXPECT_EQ(context->getParent(), nullptr);
  EXPECT_NO_THROW((void)context->hasCudaSupport());
}

TEST(CompatContextTest, TransportListsWithAndWithoutTcp) {
  for (const char* transports : {"^tcp", "^tcp,sm", "tcp,sm", "all"})
    EXPECT_NE(ucxx::createContext({{"TLS", transports}})->createWorker(), nullptr) << transports;
}

TEST(CompatContextTest, BuilderMakesANewContextEachTime) {
  auto builder = ucxx::contextBuilder(UCP_FEATURE_TAG).configMap({{"MAX_RNDV_RAILS", "3"}});
  auto copy = builder;
  const auto first = builder.build();
  const auto second = copy.build();
  EXPECT_NE(first, second);
  EXPECT_EQ(second->getFeatureFlags(), std::uint64_t{UCP_FEATURE_TAG});
  EXPECT_EQ(second->getConfig().at("MAX_RNDV_RAILS"), "3");
}

TEST(CompatConfigTest, HoldsUcxSettings) {
  const ucxx::Config config{{{"TLS", "tcp"}}};
  EXPECT_NE(config.getHandle(), nullptr);
  EXPECT_EQ(config.get().at("TLS"), "tcp");
  EXPECT_THROW(ucxx::Config(ucxx::ConfigMap{{"NO_SUCH_SETTING", "1"}}), ucxx::NoElemError);
  EXPECT_FALSE(ucxx::Config{}.get().empty());
}

TEST(CompatConfigTest, ProtocolsThatReplyAreLeftOutUnlessAskedFor) {
  const auto ours = ucxx::Config{}.get();
  if (ours.count("PROTOS") == 0) GTEST_SKIP() << "this UCX takes no list of protocols";
  EXPECT_EQ(ours.at("PROTOS"), "^am/egr/*/reply");
  EXPECT_EQ(ucxx::Config(ucxx::ConfigMap{{"PROTOS", "all"}}).get().at("PROTOS"), "all");
  EXPECT_EQ(::setenv("UCX_PROTOS", "am/*,rndv/*", 1), 0);
  EXPECT_EQ(ucxx::Config{}.get().at("PROTOS"), "am/*,rndv/*");
}

TEST(CompatComponentTest, ChildrenKeepTheirParentsAlive) {
  std::weak_ptr<ucxx::Context> context;
  std::shared_ptr<ucxx::Endpoint> endpoint;
  {
    auto owner = ucxx::createContext();
    context = owner;
    auto worker = owner->createWorker();
    endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
    EXPECT_EQ(worker->getParent(), owner);
    EXPECT_EQ(endpoint->getParent(), worker);
    EXPECT_EQ(endpoint->getWorker(), worker);
  }
  auto worker = std::dynamic_pointer_cast<ucxx::Worker>(endpoint->getParent());
  ASSERT_NE(worker, nullptr);
  EXPECT_EQ(std::dynamic_pointer_cast<ucxx::Context>(worker->getParent()), context.lock());
  worker.reset();
  endpoint.reset();
  EXPECT_TRUE(context.expired());
}

TEST(CompatAddressTest, BytesTravelAsText) {
  auto worker = ucxx::createContext()->createWorker();
  const auto address = worker->getAddress();
  EXPECT_EQ(address->getString(), std::string(address->getStringView()));
  EXPECT_EQ(address->getLength(), address->getString().size());
  EXPECT_NE(address->getHandle(), nullptr);
  const auto copy = ucxx::createAddressFromString(address->getString());
  EXPECT_TRUE(*copy == *address);
  EXPECT_EQ(copy->getParent(), nullptr);
  EXPECT_EQ(ucxx::createAddressFromWorker(worker)->getString(), address->getString());
}

TEST(CompatAddressTest, EmptyAndForeignBytesAreRefused) {
  EXPECT_THROW(ucxx::createAddressFromString(""), std::invalid_argument);
  EXPECT_THROW(ucxx::AddressBuilder("").build(), std::invalid_argument);
  auto worker = ucxx::createContext()->createWorker();
  EXPECT_THROW(worker->createEndpointFromWorkerAddress(ucxx::createAddressFromString("no address")),
               ucxx::Error);
}

TEST(CompatAddressTest, BuildersTakeWorkersAndStrings) {
  auto worker = ucxx::createContext()->createWorker();
  const auto from_worker = worker->addressBuilder().build();
  const std::string bytes(from_worker->getStringView());
  const std::shared_ptr<ucxx::Address> from_bytes = ucxx::AddressBuilder(bytes);
  EXPECT_TRUE(*from_bytes == *from_worker);
  EXPECT_TRUE(*ucxx::AddressBuilder(worker).build() == *from_worker);
  EXPECT_NE(worker->endpointBuilder(from_bytes).build(), nullptr);
}

}  // namespace
