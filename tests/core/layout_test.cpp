// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine with another layout of the local channel, as another version has: the two
// meet by UCX.

#include <algorithm>
#include <atomic>
#include <cstring>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "core/met.h"
#include "door/hello.h"

namespace {

using ucxx::door::FrameKind;

/// Frames of this kind say another layout; none if 0.
std::atomic<int> kind_of_others{0};

void put(std::vector<std::byte>& bytes, std::size_t at, std::uint32_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// The layout follows the magic of the terms; the frame's checksums are made anew.
void changeLayout(std::vector<std::byte>& frame) {
  constexpr std::size_t kHeader = ucxx::door::kFrameHeaderBytes, kKind = 10;
  constexpr char kMagic[] = {'U', 'C', 'X', 'L'};
  if (frame.size() <= kHeader || static_cast<int>(frame[kKind]) != kind_of_others) return;
  const auto as_byte = [](char letter) { return static_cast<std::byte>(letter); };
  std::vector<std::byte> magic;
  std::transform(std::begin(kMagic), std::end(kMagic), std::back_inserter(magic), as_byte);
  const auto terms = std::search(frame.begin(), frame.end(), magic.begin(), magic.end());
  if (terms == frame.end()) return;
  put(frame, static_cast<std::size_t>(terms - frame.begin()) + magic.size(), 99);
  const std::span<const std::byte> all(frame);
  put(frame, kHeader - 8, ucxx::base::crc32c(all.subspan(kHeader)));
  put(frame, kHeader - 4, ucxx::base::crc32c(all.first(kHeader - 4)));
}

}  // namespace

/// Instead of libc's.
extern "C" __attribute__((visibility("default"))) ssize_t sendmsg(int socket, const msghdr* message,
                                                                  int flags) {
  if (kind_of_others == 0 || message->msg_iovlen != 1)
    return ::syscall(SYS_sendmsg, socket, message, flags);
  const auto* first = static_cast<const std::byte*>(message->msg_iov->iov_base);
  std::vector<std::byte> bytes(first, first + message->msg_iov->iov_len);
  changeLayout(bytes);
  iovec part{bytes.data(), bytes.size()};
  msghdr changed = *message;
  changed.msg_iov = &part;
  return ::syscall(SYS_sendmsg, socket, &changed, flags);
}

namespace ucxx::core::test {
namespace {

class LayoutTest : public testing::TestWithParam<std::tuple<bool, FrameKind>> {
 protected:
  LayoutTest() { kind_of_others = static_cast<int>(std::get<1>(GetParam())); }
  ~LayoutTest() override { kind_of_others = 0; }
};

TEST_P(LayoutTest, AnotherOneIsMetByUcx) {
  Met met("auto", "auto", std::get<0>(GetParam()));
  ASSERT_TRUE(met.talks()) << met.left->describe() << met.right->describe();
  EXPECT_FALSE(met.isLocal());
  EXPECT_TRUE(says(met.left, "UCX channel (local channel failed: ") ||
              says(met.right, "UCX channel (local channel failed: "))
      << met.left->describe() << met.right->describe();
}

TEST_P(LayoutTest, WithoutAnotherWayTheEndpointFails) {
  Met met("only", "only", std::get<0>(GetParam()));
  const auto has_failed = [](const auto& end) { return end != nullptr && !end->isAlive(); };
  EXPECT_TRUE(compat::until({met.left, met.right},
                            [&] { return has_failed(met.there) || has_failed(met.back); }));
}

INSTANTIATE_TEST_SUITE_P(By, LayoutTest,
                         testing::Combine(testing::Bool(),
                                          testing::Values(FrameKind::Hello, FrameKind::Welcome)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) ? "Name" : "Address") +
                                  (std::get<1>(info.param) == FrameKind::Hello ? "Caller"
                                                                               : "Answerer");
                         });

}  // namespace
}  // namespace ucxx::core::test
