// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What `Endpoint::explain` says is what a message does.

#include <charconv>

#include <sys/syscall.h>
#include <sys/uio.h>

#include "core/both_copy.h"
#include "core/bulk/offers.h"
#include "core/fixtures.h"
#include "core/link/link.h"
#include "core/match/endpoint_state.h"

namespace {

std::atomic<int> copies{0};  // that the kernel was asked for

}  // namespace

/// Instead of libc's.
extern "C" ssize_t process_vm_readv(pid_t pid, const iovec* own, unsigned long owns,
                                    const iovec* theirs, unsigned long count,
                                    unsigned long flags) noexcept {
  ++copies;
  return ::syscall(SYS_process_vm_readv, pid, own, owns, theirs, count, flags);
}
extern "C" ssize_t process_vm_writev(pid_t pid, const iovec* own, unsigned long owns,
                                     const iovec* theirs, unsigned long count,
                                     unsigned long flags) noexcept {
  ++copies;
  return ::syscall(SYS_process_vm_writev, pid, own, owns, theirs, count, flags);
}

namespace ucxx::core::test {
namespace {

constexpr std::size_t kSizes[] = {
    0,        1,     16,       17,        3 << 10, (3 << 10) + 1, 8 << 10,
    16 << 10, 16385, 32 << 10, 256 << 10, 1 << 20, 4 << 20,       (4 << 20) + 1};

bool says(const Explanation& said, std::string_view word) {
  return said.toString().find(word) != std::string::npos;
}

/// The number in front of `word`; 1 if there is none.
std::size_t numberBefore(const std::string& text, std::string_view word) {
  const std::size_t end = text.find(word);
  if (end == std::string::npos) return 1;
  std::size_t begin = end, number = 0;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0) --begin;
  std::from_chars(text.data() + begin, text.data() + end, number);
  return number == 0 ? 1 : number;  // "one"
}

/// One message from left to right, beside what was said of it.
class Sent {
 public:
  Sent(Ends& ends, std::size_t size)
      : ends_(ends),
        bytes_(bytes(size)),
        room_(size),
        said(ends.left->explain(size)),
        from(*linkOf(ends.left->state())),
        to(*linkOf(ends.right->state())),
        handled_(to.messagesHandled()) {
    send_ = ends.left->tagSend(bytes_.data(), size, Tag{7});
  }
  bool arrived() const { return ends_.arrived(ends_.right_worker, Tag{7}); }
  /// It is there, in so many messages and no more.
  bool came(std::size_t messages) const {
    return ends_.until([&] { return to.messagesHandled() - handled_ == messages; }) && arrived() &&
           to.messagesHandled() - handled_ == messages;
  }
  std::size_t handled() const { return to.messagesHandled() - handled_; }
  bool isReceived() {
    const auto receive = ends_.right->tagRecv(room_.data(), room_.size(), Tag{7});
    return ends_.ended({send_, receive}) && receive->getStatus() == UCS_OK && room_ == bytes_;
  }

 private:
  Ends& ends_;
  const std::vector<std::byte> bytes_;
  std::vector<std::byte> room_;

 public:
  const Explanation said;
  Link& from;
  Link& to;

 private:
  const std::uint32_t handled_;
  std::shared_ptr<Request> send_;
};

/// The first message may meet greetings of the two.
void greet(Ends& ends) { ASSERT_TRUE(Sent(ends, 1).isReceived()); }

TEST(ExplainTest, MessagesGoAsItSays) {
  Ends ends(Route::Listener);
  greet(ends);
  for (const std::size_t size : kSizes) {
    Sent sent(ends, size);
    const bool is_announced = sent.said.way.starts_with("announced");
    ASSERT_TRUE(sent.arrived());
    EXPECT_EQ(sent.from.sendCredit().announced(), is_announced ? 1u : 0u)
        << size << ": " << sent.said.way;
    const std::size_t parts =
        std::max(numberBefore(sent.said.way, " eager"), numberBefore(sent.said.way, " fragments"));
    EXPECT_TRUE(sent.came(is_announced ? 1 : parts)) << size << ": " << sent.said.way;
    EXPECT_TRUE(sent.isReceived());
    // By UCX, pieces have their turn like all messages.
    if (is_announced && sent.said.way.ends_with("in pieces of 16384 bytes")) {
      EXPECT_TRUE(sent.handled() == 1 + (size + 16383) / 16384 || sent.said.channel == "local");
    }
  }
}

TEST(ExplainTest, ChannelIsThatOfTheTransports) {
  for (const Route route : kRoutes) {
    Ends ends(route);
    const auto first = ends.left->getTransports().front();
    const Explanation said = ends.left->explain(8);
    EXPECT_EQ(said.channel, first.transport == "tcp" ? "UCX" : first.transport);
    EXPECT_EQ(said.transports.empty(), first.transport != "tcp");
    if (!said.transports.empty()) {
      EXPECT_EQ(said.transports.front(), "tcp/" + first.device);
    }
  }
}

/// As many system calls as chunks, or none.
TEST(ExplainTest, LargePayloadsOfThisMachineGoAsItSays) {
  for (const char* bulk : {"copy", "ring"}) {
    Ends ends(Route::Listener, Mode::Caller, {}, {{"UCXX_LOCAL_BULK", bulk}});
    greet(ends);
    for (const std::size_t size :
         {std::size_t{16385}, std::size_t{300'000}, std::size_t{5 << 20}}) {
      copies = 0;
      Sent sent(ends, size);
      ASSERT_TRUE(sent.isReceived());
      const bool is_copied = sent.said.way.find("copied by the kernel") != std::string::npos;
      EXPECT_EQ(static_cast<std::size_t>(copies),
                is_copied ? numberBefore(sent.said.way, " chunks") : 0)
          << sent.said.toString();
      const bool is_open = sent.said.channel == "local" && sent.from.local->memory().isOpen();
      EXPECT_EQ(is_copied, is_open && std::string_view(bulk) == "copy") << sent.said.toString();
      if (sent.said.channel == "local" && !is_open && std::string_view(bulk) == "copy") {
        EXPECT_TRUE(says(sent.said, "it refuses process_vm_readv")) << sent.said.toString();
      }
    }
  }
}

TEST(ExplainTest, PutsGoAsItSays) {
  Ends ends(Route::Listener);
  greet(ends);
  const Explanation said = ends.left->explain(8);
  std::vector<std::byte> theirs(1000), own = bytes(1000);
  const auto memory = createMemoryHandle(ends.context, theirs.size(), theirs.data());
  const auto key = createRemoteKeyFromSerialized(ends.left, memory->createRemoteKey()->serialize());
  copies = 0;
  ASSERT_TRUE(ends.ended({ends.left->memPut(own.data(), own.size(), key)}));
  ASSERT_TRUE(ends.ended({ends.left->flush()}));
  EXPECT_EQ(theirs, own);
  EXPECT_EQ(copies > 0, says(said, "put and get copied by the kernel")) << said.toString();
  EXPECT_EQ(said.channel == "UCX", says(said, "which the owner's worker serves"))
      << said.toString();
}

TEST(ExplainTest, WithoutCreditSmallMessagesAreAnnounced) {
  WorkerOptions options;
  options.unexpected_bytes = 2200;
  Ends ends(Route::Listener, Mode::Caller, options);
  greet(ends);
  Sent first(ends, 1500);
  ASSERT_TRUE(first.arrived());
  EXPECT_FALSE(first.said.way.starts_with("announced")) << first.said.way;
  EXPECT_EQ(first.from.sendCredit().announced(), 0u);
  Sent second(ends, 1500);
  EXPECT_TRUE(second.said.way.starts_with("announced")) << second.said.way;
  EXPECT_TRUE(says(second.said, "of 2200 are left")) << second.said.toString();
  EXPECT_EQ(second.from.sendCredit().announced(), 1u);
  EXPECT_TRUE(first.isReceived());
  EXPECT_TRUE(second.isReceived());
}

TEST(ExplainTest, HeldBackBehindAnnouncements) {
  WorkerOptions options;
  options.announcements = 1;
  Ends ends(Route::Listener, Mode::Caller, options);
  Sent first(ends, kAnnouncedBytes);
  ASSERT_TRUE(first.arrived());
  const Explanation said = ends.left->explain(8);
  EXPECT_TRUE(said.way.starts_with("held back: 1 announced")) << said.way;
  EXPECT_TRUE(first.isReceived());
  EXPECT_TRUE(ends.left->explain(8).way.starts_with("one ")) << ends.left->explain(8).way;
}

TEST(ExplainTest, WhyNotTheLocalChannel) {
  Ends ends(Route::Listener, Mode::Caller, {}, {{"UCXX_LOCAL", "off"}});
  const Explanation said = ends.left->explain(8);
  EXPECT_EQ(said.channel, "UCX");
  EXPECT_TRUE(says(said, "local channel: UCXX_LOCAL=off")) << said.toString();
}

TEST(ExplainTest, BeforeTheTwoMeetAndAfterwards) {
  Ends ends(Route::Listener);
  const auto port = ends.listener->getPort();
  auto other = makeWorker();
  auto endpoint = other->createEndpointFromHostname("127.0.0.1", port);
  Explanation said = endpoint->explain(8);
  EXPECT_EQ(said.channel, "none");
  EXPECT_TRUE(says(said, "127.0.0.1:" + std::to_string(port))) << said.toString();
  endpoint->closeBlocking();
  said = endpoint->explain(8);
  EXPECT_EQ(said.channel, "none");
  EXPECT_TRUE(says(said, "is closed")) << said.toString();
  ends.right = nullptr;
  ends.right_worker = nullptr;
  ASSERT_TRUE(compat::until({ends.left_worker}, [&] { return !ends.left->isAlive(); }));
  EXPECT_TRUE(says(ends.left->explain(8), "failed: ")) << ends.left->explain(8).toString();
}

/// With one: by_ucx_test.cpp.
TEST(ExplainTest, WithoutADriverMemoryOfDevicesIsTheHosts) {
  for (const Route route : {Route::Listener, Route::Self}) {
    Ends ends(route);
    for (const std::size_t size : {8, 1 << 20}) {
      const Explanation said = ends.left->explain(size, UCS_MEMORY_TYPE_CUDA);
      EXPECT_EQ(said.toString(), ends.left->explain(size).toString());
    }
    EXPECT_THROW((void)ends.left->explain(8, UCS_MEMORY_TYPE_LAST), InvalidParamError);
  }
}

TEST(ExplainTest, FromAnyThread) {
  Ends ends(Route::Listener, Mode::Blocking);
  EXPECT_NE(ends.left->explain(1 << 20).channel, "none");
}

}  // namespace
}  // namespace ucxx::core::test
