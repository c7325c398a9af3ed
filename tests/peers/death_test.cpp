// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer that leaves or is killed in the middle of each protocol: its requests end soon, a third
// process notices nothing, nothing is left.

#include <csignal>

#include "peers/server.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

enum class End { Close, Exit, Exec, Kill };

struct Case {
  const char* name;
  Flow flow;
};
const Case kCases[] = {
#if defined(UCXX_TEST_DEVICES)  // over a driver of CUDA
    {"AmDeviceEagerPush", {Move::AmDevice, 1000, true}},
    {"AmDeviceRendezvousPush", {Move::AmDevice, 1 << 20, true}},
    {"AmDeviceRendezvousPull", {Move::AmDevice, 1 << 20, false}},
    {"AmDevicePartsPush", {Move::AmDevice, 6 << 20, true}},
    {"AmDevicePartsPull", {Move::AmDevice, 6 << 20, false}},
#else
    {"Idle", {Move::Tag, 0, true}},
    {"TagEagerPush", {Move::Tag, 1000, true}},
    {"TagEagerPull", {Move::Tag, 1000, false}},
    {"TagFragmentsPush", {Move::Tag, 200000, true}},
    {"TagFragmentsPull", {Move::Tag, 200000, false}},
    {"TagRendezvousPush", {Move::Tag, 8 << 20, true}},
    {"TagRendezvousPull", {Move::Tag, 8 << 20, false}},
    {"AmEagerPush", {Move::Am, 1000, true}},
    {"AmRendezvousPush", {Move::Am, 1 << 20, true}},
    {"AmRendezvousPull", {Move::Am, 1 << 20, false}},
    {"StreamEagerPush", {Move::Stream, 1000, true}},
    {"StreamRendezvousPush", {Move::Stream, 1 << 20, true}},
    {"StreamRendezvousPull", {Move::Stream, 1 << 20, false}},
    {"MultiPush", {Move::Multi, 1 << 20, true}},
    {"MultiPull", {Move::Multi, 1 << 20, false}},
#endif
};

/// Without ever waiting for a deadline of the link: 1.5 s.
constexpr auto soon(End end) {
#if defined(__SANITIZE_THREAD__)
  constexpr int slower = 5;  // a turn of this test, which looks at 8 MiB, takes 0.2 s by itself
#else
  constexpr int slower = 1;
#endif
  return slower * (end == End::Kill ? 1000ms : 1500ms);
}

class DeathTest : public testing::TestWithParam<std::tuple<int, Mode, End>> {};

/// A friend's traffic: it must go on, whatever happens to others.
struct Friend {
  explicit Friend(Server& server) : process(server.caller(flow)), end(server.next(), flow, false) {}
  Flow flow{Move::Am, 300, true};
  Process process;
  FlowEnd end;
};

void expectNothingIsLeft(std::size_t descriptors, std::size_t threads) {
  EXPECT_LE(openDescriptors(), descriptors);
  EXPECT_LE(runningThreads(), threads);
}

void die(Process& victim, End end) {
  if (end == End::Kill) return victim.signal(SIGKILL);
  victim.tell(end == End::Close ? 'q' : end == End::Exit ? 'x' : 'e');
}

TEST_P(DeathTest, ItsRequestsEndAndOthersGoOn) {
  const Case& one = kCases[std::get<0>(GetParam())];
  { Server warm(Mode::Caller); }  // what UCX keeps for the process
  const std::size_t descriptors = openDescriptors();
  const std::size_t threads = runningThreads();
  {
    Server server(std::get<1>(GetParam()));
    Process victim(server.caller(one.flow));
    auto endpoint = server.next();
    ASSERT_NE(endpoint, nullptr);
    Friend other(server);
    FlowEnd flow(endpoint, one.flow, !one.flow.push);
    std::atomic<int> closed{0};
    Clock::time_point told;
    endpoint->setCloseCallback(
        [&](ucs_status_t, std::shared_ptr<void>) {
          told = Clock::now();
          ++closed;
        },
        nullptr);
    auto pending = endpoint->tagRecv(nullptr, 0, Tag{0x99});  // never matched
    // Beside busier processes than cores each 128 KiB wait for a time slice.
    const std::size_t enough = one.flow.size < 1 << 20 ? 10 : 2;
    const auto turn = [&] { flow.turn(), other.end.turn(); };
    ASSERT_TRUE(server.until([&] {
      return turn(), (flow.count() > enough || one.flow.size == 0) && other.end.count() > 10;
    }));

    const auto begin = Clock::now();
    die(victim, std::get<2>(GetParam()));
    EXPECT_TRUE(server.until([&] { return turn(), closed == 1 && pending->isCompleted(); }, 5s))
        << server.worker->describe();
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(told - begin);
    testing::Test::RecordProperty("detected_ms", static_cast<int>(took.count()));
    // What has come before can still be received; then the flow ends too.
    EXPECT_TRUE(server.until(
        [&] { return turn(), flow.isIdle() && (one.flow.size == 0 || flow.status() != UCS_OK); },
        5s))
        << server.worker->describe();
    EXPECT_LT(took, soon(std::get<2>(GetParam())));
    EXPECT_FALSE(endpoint->isAlive());
    EXPECT_TRUE(UCS_STATUS_IS_ERR(pending->getStatus()));
    EXPECT_TRUE(flow.isRight());
    const std::size_t before = other.end.count();
    EXPECT_TRUE(server.until([&] { return turn(), other.end.count() > before + 20; }));
    EXPECT_EQ(other.end.status(), UCS_OK);
    EXPECT_TRUE(other.end.isRight());
    other.end.stop();
    EXPECT_TRUE(server.until([&] { return other.end.turn(), other.end.isIdle(); }));
    endpoint->setCloseCallback(nullptr, nullptr);
  }
  expectNothingIsLeft(descriptors, threads);
}

std::string nameOfCase(const testing::TestParamInfo<DeathTest::ParamType>& info) {
  const char* ends[] = {"Close", "Exit", "Exec", "Kill"};
  return kCases[std::get<0>(info.param)].name + nameOf(std::get<1>(info.param)) +
         ends[static_cast<int>(std::get<2>(info.param))];
}
const auto kAll = testing::Range(0, static_cast<int>(std::size(kCases)));
INSTANTIATE_TEST_SUITE_P(Killed, DeathTest,
                         testing::Combine(kAll,
                                          testing::Values(Mode::Caller, Mode::Event, Mode::Blocking,
                                                          Mode::Adaptive),
                                          testing::Values(End::Kill)),
                         nameOfCase);
INSTANTIATE_TEST_SUITE_P(Left, DeathTest,
                         testing::Combine(kAll, testing::Values(Mode::Caller),
                                          testing::Values(End::Close, End::Exit, End::Exec)),
                         nameOfCase);

TEST(LeaveTest, WhatWasSentBeforeArrivesThoughItIsLookedAtLater) {
  constexpr std::size_t kCount = 500, kSize = 100;  // a ring takes them all
  Server server(Mode::Caller, "127.0.0.1", "-", WorkerOptions().unexpected_bytes);
  Process peer({"leave", "127.0.0.1", std::to_string(server.listener->getPort()),
                std::to_string(kCount), std::to_string(kSize)});
  auto endpoint = server.next();
  ASSERT_NE(endpoint, nullptr);
  std::vector<std::byte> buffer(kSize);
  std::size_t right = 0;
  const auto sent = bytes(kSize);
  Requests receives;
  for (std::size_t i = 0; i < kCount; ++i) {
    receives.push_back(server.worker->tagRecv(buffer.data(), kSize, kTag, TagMaskFull, false,
                                              [&](ucs_status_t status, std::shared_ptr<void>) {
                                                right += status == UCS_OK && buffer == sent;
                                                for (const auto end = Clock::now() + 100us;
                                                     Clock::now() < end;) {
                                                }
                                              }));
  }
  peer.tell('g');
  ASSERT_EQ(peer.line(), "sent 0");
  ASSERT_EQ(peer.line(), "left");
  ASSERT_EQ(peer.wait(), 0);
  EXPECT_TRUE(server.until([&] { return right == kCount && !endpoint->isAlive(); }, 5s))
      << right << " of " << kCount << "\n"
      << server.worker->describe();
  for (const auto& receive : receives) receive->cancel();
}

}  // namespace
}  // namespace ucxx::core::test
