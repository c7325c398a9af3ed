// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Garbage at the ports while friends connect; and two 'machines' with a cable that is cut.

#include <cstdlib>
#include <random>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peers/server.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

/// Says something wrong at `port`, and hangs up at once or after the answer.
void disturb(std::uint16_t port, unsigned seed) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience{0, 100000};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) {
    const std::string greetings[] = {"GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n", "",
                                     "\x16\x03\x01\x02"};
    const std::string& text = greetings[seed % 4];
    (void)::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    const auto noise = bytes(seed % 5000, seed);
    (void)::send(fd, noise.data(), noise.size(), MSG_NOSIGNAL);
    char answer[64];
    if (seed % 3 == 0) (void)::recv(fd, answer, sizeof answer, 0);
  }
  ::close(fd);
}

TEST(StrangerTest, FriendsConnectBesideThem) {
  for (const Mode mode : {Mode::Caller, Mode::Adaptive}) {
    Server server(mode);
    std::atomic<bool> stopping{false};
    std::thread stranger([&] {
      for (unsigned seed = 0; !stopping; ++seed) disturb(server.listener->getPort(), seed);
    });
    const Flow flow{Move::Am, 1000, true};
    for (int i = 0; i < 5; ++i) {
      Process peer(server.caller(flow));
      auto endpoint = server.next();
      if (endpoint == nullptr) {
        ADD_FAILURE() << "friend " << i << " was not let in";
        break;
      }
      FlowEnd end(endpoint, flow, false);
      EXPECT_TRUE(server.until([&] { return end.turn(), end.count() > 20; }));
      EXPECT_TRUE(end.isRight());
    }
    stopping = true;
    stranger.join();
  }
}

bool run(const std::string& command) {
  return std::system((command + " 2>/dev/null").c_str()) == 0;
}

/// Two network namespaces, ours and the peer's, and a cable between them.
class TwoMachines : public testing::Test {
 protected:
  // Outside, the machines are made, and this very case runs once more inside of the left one: only
  // a fresh process sees its network devices.
  void SetUp() override {
    if (const char* peer = std::getenv("UCXX_TEST_PEER_MACHINE")) {
      right_ = peer;
      left_ = std::getenv("UCXX_TEST_MACHINE");
      return;
    }
    if (::geteuid() != 0) GTEST_SKIP() << "network namespaces need root";
    outside_ = true;
    const bool made =
        run("ip netns add " + left_) && run("ip netns add " + right_) &&
        run("ip -n " + left_ + " link add veth0 type veth peer name veth1 netns " + right_) &&
        run("ip -n " + left_ + " addr add 10.99.0.1/24 dev veth0") &&
        run("ip -n " + right_ + " addr add 10.99.0.2/24 dev veth1");
    if (!made) GTEST_SKIP() << "this machine makes no network namespaces";
    for (const auto& [name, device] : {std::pair(left_, "veth0"), std::pair(right_, "veth1")}) {
      ASSERT_TRUE(run("ip -n " + name + " link set lo up"));
      ASSERT_TRUE(run("ip -n " + name + " link set " + device + " up"));
    }
    ASSERT_TRUE(isPlugged());
    char self[4096] = {};
    ASSERT_GT(::readlink("/proc/self/exe", self, sizeof self - 1), 0);
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    EXPECT_EQ(std::system(("UCXX_TEST_MACHINE=" + left_ + " UCXX_TEST_PEER_MACHINE=" + right_ +
                           " ip netns exec " + left_ + " " + self +
                           " --gtest_brief=1 --gtest_filter=TwoMachines." + name)
                              .c_str()),
              0);
  }
  void TearDown() override {
    if (!outside_) return;
    run("ip netns del " + left_);
    run("ip netns del " + right_);
  }
  void cable(bool up) {
    ASSERT_TRUE(run("ip -n " + right_ + " link set veth1 " + (up ? "up" : "down")));
  }
  /// The kernel has noticed: UCX takes no device before.
  bool isPlugged() const {
    for (const auto end = Clock::now() + 10s; Clock::now() < end;) {
      if (run("ip -n " + left_ + " link show veth0 | grep -q 'state UP'") &&
          run("ip -n " + right_ + " link show veth1 | grep -q 'state UP'"))
        return true;
    }
    return false;
  }
  Process peer(Server& server, const Flow& flow, const std::string& setting = "") const {
    std::vector<std::string> prefix{"ip", "netns", "exec", right_};
    if (!setting.empty()) prefix.insert(prefix.end(), {"env", setting});
    return Process(server.caller(flow), prefix);
  }

  bool outside_ = false;
  std::string left_ = "ucxx-l" + std::to_string(::getpid());
  std::string right_ = "ucxx-r" + std::to_string(::getpid());
};

TEST_F(TwoMachines, MeetByUcxAlthoughTheyAreOne) {
  if (outside_) return;
  Server server(Mode::Adaptive, "10.99.0.1", "veth0", 1 << 20, {{"UCXX_LOCAL", "auto"}});
  const std::vector<std::string> words{"meet", "10.99.0.1",
                                       std::to_string(server.listener->getPort())};
  Process other(words,
                {"ip", "netns", "exec", right_, "env", "UCX_NET_DEVICES=veth1", "UCXX_LOCAL=auto"});
  const std::string met = other.line();
  EXPECT_NE(met.find("UCX channel (local channel failed: "), met.npos) << met;
  Process only(words, {"ip", "netns", "exec", right_, "env", "UCXX_LOCAL=only"});
  const std::string failed = only.line();
  EXPECT_NE(failed.find("host \"10.99.0.1\" is not this machine"), failed.npos) << failed;
}

TEST_F(TwoMachines, TransfersInBothDirections) {
  if (outside_) return;
  for (const Mode mode : {Mode::Caller, Mode::Adaptive}) {
    Server server(mode, "10.99.0.1", "veth0");
    for (const bool push : {true, false}) {
      for (const std::size_t size : {1000, 100000, 4 << 20}) {
        const Flow flow{Move::Am, size, push};  // what is left of a flow goes with its endpoint
        Process other = peer(server, flow);
        auto endpoint = server.next();
        ASSERT_NE(endpoint, nullptr) << server.worker->describe();
        FlowEnd end(endpoint, flow, !push);
        EXPECT_TRUE(server.until([&] { return end.turn(), end.count() > 20; }))
            << server.worker->describe();
        EXPECT_TRUE(end.isRight());
      }
    }
  }
}

TEST_F(TwoMachines, CutCableEndsWhatIsPending) {
  if (outside_) return;
  for (const Mode mode : {Mode::Caller, Mode::Blocking}) {
    for (const std::size_t size : {0, 1000, 4 << 20}) {
      SCOPED_TRACE(nameOf(mode) + std::to_string(size));
      Server server(mode, "10.99.0.1", "veth0");
      const Flow flow{Move::Tag, size, true};
      Process other = peer(server, flow);
      auto endpoint = server.next();
      ASSERT_NE(endpoint, nullptr);
      FlowEnd end(endpoint, flow, false);
      auto pending = endpoint->amRecv();
      ASSERT_TRUE(server.until([&] { return end.turn(), size == 0 || end.count() > 5; }));
      cable(false);
      const auto begin = Clock::now();
      EXPECT_TRUE(
          server.until([&] { return end.turn(), pending->isCompleted() && end.isIdle(); }, 5s))
          << server.worker->describe();
      const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
      EXPECT_LT(took, 2500ms);
      RecordProperty("cut_ms", static_cast<int>(took.count()));
      EXPECT_FALSE(endpoint->isAlive());
      cable(true);
      ASSERT_TRUE(isPlugged());
    }
  }
}

TEST_F(TwoMachines, ShortCutSurvives) {
  if (outside_) return;
  Server server(Mode::Caller, "10.99.0.1", "veth0");
  const Flow flow{Move::Tag, 100000, true};
  Process other = peer(server, flow);
  auto endpoint = server.next();
  ASSERT_NE(endpoint, nullptr);
  FlowEnd end(endpoint, flow, false);
  ASSERT_TRUE(server.until([&] { return end.turn(), end.count() > 5; }));
  cable(false);
  const auto until = Clock::now() + 300ms;
  (void)server.until([&] { return end.turn(), Clock::now() > until; });
  cable(true);
  const std::size_t before = end.count();
  EXPECT_TRUE(server.until(
      [&] { return end.turn(), end.count() > before + 20 || end.status() != UCS_OK; }));
  EXPECT_EQ(end.status(), UCS_OK);
  EXPECT_TRUE(end.isRight());
}

TEST_F(TwoMachines, PatientPeersSurviveSilence) {
  if (outside_) return;
  Server server(Mode::Caller, "10.99.0.1", "veth0", 1 << 20, {{"UCXX_PATIENCE", "30"}});
  const Flow flow{Move::Tag, 100000, true};
  Process other = peer(server, flow, "UCXX_PATIENCE=30");
  auto endpoint = server.next();
  ASSERT_NE(endpoint, nullptr);
  FlowEnd end(endpoint, flow, false);
  ASSERT_TRUE(server.until([&] { return end.turn(), end.count() > 5; }));
  cable(false);
  const auto until = Clock::now() + 5s;  // longer than the patience of the default
  (void)server.until([&] { return end.turn(), Clock::now() > until; }, 6s);
  EXPECT_TRUE(endpoint->isAlive());
  cable(true);
  const std::size_t before = end.count();
  // TCP sends again after 6.2 and 12.6 s.
  EXPECT_TRUE(server.until(
      [&] { return end.turn(), end.count() > before + 20 || end.status() != UCS_OK; }, 15s));
  EXPECT_EQ(end.status(), UCS_OK);
  EXPECT_TRUE(end.isRight());
}

TEST_F(TwoMachines, PatienceEnds) {
  if (outside_) return;
  Server server(Mode::Caller, "10.99.0.1", "veth0", 1 << 20, {{"UCXX_PATIENCE", "3"}});
  const Flow flow{Move::Tag, 1000, true};
  Process other = peer(server, flow);
  auto endpoint = server.next();
  ASSERT_NE(endpoint, nullptr);
  FlowEnd end(endpoint, flow, false);
  auto pending = endpoint->amRecv();
  ASSERT_TRUE(server.until([&] { return end.turn(), end.count() > 5; }));
  cable(false);
  const auto begin = Clock::now();
  EXPECT_TRUE(server.until([&] { return end.turn(), pending->isCompleted(); }, 10s));
  const auto took = Clock::now() - begin;
  EXPECT_GT(took, 2900ms);
  EXPECT_LT(took, 5s);
}

}  // namespace
}  // namespace ucxx::core::test
