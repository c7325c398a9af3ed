// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Plans that end: closed, dropped, or with their endpoint, in each state that they can be in.

#include <sys/wait.h>
#include <unistd.h>

#include <ucxx/pool.h>
#include <ucxx/prepared.h>

#include "core/prepared_memory.h"

namespace ucxx::core::test {
namespace {

/// How far the two ends are.
enum class When { Alone, Matched, ReceiverStarted, Parked, HalfSent, Sent };
constexpr When kWhens[] = {When::Alone,  When::Matched,  When::ReceiverStarted,
                           When::Parked, When::HalfSent, When::Sent};
enum class Who { Sender, Receiver, Both };
enum class How { Closes, Drops, ClosesEndpoint };

std::string nameOf(When when) {
  const char* names[] = {"Alone", "Matched", "ReceiverStarted", "Parked", "HalfSent", "Sent"};
  return names[static_cast<int>(when)];
}
std::string nameOf(Who who) {
  const char* names[] = {"Sender", "Receiver", "Both"};
  return names[static_cast<int>(who)];
}
std::string nameOf(How how) {
  const char* names[] = {"Closes", "Drops", "ClosesEndpoint"};
  return names[static_cast<int>(how)];
}

struct Ways {
  Route route;
  Owner owner;
};
constexpr Ways kWays[] = {
    {Route::Self, Owner::User}, {Route::Address, Owner::Library}, {Route::Address, Owner::User}};

/// Two ends of a plan in a state.
class PlanPair {
 public:
  PlanPair(Ends& ends, Owner owner, When when)
      : ends_(ends),
        when_(when),
        source_(ends.context, owner, kEach * kCount),
        target_(ends.context, owner, kEach * kCount) {}

  void makeSend() {
    send = ends_.left->prepareSend(source_.data(), source_.size(), Tag{3}, {kCount});
  }
  void makeReceive() {
    receive = ends_.right->prepareRecv(target_.data(), target_.size(), Tag{3}, {kCount});
  }
  /// As far as `when` says.
  void bring() {
    makeSend();
    makeReceive();
    // Once through: both ends know each other.
    startAll({send, receive});
    send->ready();
    ASSERT_TRUE(ends_.until([&] { return send->isCompleted() && receive->isCompleted(); }));
    if (when_ == When::ReceiverStarted || when_ >= When::HalfSent) receive->start();
    if (when_ < When::Parked) return;
    send->start();
    if (when_ == When::Parked) send->ready(1);
    if (when_ == When::HalfSent) {
      send->ready(0, 2);
      ASSERT_TRUE(ends_.until([&] { return receive->arrived(1); }));
    }
    if (when_ == When::Sent) send->ready();
  }
  bool isSendOpen() const { return when_ == When::Parked || when_ == When::HalfSent; }
  bool isReceiveOpen() const { return when_ == When::ReceiverStarted || when_ == When::HalfSent; }

  std::shared_ptr<PreparedSend> send;
  std::shared_ptr<PreparedRecv> receive;

 private:
  static constexpr std::size_t kEach = 4096, kCount = 4;
  Ends& ends_;
  When when_;
  Memory source_, target_;
};

void expectFailed(const std::shared_ptr<Prepared>& plan) {
  if (plan == nullptr) return;  // dropped
  const ucs_status_t status = plan->getStatus();
  EXPECT_TRUE(status == UCS_ERR_CANCELED || status == UCS_ERR_CONNECTION_RESET) << plan->describe();
  EXPECT_ANY_THROW(plan->checkError());
}

class PreparedCloseTest : public testing::TestWithParam<std::tuple<Ways, Who, How>> {
 protected:
  bool isSenders() const { return std::get<Who>(GetParam()) != Who::Receiver; }
  bool isReceivers() const { return std::get<Who>(GetParam()) != Who::Sender; }

  template <class Plan>
  void end(std::shared_ptr<Plan>& plan, const std::shared_ptr<Endpoint>& endpoint,
           Requests& requests) const {
    const How how = std::get<How>(GetParam());
    if (how == How::Closes && plan != nullptr) requests.push_back(plan->close());
    if (how == How::Drops) plan = nullptr;
    if (how != How::ClosesEndpoint) return;
    if (auto closed = endpoint->close()) requests.push_back(closed);
  }
  void check(Ends& ends, When when) {
    PlanPair pair(ends, std::get<Ways>(GetParam()).owner, when);
    const std::uint64_t used = poolStats().used_bytes;
    if (when != When::Alone) {
      ASSERT_NO_FATAL_FAILURE(pair.bring());
    } else {
      isSenders() ? pair.makeSend() : pair.makeReceive();
    }
    Requests requests;
    if (isSenders()) end(pair.send, ends.left, requests);
    if (isReceivers()) end(pair.receive, ends.right, requests);
    ASSERT_TRUE(ends.ended(requests)) << ends.left_worker->dump() << ends.right_worker->dump();
    if (pair.isSendOpen()) {
      EXPECT_TRUE(ends.until([&] { return pair.send == nullptr || pair.send->isCompleted(); }));
      expectFailed(pair.send);
    }
    if (pair.isReceiveOpen()) {
      EXPECT_TRUE(
          ends.until([&] { return pair.receive == nullptr || pair.receive->isCompleted(); }));
      expectFailed(pair.receive);
    }
    // What is left of it ends as well, and every word is back.
    pair.send = nullptr;
    pair.receive = nullptr;
    EXPECT_TRUE(ends.until([&] { return poolStats().used_bytes <= used; }))
        << poolStats().used_bytes - used << ends.left_worker->describe();
  }
};

TEST_P(PreparedCloseTest, EndsBothAndGivesTheMemoryBack) {
  auto ends = std::make_unique<Ends>(std::get<Ways>(GetParam()).route);
  for (const When when : kWhens) {
    SCOPED_TRACE(nameOf(when));
    ASSERT_NO_FATAL_FAILURE(check(*ends, when));
    if (std::get<How>(GetParam()) == How::ClosesEndpoint) {
      ends = std::make_unique<Ends>(std::get<Ways>(GetParam()).route);
      continue;
    }
    // The endpoints go on.
    int out = 5, in = 0;
    ASSERT_TRUE(ends->ended({ends->left->tagSend(&out, sizeof out, Tag{8}),
                             ends->right_worker->tagRecv(&in, sizeof in, Tag{8}, TagMaskFull)}));
    EXPECT_EQ(in, 5);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PreparedCloseTest,
                         testing::Combine(testing::ValuesIn(kWays),
                                          testing::Values(Who::Sender, Who::Receiver, Who::Both),
                                          testing::Values(How::Closes, How::Drops,
                                                          How::ClosesEndpoint)),
                         [](const auto& info) {
                           const Ways& kind = std::get<0>(info.param);
                           return nameOf(kind.route) + nameOf(kind.owner) +
                                  nameOf(std::get<1>(info.param)) + nameOf(std::get<2>(info.param));
                         });

class PlanLifeTest : public testing::TestWithParam<Route> {
 protected:
  Ends ends_{GetParam()};
};

TEST_P(PlanLifeTest, ClosesSeveralTimes) {
  Memory memory(ends_.context, Owner::Library, 128);
  auto send = ends_.left->prepareSend(memory.data(), 64, Tag{1});
  auto receive = ends_.right->prepareRecv(memory.data() + 64, 64, Tag{1});
  ASSERT_TRUE(ends_.ended({send->close(), receive->close(), send->close(), receive->close()}));
  ASSERT_TRUE(ends_.ended({send->close()}));
  send->start();
  EXPECT_TRUE(send->wait());
  EXPECT_EQ(send->getStatus(), UCS_ERR_CANCELED);
  send->ready(0);
}

/// Whether it has come to the loop or not.
TEST_P(PlanLifeTest, ACancelledCloseCloses) {
  Ends delayed(GetParam(), Mode::Delayed);
  for (Ends* ends : {&ends_, &delayed}) {
    Memory memory(ends->context, Owner::Library, 128);
    auto send = ends->left->prepareSend(memory.data(), 64, Tag{1});
    auto receive = ends->right->prepareRecv(memory.data() + 64, 64, Tag{1});
    receive->start();
    ASSERT_TRUE(ends->until([&] {
      return receive->describe().find("prepared no send") == std::string::npos;
    })) << receive->describe();
    auto close = send->close();
    close->cancel();
    ASSERT_TRUE(ends->ended({close}));
    EXPECT_EQ(close->getStatus(), UCS_OK);
    ASSERT_TRUE(ends->until([&] { return receive->isCompleted(); }));
    EXPECT_EQ(receive->getStatus(), UCS_ERR_CONNECTION_RESET);
  }
}

TEST_P(PlanLifeTest, RequestsOutliveThePlan) {
  Memory memory(ends_.context, Owner::Library, 128);
  auto receive = ends_.right->prepareRecv(memory.data(), 64, Tag{1});
  receive->start();
  auto end = receive->request();
  auto withdrawn = receive->request();
  withdrawn->cancel();
  ASSERT_TRUE(ends_.ended({withdrawn}));
  EXPECT_EQ(withdrawn->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(receive->getStatus(), UCS_INPROGRESS);
  receive = nullptr;
  ASSERT_TRUE(ends_.ended({end}));
  EXPECT_EQ(end->getStatus(), UCS_ERR_CANCELED);
}

TEST_P(PlanLifeTest, ARequestSaysWhyItHasFailed) {
  Memory memory(ends_.context, Owner::Library, 128);
  auto send = ends_.left->prepareSend(memory.data(), 64, Tag{1});
  auto receive = ends_.right->prepareRecv(memory.data() + 64, 64, Tag{1});
  send->start();
  receive->start();
  ASSERT_TRUE(ends_.until([&] { return receive->isCompleted(); }));
  receive->start();
  auto end = receive->request();
  ASSERT_TRUE(ends_.ended({send->close(), end}));
  try {
    end->checkError();
    FAIL() << "it has not failed";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), UCS_ERR_CONNECTION_RESET);
    EXPECT_NE(std::string(error.what()).find("the peer has closed its end"), std::string::npos)
        << error.what();
  }
}

TEST_P(PlanLifeTest, WorkersEndWithPlans) {
  Memory memory(ends_.context, Owner::Library, 128);
  auto send = ends_.left->prepareSend(memory.data(), 64, Tag{1});
  auto receive = ends_.right->prepareRecv(memory.data() + 64, 64, Tag{1});
  receive->start();
  ASSERT_TRUE(ends_.until([&] { return !receive->describe().empty(); }));
  auto end = receive->request();
  receive = nullptr;
  send = nullptr;
  ends_.leave();
  EXPECT_TRUE(end->isCompleted());
}

TEST_P(PlanLifeTest, AForkedChildIsRefused) {
  Memory memory(ends_.context, Owner::Library, 128);
  auto send = ends_.left->prepareSend(memory.data(), 64, Tag{1}, {2});
  auto receive = ends_.right->prepareRecv(memory.data() + 64, 64, Tag{1}, {2});
  startAll({send, receive});
  const pid_t child = ::fork();
  if (child == 0) {
    int refused = 0;
    const auto count = [&](const auto& call) {
      try {
        call();
      } catch (const Error& error) {
        refused += error.status() == UCS_ERR_UNSUPPORTED ? 1 : 0;
      }
    };
    count([&] { send->ready(0); });
    count([&] { (void)receive->wait(std::chrono::seconds(1)); });
    count([&] { (void)receive->close(); });
    count([&] { (void)receive->request(); });
    count([&] { (void)ends_.left->prepareSend(memory.data(), 64, Tag{2}); });
    ::_exit(refused);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 5);
  send->ready();
  EXPECT_TRUE(ends_.until([&] { return send->isCompleted() && receive->isCompleted(); }));
  EXPECT_EQ(receive->getStatus(), UCS_OK);
}

TEST_P(PlanLifeTest, ManyAtOnce) {
  constexpr std::size_t kPlans = 1000, kEach = 128;
  Memory source(ends_.context, Owner::Library, kPlans * kEach);
  Memory target(ends_.context, Owner::Library, kPlans * kEach);
  const std::uint64_t used = poolStats().used_bytes;
  source.fill(1);
  std::vector<std::shared_ptr<Prepared>> sends, receives;
  for (std::size_t i = 0; i < kPlans; ++i) {
    sends.push_back(ends_.left->prepareSend(source.data() + i * kEach, kEach, Tag{i % 7}));
    receives.push_back(ends_.right->prepareRecv(target.data() + i * kEach, kEach, Tag{i % 7}));
  }
  for (int i = 0; i < 3; ++i) {
    target.clear();
    startAll(sends);
    startAll(receives);
    ASSERT_TRUE(ends_.until([&] {
      return waitAll(sends, std::chrono::nanoseconds(0)) &&
             waitAll(receives, std::chrono::nanoseconds(0));
    }));
    EXPECT_TRUE(target.has(1));
  }
  Requests closes;
  for (const auto& plan : sends) closes.push_back(plan->close());
  ASSERT_TRUE(ends_.ended(closes));
  sends.clear();
  receives.clear();
  EXPECT_TRUE(ends_.until([&] { return poolStats().used_bytes <= used; }));
}

INSTANTIATE_TEST_SUITE_P(All, PlanLifeTest, testing::Values(Route::Self, Route::Address),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
