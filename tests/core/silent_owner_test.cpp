// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// One-sided operations on memory of a process that is stopped: cancel and close end them, and what
// it answers once it goes on does no harm.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/remote.h"
#include "peers/process.h"

namespace ucxx::core::test {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kSilentBytes = std::size_t{64} << 20;
constexpr std::size_t kKeyBytes = 48;
constexpr Tag kKey{1};

}  // namespace

/// own HOST PORT: connects twice, registers memory of its own, sends the key of it, and serves.
/// own-mapped: the memory is the library's, which peers map.
int runRole(const std::vector<std::string>& words) {
  const auto port = static_cast<std::uint16_t>(std::stoi(words[2]));
  auto context = createContext();
  auto worker = context->createWorker();
  std::vector<std::byte> memory(kSilentBytes);
  void* const place = words[0] == "own-mapped" ? nullptr : memory.data();
  auto handle = createMemoryHandle(context, kSilentBytes, place);
  const std::string key = handle->createRemoteKey()->serialize();
  std::shared_ptr<Endpoint> endpoints[2];
  for (auto& endpoint : endpoints) {
    endpoint = worker->createEndpointFromHostname(words[1], port);
    if (!compat::ended({worker}, {endpoint->tagSend(key.data(), key.size(), kKey)})) return 1;
  }
  ::fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  for (char letter = 0; ::read(STDIN_FILENO, &letter, 1) != 0;) worker->progress();
  return 0;
}

namespace {

enum class Way { Cancel, Close };
enum class Kind { Get, Fetch, Post, Put, Flush, WorkerFlush };

/// A worker, a process that has called it twice, and another worker.
class SilentOwnerTest : public testing::TestWithParam<std::tuple<Kind, Way>> {
 protected:
  struct Caller {
    std::shared_ptr<Endpoint> endpoint;
    std::shared_ptr<RemoteKey> key;
  };

  void SetUp() override {
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_TRUE(compat::until({worker_}, [&] { return accepted_.size() > i; }));
      std::string key(kKeyBytes, '\0');
      auto receive = accepted_[i]->tagRecv(key.data(), key.size(), kKey);
      ASSERT_TRUE(compat::ended({worker_}, {receive}));
      callers_[i] = {accepted_[i], createRemoteKeyFromSerialized(accepted_[i], key)};
      expectServed(callers_[i], 1);
    }
    near_ = worker_->createEndpointFromWorkerAddress(other_->getAddress());
    handle_ = createMemoryHandle(context_, words_.size() * 8, words_.data());
    near_key_ = createRemoteKeyFromSerialized(near_, handle_->createRemoteKey()->serialize());
    expectNearServes();
  }
  void stop() {
    process_.signal(SIGSTOP);
    int status = 0;
    ASSERT_EQ(::waitpid(process_.pid(), &status, WUNTRACED), process_.pid());
    ASSERT_TRUE(WIFSTOPPED(status));
  }

  /// More than may be under way at once.
  void expectServed(const Caller& caller, std::size_t count) {
    std::vector<std::uint64_t> before(count);
    std::uint64_t at_first = 0;
    ASSERT_TRUE(compat::ended({worker_}, {caller.endpoint->memGet(&at_first, 8, caller.key, 64)}));
    Requests requests;
    for (std::uint64_t& value : before)
      requests.push_back(caller.endpoint->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1,
                                                                     &value, caller.key, 64));
    const std::vector<std::byte> put(300'000, std::byte{0x77});
    requests.push_back(caller.endpoint->memPut(put.data(), put.size(), caller.key, 4096));
    requests.push_back(caller.endpoint->flush());
    ASSERT_TRUE(compat::ended({worker_}, requests)) << worker_->dump();
    for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_OK);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(before[i], at_first + i);
    std::vector<std::byte> got(put.size());
    ASSERT_TRUE(compat::ended({worker_},
                              {caller.endpoint->memGet(got.data(), got.size(), caller.key, 4096)}));
    EXPECT_TRUE(got == put);
  }
  void expectNearServes() {
    std::uint64_t before = 0;
    auto add = near_->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &before, near_key_);
    ASSERT_TRUE(compat::ended({worker_, other_}, {add, near_->flush()}));
    EXPECT_EQ(add->getStatus(), UCS_OK);
  }

  /// What does not end by itself now; the last is what it is about.
  Requests begin() {
    const std::shared_ptr<Endpoint>& endpoint = callers_[0].endpoint;
    const std::shared_ptr<RemoteKey>& key = callers_[0].key;
    const auto post = [&] {
      return endpoint->atomicPost<std::uint64_t>(AtomicOperation::Add, 1, key, 8);
    };
    switch (std::get<Kind>(GetParam())) {
      case Kind::Get:
        return {endpoint->memGet(room_.data(), room_.size(), key)};
      case Kind::Fetch: {
        Requests all;
        for (std::size_t i = 0; i < 300; ++i)
          all.push_back(endpoint->atomicFetch<std::uint64_t>(
              AtomicOperation::Add, 1, reinterpret_cast<std::uint64_t*>(room_.data()) + i, key));
        return all;
      }
      case Kind::Post: {
        Requests all(10'000);
        std::generate(all.begin(), all.end(), post);
        return all;
      }
      case Kind::Put:
        return {endpoint->memPut(room_.data(), room_.size(), key)};
      case Kind::Flush:
        return {post(), endpoint->flush()};
      default:
        return {post(), worker_->flush()};
    }
  }
  void end(const Requests& requests) {
    if (!isClosing()) {
      for (const auto& request : requests) request->cancel();
    } else {
      ASSERT_TRUE(compat::ended({worker_}, {callers_[0].endpoint->close()}));
    }
  }
  bool isLocal() const { return accepted_[1]->getTransports().front().transport == "local"; }
  /// UCX holds bytes of a put that the kernel has no room for.
  bool mayStayInUcx() const { return std::get<Kind>(GetParam()) == Kind::Put && !isLocal(); }
  /// By the kernel, without the owner: on a slow machine it has ended by itself only now.
  bool isCopied() const {
    const Kind kind = std::get<Kind>(GetParam());
    return isLocal() && (kind == Kind::Get || kind == Kind::Put);
  }
  bool isClosing() const { return std::get<Way>(GetParam()) == Way::Close; }

  std::shared_ptr<Context> context_ = createContext();
  std::shared_ptr<Worker> worker_ = context_->createWorker(WorkerOptions{.close_timeout = 300ms});
  std::shared_ptr<Worker> other_ = context_->createWorker();
  std::deque<std::shared_ptr<Endpoint>> accepted_;
  std::shared_ptr<Listener> listener_ = worker_->createListener(
      0,
      [](ucp_conn_request_h request, void* self) {
        auto& test = *static_cast<SilentOwnerTest*>(self);
        test.accepted_.push_back(test.listener_->createEndpointFromConnRequest(request));
      },
      this, "127.0.0.1");
  Process process_{{"own", "127.0.0.1", std::to_string(listener_->getPort())}};
  std::vector<std::byte> room_ = std::vector<std::byte>(kSilentBytes, std::byte{0x33});
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(8);
  Caller callers_[2];
  std::shared_ptr<Endpoint> near_;
  std::shared_ptr<MemoryHandle> handle_;
  std::shared_ptr<RemoteKey> near_key_;
};

TEST_P(SilentOwnerTest, EndsAtOnceAndTheLinkGoesOn) {
  stop();
  const Requests requests = begin();
  const auto begun = Clock::now();
  while (Clock::now() - begun < 100ms) worker_->progress();
  const bool waits = !requests.back()->isCompleted();
  EXPECT_TRUE(waits || isCopied() || std::get<Kind>(GetParam()) == Kind::Post);
  end(requests);
  const bool closes_both = isClosing() && std::get<Kind>(GetParam()) == Kind::WorkerFlush;
  if (closes_both) {
    EXPECT_FALSE(requests.back()->isCompleted());  // the other has not been flushed either
    ASSERT_TRUE(compat::ended({worker_}, {callers_[1].endpoint->close()}));
  }
  if (mayStayInUcx()) process_.signal(SIGCONT);
  ASSERT_TRUE(compat::ended({worker_}, requests)) << worker_->dump();
  const ucs_status_t status = requests.back()->getStatus();
  EXPECT_TRUE(status == (waits ? UCS_ERR_CANCELED : UCS_OK) || (status == UCS_OK && isCopied()))
      << status;
  std::fill(room_.begin(), room_.end(), std::byte{0x44});  // ours again
  expectNearServes();
  process_.signal(SIGCONT);
  if (closes_both) return expectNearServes();
  expectServed(callers_[1], 300);
  if (!isClosing()) expectServed(callers_[0], 300);
  EXPECT_EQ(std::count(room_.begin(), room_.end(), std::byte{0x44}), std::ptrdiff_t{kSilentBytes});
  EXPECT_TRUE(callers_[1].endpoint->isAlive());
  expectNearServes();
  if (std::get<Kind>(GetParam()) != Kind::Put) return;
  // Its bytes are those that it had before it ended.
  std::vector<std::byte> there(kSilentBytes);
  const auto& [endpoint, key] = callers_[1];
  ASSERT_TRUE(compat::ended({worker_}, {endpoint->memGet(there.data(), kSilentBytes, key)}));
  EXPECT_EQ(std::count(there.begin(), there.end(), std::byte{0x44}), 0);
}

/// What an endpoint has under way does not end with another one.
TEST_P(SilentOwnerTest, TheOtherEndpointsOperationsGoOn) {
  stop();
  std::uint64_t before = 0;
  const auto& [endpoint, key] = callers_[1];
  auto add = endpoint->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &before, key, 128);
  auto flush = endpoint->flush();
  const Requests requests = begin();
  end(requests);
  EXPECT_FALSE(add->isCompleted());
  EXPECT_FALSE(flush->isCompleted());
  process_.signal(SIGCONT);
  ASSERT_TRUE(compat::ended({worker_}, {add, flush}));
  EXPECT_TRUE(compat::ended({worker_}, requests));
  EXPECT_EQ(add->getStatus(), UCS_OK);
  EXPECT_EQ(flush->getStatus(), UCS_OK);
}

std::string nameOf(const testing::TestParamInfo<std::tuple<Kind, Way>>& info) {
  const char* kinds[] = {"Get", "Fetch", "Post", "Put", "Flush", "WorkerFlush"};
  const char* ways[] = {"Cancel", "Close"};
  return std::string(kinds[static_cast<int>(std::get<Kind>(info.param))]) +
         ways[static_cast<int>(std::get<Way>(info.param))];
}
INSTANTIATE_TEST_SUITE_P(All, SilentOwnerTest,
                         testing::Combine(testing::Values(Kind::Get, Kind::Fetch, Kind::Post,
                                                          Kind::Put, Kind::Flush,
                                                          Kind::WorkerFlush),
                                          testing::Values(Way::Cancel, Way::Close)),
                         nameOf);

}  // namespace
}  // namespace ucxx::core::test
