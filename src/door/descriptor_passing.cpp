// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/descriptor_passing.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/uio.h>

namespace ucxx::door {
namespace {

/// Room for one list of descriptors and nothing else: the kernel marks what does not fit.
struct Control {
  static constexpr std::size_t kRoom = CMSG_SPACE(kMaxDescriptors * sizeof(int));
  alignas(cmsghdr) std::array<std::byte, kRoom> bytes{};
};

void enclose(msghdr& message, Control& control, std::span<const int> descriptors) noexcept {
  if (descriptors.empty()) return;
  message.msg_control = control.bytes.data();
  message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
  cmsghdr& header = *CMSG_FIRSTHDR(&message);
  header.cmsg_level = SOL_SOCKET;
  header.cmsg_type = SCM_RIGHTS;
  header.cmsg_len = CMSG_LEN(descriptors.size_bytes());
  std::memcpy(CMSG_DATA(&header), descriptors.data(), descriptors.size_bytes());
}

void own(msghdr& message, Descriptors& descriptors) {
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
    return;
  }
  const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (std::size_t i = 0; i < count; ++i) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(header) + i * sizeof number, sizeof number);
    descriptors.emplace_back(number);
  }
}

}  // namespace

ssize_t sendWith(int socket, std::span<const std::byte> bytes,
                 std::span<const int> descriptors) noexcept {
  if (descriptors.size() > kMaxDescriptors) return -EINVAL;
  Control control;
  iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  enclose(message, control, descriptors);
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

ssize_t receiveWith(int socket, std::span<std::byte> into, Descriptors& descriptors) {
  const std::size_t before = descriptors.size();
  descriptors.reserve(descriptors.size() + kMaxDescriptors);  // no allocation inside the barrier
  Control control;
  iovec part{into.data(), into.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  const base::ForkBarrier barrier;
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return -errno;
  own(message, descriptors);
  if ((message.msg_flags & MSG_CTRUNC) == 0) return got;
  // There was room for them in the message.
  return descriptors.size() < before + kMaxDescriptors ? -EMFILE : -EBADMSG;
}

}  // namespace ucxx::door
