// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Two workers that meet while descriptors are short: they do, perhaps in another way, or are told.

#include <sys/resource.h>

#include "core/met.h"

namespace ucxx::core::test {
namespace {

/// While it lives, hardly more than so many further descriptors can be opened.
class Shortage {
 public:
  explicit Shortage(std::size_t more) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit low = before_;
    low.rlim_cur = openDescriptors() - 1 + more;
    ::setrlimit(RLIMIT_NOFILE, &low);
  }
  ~Shortage() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  Shortage(const Shortage&) = delete;
  Shortage& operator=(const Shortage&) = delete;

 private:
  rlimit before_{};
};

class ShortageTest : public testing::TestWithParam<const char*> {
 protected:
  static std::shared_ptr<Worker> makeWorker() {
    WorkerOptions options;
    options.connect_timeout = std::chrono::milliseconds(500);
    return createContext({{"UCXX_LOCAL", GetParam()}})->createWorker(options);
  }
};

/// What a message from `left` to `right` comes to; empty: it arrives.
std::string tryToSend(const std::shared_ptr<Worker>& left, const std::shared_ptr<Worker>& right,
                      const std::shared_ptr<Address>& address) {
  const int out = 42;
  int in = 0;
  auto receive = right->tagRecv(&in, sizeof in, Tag{1});
  const std::string error = messageOf([&] {
    auto endpoint = left->createEndpointFromWorkerAddress(address);
    auto send = endpoint->tagSend(&out, sizeof out, Tag{1});
    // What was sent may be lost with its link: then the endpoint says so.
    if (!compat::until({left, right}, [&] {
          return send->isCompleted() &&
                 (receive->isCompleted() || send->getStatus() != UCS_OK || !endpoint->isAlive());
        }))
      FAIL() << "it waits for ever\n" << left->describe() << right->describe();
    endpoint->raiseOnError();
    send->checkError();
  });
  receive->cancel();
  EXPECT_TRUE(compat::ended({right}, {receive}));
  return error == "no exception" && in == out ? "" : error;
}

TEST_P(ShortageTest, MeetOrAreTold) {
  int told = 0, met = 0;
  for (std::size_t more = 0; more < 40; more += more < 24 ? 4 : 2) {
    SCOPED_TRACE(more);
    auto left = makeWorker(), right = makeWorker();
    const auto address = right->getAddress();
    std::string error;
    {
      const Shortage shortage(more);
      error = tryToSend(left, right, address);
    }
    EXPECT_NE(error, "no exception");
    ++(error.empty() ? met : told);
    EXPECT_EQ(tryToSend(left, right, address), "");  // no harm is left
  }
  EXPECT_NE(told, 0);
  EXPECT_NE(met, 0);
}

INSTANTIATE_TEST_SUITE_P(All, ShortageTest, testing::Values("auto", "only", "off"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace ucxx::core::test
