// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Two workers call each other, and one of the calls never arrives.

#include <utility>
#include <vector>

#include <netinet/in.h>
#include <sys/socket.h>

#include "base/file_descriptor.h"
#include "core/met.h"
#include "core/worker_address.h"
#include "door/door.h"

namespace ucxx::core::test {
namespace {

/// A socket of loopback on which connecting takes for ever: nobody accepts, and its queue is full.
class BlackHole {
 public:
  BlackHole() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    EXPECT_EQ(::bind(listening_.get(), name(), size), 0);
    EXPECT_EQ(::listen(listening_.get(), 0), 0);
    EXPECT_EQ(::getsockname(listening_.get(), name(), &size), 0);
    for (int i = 0; i < 4; ++i) {
      waiting_.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      (void)::connect(waiting_.back().get(), name(), sizeof address_);
    }
  }
  std::uint16_t port() const { return ntohs(address_.sin_port); }

 private:
  sockaddr* name() { return reinterpret_cast<sockaddr*>(&address_); }

  sockaddr_in address_{};
  base::FileDescriptor listening_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::vector<base::FileDescriptor> waiting_;
};

WorkerAddress partsOf(const std::shared_ptr<Worker>& worker) {
  return *readWorkerAddress(worker->getAddress()->getStringView());
}

class CrossingTest : public testing::Test {
 protected:
  CrossingTest() {
    if (partsOf(right_).worker < partsOf(left_).worker) std::swap(left_, right_);
  }
  std::shared_ptr<Address> leadingNowhere(const std::shared_ptr<Worker>& worker) const {
    WorkerAddress parts = partsOf(worker);
    parts.doors = door::resolve("127.0.0.1", hole_.port(), false);
    return createAddressFromString(writeWorkerAddress(parts));
  }

  BlackHole hole_;
  /// Of crossing calls that of `left_` wins.
  std::shared_ptr<Worker> left_ = workerWith("off"), right_ = workerWith("off");
};

TEST_F(CrossingTest, TheOneThatArrivesIsTakenWhenTheOtherDoesNot) {
  auto there = left_->createEndpointFromWorkerAddress(leadingNowhere(right_));
  auto back = right_->createEndpointFromWorkerAddress(left_->getAddress());
  const int out = 42;
  int in[2] = {0, 0};
  const Tag tag{7};
  // Long before the call that leads nowhere is given up.
  ASSERT_TRUE(compat::ended(
      {left_, right_}, {there->tagSend(&out, sizeof out, tag), back->tagSend(&out, sizeof out, tag),
                        left_->tagRecv(&in[0], sizeof out, tag, TagMaskFull),
                        right_->tagRecv(&in[1], sizeof out, tag, TagMaskFull)}))
      << left_->describe() << right_->describe();
  EXPECT_EQ(in[0] + in[1], 84);
  EXPECT_TRUE(there->isAlive() && back->isAlive());
}

}  // namespace
}  // namespace ucxx::core::test
