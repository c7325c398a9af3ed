// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Processes of one machine: with the local channel alone, and of two users.

#include <csignal>
#include <cstdlib>

#include <unistd.h>

#include "core/tcp_sockets.h"
#include "door/drought.h"
#include "peers/server.h"

namespace ucxx::core::test {
namespace {

const ConfigMap kOnly{{"UCXX_LOCAL", "only"}};
const ConfigMap kAuto{{"UCXX_LOCAL", "auto"}};

Server serverWith(const ConfigMap& config, Mode mode) {
  return Server(mode, "127.0.0.1", "-", 1 << 20, config);
}

/// A process that is started so transfers, until it is killed; `check` is asked in between.
template <class Check>
void expectTransfers(Server& server, const Flow& flow, std::vector<std::string> prefix,
                     Check check) {
  Process other(server.caller(flow), std::move(prefix));
  auto endpoint = server.next();
  ASSERT_NE(endpoint, nullptr) << server.worker->describe();
  FlowEnd end(endpoint, flow, !flow.push);
  EXPECT_TRUE(server.until([&] { return end.turn(), end.count() > 8; }))
      << server.worker->describe();
  EXPECT_TRUE(end.isRight());
  check(*endpoint);
  other.signal(SIGKILL);
  EXPECT_TRUE(server.until([&] { return !endpoint->isAlive(); }));
}

TEST(LocalityTest, TransfersWithoutTcp) {
  Server server = serverWith(kOnly, Mode::Caller);
  for (const bool push : {true, false}) {
    for (const std::size_t size : {1000, 100000, 4 << 20}) {
      const Flow flow{Move::Am, size, push};  // what is left of a flow goes with its endpoint
      expectTransfers(server, flow, {"env", "UCXX_LOCAL=only"}, [](const Endpoint& endpoint) {
        EXPECT_EQ(endpoint.getTransports().front().transport, "local");
        EXPECT_EQ(tcpSockets().listening + tcpSockets().others, 0u);
      });
    }
  }
}

/// A peer that says how it met the server.
std::string meet(const Server& server, std::vector<std::string> prefix) {
  Process other({"meet", "127.0.0.1", std::to_string(server.listener->getPort())},
                std::move(prefix));
  return other.line();
}

TEST(LocalityTest, PeersThatAreOffMeetByUcx) {
  const Server server = serverWith(kAuto, Mode::Adaptive);
  const std::string off = meet(server, {"env", "UCXX_LOCAL=off"});
  EXPECT_NE(off.find("UCX channel (UCXX_LOCAL=off)"), off.npos) << off;
  const std::string near = meet(server, {"env", "UCXX_LOCAL=auto"});
  EXPECT_NE(near.find("local channel,"), near.npos) << near;
}

TEST(LocalityTest, WhoHasNoDescriptorsLeftSaysSo) {
  const Server server = serverWith(kOnly, Mode::Adaptive);
  const char* const wait = "head -c 1 >/dev/null; exec env UCXX_LOCAL=only \"$@\"";
  Process other({"meet", "127.0.0.1", std::to_string(server.listener->getPort())},
                {"sh", "-c", wait, "sh"});
  door::test::Drought drought;
  drought.giveBack(2);  // for the caller's socket, but not for what comes with its hello
  other.tell('g');
  const std::string said = other.line();
  EXPECT_NE(said.find("the peer has no file descriptors left"), said.npos) << said;
}

TEST(LocalityTest, AnotherUserIsMetByUcxOrNotAtAll) {
  if (::geteuid() != 0 || std::system("setpriv --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "another user needs root and setpriv";
  const std::vector<std::string> nobody{"setpriv", "--reuid=65534", "--clear-groups", "env"};
  const auto as_nobody = [&](const Server& server, const char* local) {
    auto prefix = nobody;
    prefix.push_back(local);
    return meet(server, prefix);
  };
  const Server server = serverWith(kAuto, Mode::Adaptive);
  const std::string met = as_nobody(server, "UCXX_LOCAL=auto");
  EXPECT_NE(met.find("UCX channel (another user)"), met.npos) << met;
  const Server only = serverWith(kOnly, Mode::Adaptive);
  const std::string failed = as_nobody(only, "UCXX_LOCAL=only");
  EXPECT_NE(failed.find("failed"), failed.npos) << failed;
  EXPECT_NE(failed.find("UCXX_LOCAL=only"), failed.npos) << failed;
}

TEST(LocalityTest, WhatItBecomesByExecHasNoDescriptorOfOurs) {
  Server server = serverWith(kAuto, Mode::Caller);
  const Flow flow{Move::Am, 1 << 20, true};
  Process other(server.caller(flow), {"env", "UCXX_LOCAL=auto"});
  auto endpoint = server.next();
  ASSERT_NE(endpoint, nullptr);
  FlowEnd end(endpoint, flow, false);
  ASSERT_TRUE(server.until([&] { return end.turn(), end.count() > 2; }));
  EXPECT_EQ(endpoint->getTransports().front().transport, "local");
  ASSERT_EQ(other.line(), "ready");
  other.tell('e');
  EXPECT_EQ(other.line(), "another");
  EXPECT_TRUE(server.until(
      [&] { return end.turn(), end.isIdle() && end.status() != UCS_OK && !endpoint->isAlive(); }));
}

/// Such a process has no library memory, and maps none: with copies refused its helps all fail.
TEST(LocalityTest, ProcessOfLimitedAddressesTransfersAsWell) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer's own memory is beyond any limit";
#endif
  const std::vector<std::string> limited{
      "sh", "-c", "ulimit -v 130000000000 && exec env UCXX_LOCAL=auto \"$@\"", "sh"};
  for (const bool push : {true, false}) {
    for (const Move move : {Move::Am, Move::Tag, Move::Multi}) {
      Server server = serverWith(kAuto, Mode::Caller);
      expectTransfers(server, {move, 3 << 20, push}, limited, [](const Endpoint& endpoint) {
        EXPECT_EQ(endpoint.getTransports().front().transport, "local");
      });
    }
  }
}

/// Neither number of a process means anything to the other, and only one of them can be looked up.
TEST(LocalityTest, AnotherPidNamespaceTransfersAsWell) {
  const std::vector<std::string> apart{"unshare", "--user",          "--map-root-user",
                                       "--pid",   "--fork",          "--kill-child",
                                       "env",     "UCXX_LOCAL=auto", "UCXX_LOCAL_BULK=copy"};
  if (std::system("unshare --user --map-root-user --pid --fork true 2>/dev/null") != 0)
    GTEST_SKIP() << "this machine makes no pid namespaces";
  Server server = serverWith({{"UCXX_LOCAL", "auto"}, {"UCXX_LOCAL_BULK", "copy"}}, Mode::Caller);
  for (const bool push : {true, false}) {
    const Flow flow{Move::Am, 1 << 20, push};
    expectTransfers(server, flow, apart, [](const Endpoint& endpoint) {
      EXPECT_EQ(endpoint.getTransports().front().transport, "local");
    });
  }
}

}  // namespace
}  // namespace ucxx::core::test
