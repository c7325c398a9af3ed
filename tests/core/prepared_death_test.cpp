// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The other end of a plan is a process that is killed or stopped at each step.

#include <csignal>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ucxx/pool.h>
#include <ucxx/prepared.h>

#include "core/prepared_memory.h"
#include "peers/process.h"

namespace ucxx::core::test {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kEach = 4096, kCount = 4;
constexpr Tag kPlanTag{3};

/// What both ends do, and the letters that the process is told for it.
enum Letter : char { kStart = 's', kFirst = 'f', kRest = 'r', kClose = 'c' };

}  // namespace

/// plan PORT sends|receives Library|User: prepares, and does what the letters say; a line says that
/// each has been done.
int runRole(const std::vector<std::string>& words) {
  auto context = createContext();
  auto worker = context->createWorker();
  Memory memory(context, words[3] == "Library" ? Owner::Library : Owner::User, kEach * kCount);
  memory.fill(1);
  auto endpoint = worker->createEndpointFromHostname(
      "127.0.0.1", static_cast<std::uint16_t>(std::stoi(words[1])));
  std::shared_ptr<PreparedSend> send;
  std::shared_ptr<PreparedRecv> receive;
  if (words[2] == "sends") {
    send = endpoint->prepareSend(memory.data(), memory.size(), kPlanTag, {kCount});
  } else {
    receive = endpoint->prepareRecv(memory.data(), memory.size(), kPlanTag, {kCount});
  }
  Prepared& plan = send != nullptr ? static_cast<Prepared&>(*send) : *receive;
  ::fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  std::shared_ptr<Request> closed;
  for (char letter = 0;;) {
    worker->progress();
    const ssize_t got = ::read(STDIN_FILENO, &letter, 1);
    if (got == 0) return 0;
    if (got < 0) continue;
    if (letter == kStart && !compat::until({worker}, [&] { return plan.isCompleted(); })) return 1;
    if (letter == kStart) plan.start();
    if (letter == kFirst) send->ready(0, 2);
    if (letter == kRest) send->ready(2, kCount);
    if (letter == kClose) closed = plan.close();
    for (int i = 0; i < 100; ++i) worker->progress();
    std::puts("done");
    std::fflush(stdout);
  }
}

namespace {

enum class Step { Prepared, Started, Half, Whole };

struct Case {
  bool sends;  // the other process
  Owner owner;
  Step step;
};

std::string nameOfCase(const testing::TestParamInfo<Case>& info) {
  const char* steps[] = {"Prepared", "Started", "Half", "Whole"};
  return std::string(info.param.sends ? "Sender" : "Receiver") + nameOf(info.param.owner) +
         steps[static_cast<int>(info.param.step)];
}

std::vector<Case> casesOf(std::initializer_list<Step> steps) {
  std::vector<Case> cases;
  for (const bool sends : {true, false})
    for (const Owner owner : {Owner::Library, Owner::User})
      for (const Step step : steps) cases.push_back({sends, owner, step});
  return cases;
}

class PreparedDeathTest : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(compat::until({worker_}, [&] { return endpoint_ != nullptr; }));
    memory_.fill(2);
    used_ = poolStats().used_bytes;
    if (isReceiver())
      receive_ = endpoint_->prepareRecv(memory_.data(), memory_.size(), kPlanTag, {kCount});
    else
      send_ = endpoint_->prepareSend(memory_.data(), memory_.size(), kPlanTag, {kCount});
    // Once through.
    plan().start();
    tell(kStart);
    if (isReceiver()) {
      tell(kFirst);
      tell(kRest);
    } else {
      send_->ready();
    }
    ASSERT_TRUE(plan().wait(compat::kDeadline)) << plan().describe();
    ASSERT_EQ(plan().getStatus(), UCS_OK);
    if (step() == Step::Prepared) return;
    tell(kStart);
    plan().start();
    if (step() == Step::Started) return;
    if (!isReceiver()) {
      send_->ready(0, step() == Step::Half ? 2 : kCount);
      for (int i = 0; i < 100; ++i) worker_->progress();
      return;
    }
    tell(kFirst);
    ASSERT_TRUE(compat::until({worker_}, [&] { return receive_->arrived(1); }));
    if (step() == Step::Whole) tell(kRest);
  }
  bool isReceiver() const { return GetParam().sends; }
  Step step() const { return GetParam().step; }
  Prepared& plan() {
    return isReceiver() ? static_cast<Prepared&>(*receive_) : static_cast<Prepared&>(*send_);
  }
  void tell(Letter letter) {
    process_.tell(letter);
    std::atomic<bool> is_over{false};
    std::thread waiter([&] {
      EXPECT_EQ(process_.line(), "done");
      is_over = true;
    });
    while (!is_over) worker_->progress();
    waiter.join();
  }
  bool isOpen() const { return step() == Step::Started || step() == Step::Half; }
  void expectBack() {
    receive_ = nullptr;
    send_ = nullptr;
    EXPECT_TRUE(compat::until({worker_}, [&] { return poolStats().used_bytes <= used_; }))
        << poolStats().used_bytes - used_;
  }

  std::shared_ptr<Context> context_ = createContext();
  std::shared_ptr<Worker> worker_ = context_->createWorker();
  std::shared_ptr<Endpoint> endpoint_;
  std::shared_ptr<Listener> listener_ = worker_->createListener(
      0,
      [](ucp_conn_request_h request, void* self) {
        auto& test = *static_cast<PreparedDeathTest*>(self);
        test.endpoint_ = test.listener_->createEndpointFromConnRequest(request);
      },
      this, "127.0.0.1");
  Memory memory_{context_, GetParam().owner, kEach* kCount};
  Process process_{{"plan", std::to_string(listener_->getPort()),
                    GetParam().sends ? "sends" : "receives",
                    GetParam().owner == Owner::Library ? "Library" : "User"}};
  std::uint64_t used_ = 0;
  std::shared_ptr<PreparedSend> send_;
  std::shared_ptr<PreparedRecv> receive_;
};

TEST_P(PreparedDeathTest, KilledEndsThePlan) {
  auto end = plan().request();
  process_.signal(SIGKILL);
  if (!isOpen()) {
    ASSERT_TRUE(plan().wait(compat::kDeadline));
  }
  ASSERT_TRUE(compat::until({worker_}, [&] { return !endpoint_->isAlive(); }));
  ASSERT_TRUE(plan().wait(0s)) << plan().describe();
  ASSERT_TRUE(compat::ended({worker_}, {end}));
  const bool has_come = !isOpen();
  EXPECT_EQ(plan().getStatus() == UCS_OK, has_come) << plan().describe();
  EXPECT_EQ(end->getStatus(), plan().getStatus());
  if (isReceiver() && step() == Step::Half) {
    EXPECT_TRUE(memory_.has(1, 0, 2 * kEach));
    EXPECT_FALSE(receive_->arrived(2) || receive_->arrived(3));
  }
  if (has_come) {  // the next one finds that nobody is there
    plan().start();
    EXPECT_TRUE(plan().wait(0s));
  }
  EXPECT_NE(plan().getStatus(), UCS_OK);
  EXPECT_ANY_THROW(plan().checkError());
  ASSERT_TRUE(compat::ended({worker_}, {plan().close()}));
  expectBack();
}

INSTANTIATE_TEST_SUITE_P(All, PreparedDeathTest,
                         testing::ValuesIn(casesOf({Step::Prepared, Step::Started, Step::Half,
                                                    Step::Whole})),
                         nameOfCase);

class PreparedGroupDeathTest : public PreparedDeathTest {};

/// What is armed, what waits for the iteration before, and what is in progress.
TEST_P(PreparedGroupDeathTest, KilledEndsStartsOfSeveralPlans) {
  const auto other = endpoint_->prepareSend(memory_.data(), kEach, Tag{4}, {2});
  const std::shared_ptr<Prepared> both[]{
      isReceiver() ? std::static_pointer_cast<Prepared>(receive_) : send_, other};
  const Condition later = Condition::host(), now = Condition::host(), then = Condition::host();
  Requests starts{startAll(later, {both[0], both[1]}, StartUntil::Begun),
                  startAll(now, {both[0], both[1]}), startAll(then, {both[0], both[1]})};
  now.trigger();
  then.trigger();
  ASSERT_TRUE(compat::until({worker_}, [&] { return other->iterations() == 1; }));
  process_.signal(SIGKILL);
  ASSERT_TRUE(compat::ended({worker_}, starts));
  for (const auto& start : starts) EXPECT_NE(start->getStatus(), UCS_OK);
  ASSERT_TRUE(compat::ended({worker_}, {other->close(), plan().close()}));
}

INSTANTIATE_TEST_SUITE_P(All, PreparedGroupDeathTest,
                         testing::ValuesIn(casesOf({Step::Prepared, Step::Half})), nameOfCase);

class PreparedWaitTest : public PreparedDeathTest {};

/// Nobody progresses but who waits.
TEST_P(PreparedWaitTest, KilledWhileSomebodyWaits) {
  process_.signal(SIGKILL);
  EXPECT_TRUE(plan().wait(compat::kDeadline)) << plan().describe();
  EXPECT_NE(plan().getStatus(), UCS_OK);
}

INSTANTIATE_TEST_SUITE_P(All, PreparedWaitTest, testing::ValuesIn(casesOf({Step::Half})),
                         nameOfCase);

class PreparedStopTest : public PreparedDeathTest {};

TEST_P(PreparedStopTest, StoppedKeepsItsMemoryUntilItAnswers) {
  process_.signal(SIGSTOP);
  int status = 0;
  ASSERT_EQ(::waitpid(process_.pid(), &status, WUNTRACED), process_.pid());
  if (isOpen()) {
    EXPECT_FALSE(plan().wait(20ms));
    EXPECT_EQ(plan().getStatus(), UCS_INPROGRESS);
  }
  const std::uint64_t used = poolStats().used_bytes;
  auto closed = plan().close();
  const auto begun = Clock::now();
  while (Clock::now() - begun < 30ms) worker_->progress();
  EXPECT_FALSE(closed->isCompleted());
  EXPECT_EQ(poolStats().used_bytes, used);
  process_.signal(SIGCONT);
  ASSERT_TRUE(compat::ended({worker_}, {closed}));
  EXPECT_EQ(closed->getStatus(), UCS_OK);
  expectBack();
  EXPECT_TRUE(endpoint_->isAlive());
}

TEST_P(PreparedStopTest, StoppedAndKilledGivesItBack) {
  process_.signal(SIGSTOP);
  auto closed = plan().close();
  for (int i = 0; i < 100; ++i) worker_->progress();
  process_.signal(SIGKILL);
  ASSERT_TRUE(compat::ended({worker_}, {closed}));
  expectBack();
}

INSTANTIATE_TEST_SUITE_P(All, PreparedStopTest,
                         testing::ValuesIn(casesOf({Step::Prepared, Step::Half})), nameOfCase);

}  // namespace
}  // namespace ucxx::core::test
