// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Large payloads that both processes copy, when a copy is refused, fails or takes for ever.

#include <cerrno>
#include <climits>
#include <functional>

#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/both_copy.h"
#include "core/operations.h"

namespace {

/// What becomes of copies of one kind.
struct Copies {
  std::atomic<int> left{INT_MAX};  // so many work
  std::atomic<int> failures{0};    // then so many do not
  std::atomic<int> error{EFAULT};
  std::atomic<bool> held{false};  // the next one waits, before it copies, while this is so
  std::atomic<int> waiting{0};

  bool fails() {
    if (held) {
      ++waiting;
      while (held) std::this_thread::yield();
      --waiting;
    }
    if (left-- > 0 || failures-- <= 0) return false;
    errno = error;
    return true;
  }
  void failAfter(int works, int fail, int with) { error = with, failures = fail, left = works; }
};
Copies reads, writes;
std::atomic<bool> writer_is_first{false};  // reads wait until a write does

}  // namespace

/// Instead of libc's.
extern "C" __attribute__((visibility("default"))) ssize_t process_vm_readv(
    pid_t pid, const iovec* own, unsigned long owns, const iovec* theirs, unsigned long count,
    unsigned long flags) noexcept {
  while (writer_is_first && writes.waiting == 0) std::this_thread::yield();
  if (reads.fails()) return -1;
  return ::syscall(SYS_process_vm_readv, pid, own, owns, theirs, count, flags);
}
extern "C" __attribute__((visibility("default"))) ssize_t process_vm_writev(
    pid_t pid, const iovec* own, unsigned long owns, const iovec* theirs, unsigned long count,
    unsigned long flags) noexcept {
  if (writes.fails()) return -1;
  return ::syscall(SYS_process_vm_writev, pid, own, owns, theirs, count, flags);
}

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kSize = 8 << 20;

class CopyingTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!canBothCopy()) GTEST_SKIP() << "processes cannot both copy here";
  }
  static WorkerOptions quick() {
    WorkerOptions options;
    options.close_timeout = 50ms;
    return options;
  }
  Ends ends_{Route::Listener, Mode::Caller, quick(), {{"UCXX_LOCAL_BULK", "copy"}}};
  const std::vector<std::byte> sent_ = bytes(kSize);
  std::vector<std::byte> room_ = std::vector<std::byte>(kSize);

  std::shared_ptr<Request> send(Tag tag = kTag) {
    return ends_.left->tagSend(sent_.data(), kSize, tag);
  }
  void expectArrives(int count = 3) {
    for (int i = 0; i < count; ++i) {
      std::fill(room_.begin(), room_.end(), std::byte{0});
      auto receive = ends_.right->tagRecv(room_.data(), kSize, kTag);
      ASSERT_TRUE(ends_.ended({send(), receive}));
      EXPECT_EQ(receive->getStatus(), UCS_OK);
      EXPECT_TRUE(room_ == sent_);
    }
  }
};

TEST_F(CopyingTest, RefusedReadsInMidFlight) {
  reads.failAfter(3, INT_MAX, EPERM);
  expectArrives();
}

TEST_F(CopyingTest, RefusedWritesInMidFlight) {
  ends_.left_worker->startProgressThread({ProgressMode::Polling, {}});
  writes.failAfter(1, INT_MAX, EPERM);
  expectArrives();
}

TEST_F(CopyingTest, ReadsAndWritesThatFailNowAndThen) {
  ends_.left_worker->startProgressThread({ProgressMode::Polling, {}});
  for (int works = 0; works < 6; ++works) {
    writes.failAfter(works % 3, 1, EFAULT);
    reads.failAfter(works / 2, works % 2, EFAULT);
    expectArrives(2);
  }
}

TEST_F(CopyingTest, MoreAtOnceThanOneCanHelpWith) {
  ends_.left_worker->startProgressThread({ProgressMode::Polling, {}});
  constexpr std::size_t kCount = 40, kEach = 1 << 20;
  std::vector<std::vector<std::byte>> sent, rooms(kCount, std::vector<std::byte>(kEach));
  Requests all;
  for (unsigned i = 0; i < kCount; ++i) sent.push_back(bytes(kEach, i));
  for (unsigned i = 0; i < kCount; ++i) {
    all.push_back(ends_.right->tagRecv(rooms[i].data(), kEach, Tag{i}));
    all.push_back(ends_.left->tagSend(sent[i].data(), kEach, Tag{i}));
  }
  ASSERT_TRUE(ends_.ended(all));
  EXPECT_TRUE(rooms == sent);
}

/// A sender that helps, and stops just before it writes.
class HeldHelperTest : public CopyingTest {
 protected:
  void SetUp() override {
    CopyingTest::SetUp();
    if (IsSkipped()) return;
    ends_.left_worker->startProgressThread({ProgressMode::Polling, {}});
    receive_ = ends_.right->tagRecv(room_.data(), kSize, kTag);
    writes.held = writer_is_first = true;
    send_ = send();
    ASSERT_TRUE(compat::until({ends_.right_worker}, [&] { return writes.waiting != 0; }));
    writer_is_first = false;
  }
  void TearDown() override { writes.held = false; }
  void turn() {
    for (int i = 0; i < 1000; ++i) ends_.right_worker->progress();
  }
  std::shared_ptr<Request> send_, receive_;
};

TEST_F(HeldHelperTest, IsWaitedFor) {
  turn();
  EXPECT_FALSE(receive_->isCompleted());
  writes.held = false;
  ASSERT_TRUE(ends_.ended({send_, receive_}));
  EXPECT_TRUE(room_ == sent_);
  expectArrives();
}

TEST_F(HeldHelperTest, KeepsTheBufferOfAClosedEndpoint) {
  auto close = ends_.right->close();
  ASSERT_TRUE(compat::until({ends_.right_worker}, [&] { return close->isCompleted(); }));
  turn();
  EXPECT_FALSE(receive_->isCompleted());
  writes.held = false;
  ASSERT_TRUE(ends_.ended({send_, receive_}));
  EXPECT_EQ(receive_->getStatus(), UCS_ERR_CANCELED);
  const std::vector<std::byte> then = room_;
  turn();
  EXPECT_TRUE(room_ == then) << "written to after its end";
}

TEST_F(HeldHelperTest, LetsOthersSleep) {
  EventThread sleeper(ends_.right_worker);
  std::this_thread::yield();
  const auto before = ends_.right_worker->stats().wake_ups;
  ASSERT_TRUE(in(5s, [&] { return ends_.right_worker->stats().wake_ups > before + 3; }));
  writes.held = false;
  ASSERT_TRUE(in(5s, [&] { return send_->isCompleted() && receive_->isCompleted(); }));
  EXPECT_TRUE(room_ == sent_);
}

TEST_F(HeldHelperTest, DoesNotHoldAWorkerForEver) {
  receive_ = nullptr;
  ends_.right = nullptr;
  ends_.listener = nullptr;
  const auto begin = Clock::now();
  ends_.right_worker = nullptr;
  EXPECT_LT(Clock::now() - begin, 5s);
  writes.held = false;
  ASSERT_TRUE(compat::ended({ends_.left_worker}, {send_}));
}

/// Memory that no peer maps.
class OwnBuffer final : public Buffer {
 public:
  explicit OwnBuffer(std::size_t size) : Buffer(BufferType::Host, size), bytes_(size) {}
  void* data() override { return bytes_.data(); }

 private:
  std::vector<std::byte> bytes_;
};

class HeldMoveTest : public CopyingTest, public testing::WithParamInterface<Move> {};

TEST_P(HeldMoveTest, EndpointAndRequestMayBeDroppedMeanwhile) {
  ends_.left_worker->startProgressThread({ProgressMode::Polling, {}});
  ends_.right_worker->registerAmAllocator(
      UCS_MEMORY_TYPE_HOST, [](std::size_t size) { return std::make_shared<OwnBuffer>(size); });
  writes.held = writer_is_first = true;
  Received none;
  Sending sending(GetParam(), *ends_.left, sent_);
  Receiving receiving(GetParam(), *ends_.right, kSize, none);
  ASSERT_TRUE(compat::until({ends_.right_worker}, [&] { return writes.waiting != 0; }));
  writer_is_first = false;
  receiving.request->cancel();
  receiving.request = nullptr;
  ends_.right = nullptr;
  for (int i = 0; i < 1000; ++i) ends_.right_worker->progress();
  EXPECT_EQ(ends_.right_worker->stats().pending_requests, 1u);
  writes.held = false;
  EXPECT_TRUE(ends_.ended({sending.request}));
  EXPECT_TRUE(ends_.until([&] { return ends_.right_worker->stats().pending_requests == 0; }));
}

INSTANTIATE_TEST_SUITE_P(All, HeldMoveTest, testing::Values(Move::Tag, Move::Stream, Move::Am),
                         [](const auto& info) { return nameOf(info.param); });

/// What a callback of a receive does while others are being copied.
class CopyingCallbackTest : public CopyingTest {
 protected:
  /// Runs in the callback of the first of three.
  void expectAllEndWith(std::function<void()> work) {
    std::vector<std::vector<std::byte>> rooms(3, std::vector<std::byte>(kSize));
    Requests all{nullptr};
    std::atomic<int> ended{0};
    for (auto& room : rooms) {
      all.push_back(ends_.right->tagRecv(room.data(), kSize, kTag, TagMaskFull, false,
                                         [&](ucs_status_t, std::shared_ptr<void>) {
                                           if (++ended == 1) work();
                                         }));
      all.push_back(send());
    }
    all.erase(all.begin());
    EXPECT_TRUE(compat::until({ends_.left_worker, right_worker_}, [&] {
      return ended == 3 && std::all_of(all.begin(), all.end(),
                                       [](const auto& one) { return one->isCompleted(); });
    }));
    EXPECT_EQ(ended, 3);
  }
  std::shared_ptr<Worker> right_worker_ = ends_.right_worker;
};

TEST_F(CopyingCallbackTest, MayCloseAndDropTheEndpoint) {
  expectAllEndWith([&] {
    (void)ends_.right->close();
    ends_.right = nullptr;
  });
}

TEST_F(CopyingCallbackTest, MayDropThePeer) {
  expectAllEndWith([&] { ends_.left = nullptr; });
}

/// Forks in the callback of the first of three receives that are being copied. The child is to be
/// told so by whatever it calls next.
class CopyingForkTest : public CopyingTest {
 protected:
  template <class Work>
  void expectChildIsTold(Work work) {
    bool is_child = false;
    int status = -1;
    const auto fork_once = [&](ucs_status_t, const std::shared_ptr<void>&) {
      if (status != -1) return;
      status = 0;
      const pid_t child = ::fork();
      is_child = child == 0;
      ::alarm(is_child ? 10 : 0);
      if (!is_child) ::waitpid(child, &status, 0);
    };
    for (auto& room : rooms_)
      receives_.push_back(
          ends_.right->tagRecv(room.data(), kSize, kTag, TagMaskFull, false, fork_once));
    for (std::size_t i = 0; i < rooms_.size(); ++i) sends_.push_back(send());
    try {
      while (rooms_[0].front() != sent_.front()) ends_.right_worker->progressOnce();
      work();
      (void)ends_.ended(receives_);
      if (is_child) ends_.right_worker->progress();
    } catch (const Error&) {
      if (is_child) ::_exit(0);
      throw;
    }
    if (is_child) ::_exit(1);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  std::vector<std::vector<std::byte>> rooms_{3, std::vector<std::byte>(kSize)};
  Requests receives_, sends_;
};

TEST_F(CopyingForkTest, WhileOthersAreCopied) {
  expectChildIsTold([] {});
}

TEST_F(CopyingForkTest, AtTheEndOfTheEndpoint) {
  expectChildIsTold([&] { (void)ends_.right->close(); });
}

}  // namespace
}  // namespace ucxx::core::test
