// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Hellos that are well formed, but for the address that UCX would get from them.

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <ucxx/api.h>

#include "core/loop/loop.h"
#include "sim/doors.h"
#include "sim/network.h"

namespace ucxx::sim {
namespace {

struct Stranger {
  door::Hello hello;
  std::unique_ptr<door::Connection> connection;

  /// It welcomes everybody.
  door::Events events() {
    door::Events events;
    events.owner = this;
    // NOLINTNEXTLINE(performance-unnecessary-value-param): the door gives the descriptors away
    events.onHello = [](void* self, std::uint64_t, const door::Hello&, door::Descriptors,
                        const door::SocketAddress&) -> door::Answer {
      return door::Welcome{static_cast<Stranger*>(self)->hello};
    };
    events.onAccepted = [](void* self, const door::Hello&, std::unique_ptr<door::Connection> to) {
      static_cast<Stranger*>(self)->connection = std::move(to);
    };
    events.onLost = [](void*, door::Connection&, ucs_status_t) {};
    return events;
  }
};

class HelloAddressTest : public testing::TestWithParam<std::string> {
 protected:
  HelloAddressTest() {
    stranger_.hello.worker = {5, 6};
    stranger_.hello.link = 77;
    for (const char byte : GetParam())
      stranger_.hello.ucx_address.push_back(static_cast<std::byte>(byte));
  }
  ~HelloAddressTest() override {
    worker_ = nullptr;
    EXPECT_TRUE(world_.complaints.empty()) << world_.complaints.front();
  }

  World world_{1, {}};
  Stranger stranger_;
  std::shared_ptr<Worker> worker_ =
      createContext({{"UCXX_LOCAL", "off"}}, UCP_FEATURE_AM)->createWorker();
};

TEST_P(HelloAddressTest, CallerIsRefused) {
  const auto answer = world_.doors->introduce(world_.doors->lastDoor(), stranger_.hello);
  ASSERT_TRUE(std::holds_alternative<door::Refused>(answer));
  EXPECT_EQ(std::get<door::Refused>(answer).reason, door::Refusal::Malformed);
}

TEST_P(HelloAddressTest, WhoMayBeLocalIsToldToBringOne) {
  if (!GetParam().empty()) return;  // then it is read, as above
  stranger_.hello.may_be_local = true;
  const auto answer = world_.doors->introduce(world_.doors->lastDoor(), stranger_.hello);
  ASSERT_TRUE(std::holds_alternative<door::Refused>(answer));
  EXPECT_EQ(std::get<door::Refused>(answer).reason, door::Refusal::NeedsUcx);
}

TEST_P(HelloAddressTest, WelcomeFailsTheEndpoint) {
  FakeDoor door(world_, stranger_.events());
  const auto address = world_.doors->listen(door, {}, 0);
  auto endpoint = worker_->createEndpointFromHostname("127.0.0.1", address.port());
  for (int i = 0; i < 1000 && endpoint->isAlive(); ++i) {
    world_.doors->deliver(door.id);
    worker_->loop().lookOften();
    worker_->progress();
  }
  try {
    endpoint->raiseOnError();
    ADD_FAILURE() << "no exception";
  } catch (const UnreachableError& error) {
    EXPECT_NE(std::string(error.what()).find("malformed hello"), std::string::npos) << error.what();
  }
  endpoint = nullptr;
  stranger_.connection = nullptr;
}

INSTANTIATE_TEST_SUITE_P(All, HelloAddressTest, testing::Values("", "x", "\x22peer id ", "\xff"),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

}  // namespace
}  // namespace ucxx::sim
