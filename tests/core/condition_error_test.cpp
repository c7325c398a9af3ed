// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What is wrong to ask of a condition, its deadlines, and the ends of what it waits with.

#include <sys/wait.h>

#include "core/conditional.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

class ConditionErrorTest : public testing::TestWithParam<Route> {
 protected:
  std::shared_ptr<Request> receive(const Condition& condition) {
    return ends_.left->tagRecvBuilder(&value_, sizeof value_, kConditionalTag)
        .condition(condition)
        .build();
  }

  int value_ = 0;
  Ends ends_{GetParam()};
};

TEST_P(ConditionErrorTest, WrongUses) {
  EXPECT_THROW(Condition().trigger(), InvalidParamError);
  EXPECT_THROW(Condition().close(), InvalidParamError);
  EXPECT_THROW((void)Condition().wait(), InvalidParamError);
  EXPECT_EQ(Condition().epoch(), 0u);
  EXPECT_EQ(Condition().lastStatus(), UCS_INPROGRESS);
  EXPECT_TRUE(Condition().isOver());
  ConditionOptions options;
  options.start_timeout = -3ms;
  EXPECT_EQ(messageOf([&] { (void)Condition::host(options); }),
            "condition: start_timeout is -3 ms; 0, for no limit, or more is needed");

  const auto condition = Condition::host();
  EXPECT_EQ(messageOf([&] { condition.trigger(); }),
            "trigger: nothing was posted with the condition yet");
  const auto request = receive(condition);
  condition.trigger();
  EXPECT_EQ(messageOf([&] { condition.trigger(); }),
            "trigger: the condition was triggered before; to be triggered again it needs "
            "ConditionOptions::repeat");
  EXPECT_EQ(messageOf([&] { (void)receive(condition); }),
            "tag receive: its condition was triggered already (1 times); post before the first "
            "trigger");
  request->cancel();
  ASSERT_TRUE(ends_.ended({request}));

  const auto closed = Condition::host();
  closed.close();
  EXPECT_EQ(messageOf([&] { closed.trigger(); }), "trigger: the condition is closed");
  EXPECT_EQ(messageOf([&] { (void)receive(closed); }),
            "tag receive: its condition is closed; make another");
  EXPECT_FALSE(closed.wait(1));
}

TEST_P(ConditionErrorTest, BelongsToOneWorker) {
  const auto condition = Condition::host();
  const auto request = receive(condition);
  const auto other = makeWorker();
  EXPECT_THROW((void)other->tagRecvBuilder(&value_, sizeof value_, kConditionalTag)
                   .condition(condition)
                   .build(),
               InvalidParamError);
  EXPECT_FALSE(request->isCompleted());
  condition.trigger();  // goes on as if nothing had happened
  EXPECT_EQ(ends_.left_worker->stats().armed_requests, 0u);
}

TEST_P(ConditionErrorTest, WrongArgumentsThrowInThePost) {
  const auto condition = Condition::host();
  EXPECT_THROW(
      (void)ends_.left->tagSendBuilder(nullptr, 8, kConditionalTag).condition(condition).build(),
      std::runtime_error);
  EXPECT_THROW((void)ends_.left->streamSendBuilder(&value_, 0).condition(condition).build(),
               std::runtime_error);
  EXPECT_THROW((void)ends_.left->memPutBuilder(&value_, 4, nullptr).condition(condition).build(),
               InvalidParamError);
  EXPECT_THROW((void)ends_.left->closeBuilder().condition(condition).build(), UnsupportedError);
  EXPECT_TRUE(ends_.left->isAlive());
  EXPECT_THROW(condition.trigger(), InvalidParamError);  // nothing was posted
  const auto request = receive(condition);
  ASSERT_TRUE(ends_.ended({ends_.left->close(), request}));
  EXPECT_THROW((void)receive(Condition::host()), Error);
}

TEST_P(ConditionErrorTest, NotByAProbesHandle) {
  int sent = 5;
  (void)ends_.right->tagSend(&sent, sizeof sent, kConditionalTag);
  std::shared_ptr<TagProbeInfo> probe;
  ASSERT_TRUE(ends_.until([&] {
    probe = ends_.left_worker->tagProbe(kConditionalTag, TagMaskFull, true);
    return probe->isMatched();
  }));
  EXPECT_THROW((void)ends_.left_worker->tagRecvWithHandleBuilder(&value_, probe)
                   .condition(Condition::host())
                   .build(),
               UnsupportedError);
  ASSERT_TRUE(ends_.ended({ends_.left_worker->tagRecvWithHandle(&value_, probe)}));
  EXPECT_EQ(value_, 5);
}

TEST_P(ConditionErrorTest, MoreThanThereAre) {
  std::vector<Condition> all;
  while (all.size() < 4096) all.push_back(Condition::host());
  EXPECT_THROW((void)Condition::host(), NoResourceError);
  all.pop_back();
  const auto condition = Condition::host();  // has the words of that one
  const auto request = receive(condition);
  EXPECT_EQ(condition.epoch(), 0u);
  int sent = 6;
  condition.trigger();
  ASSERT_TRUE(ends_.ended({request, ends_.right->tagSend(&sent, sizeof sent, kConditionalTag)}));
  EXPECT_EQ(condition.epoch(), 1u);
  EXPECT_EQ(value_, 6);
}

TEST_P(ConditionErrorTest, StartTimeout) {
  ConditionOptions options;
  options.start_timeout = 30ms;
  const auto condition = Condition::host(options);
  const auto late = receive(condition);
  const auto repeat = Condition::host([&] {
    ConditionOptions both = options;
    both.repeat = true;
    return both;
  }());
  const auto flush = ends_.left->flushBuilder().condition(repeat).build();
  repeat.trigger();  // it has started in time
  ASSERT_TRUE(ends_.ended({late}));
  EXPECT_EQ(late->getStatus(), UCS_ERR_TIMED_OUT);
  EXPECT_THROW(late->checkError(), TimedOutError);
  condition.trigger();
  ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));
  EXPECT_EQ(condition.lastStatus(), UCS_ERR_TIMED_OUT);
  EXPECT_FALSE(flush->isCompleted());
}

TEST_P(ConditionErrorTest, TransferTimeout) {
  for (const bool repeats : {false, true}) {
    SCOPED_TRACE(repeats);
    ConditionOptions options;
    options.transfer_timeout = 30ms;
    options.repeat = repeats;
    const auto condition = Condition::host(options);
    const auto request = receive(condition);  // nobody sends
    condition.trigger();
    ASSERT_TRUE(ends_.ended({request}));
    EXPECT_EQ(request->getStatus(), UCS_ERR_TIMED_OUT);
    ASSERT_TRUE(ends_.until([&] { return condition.epoch() == 1; }));
    EXPECT_EQ(condition.lastStatus(), UCS_ERR_TIMED_OUT);
    EXPECT_TRUE(ends_.left->isAlive());
  }
}

TEST_P(ConditionErrorTest, ThePeerCloses) {
  if (ends_.isSelf()) return;
  const auto armed = Condition::host();
  const auto moving = Condition::host(repeating());
  const auto at_rest = Condition::host(repeating());
  const Requests requests{
      ends_.left->tagSendBuilder(&value_, sizeof value_, kConditionalTag).condition(armed).build(),
      ends_.left->tagRecvBuilder(&value_, sizeof value_, kConditionalTag).condition(moving).build(),
      ends_.left->tagSendBuilder(&value_, sizeof value_, kConditionalTag)
          .condition(at_rest)
          .build()};
  moving.trigger();
  ASSERT_TRUE(ends_.ended({ends_.left->flush()}));
  auto closing = ends_.right->close();
  ASSERT_TRUE(ends_.ended({closing}));
  ASSERT_TRUE(ends_.ended(requests)) << ends_.left_worker->describe();
  for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_ERR_CONNECTION_RESET);
  ASSERT_TRUE(ends_.until([&] { return moving.epoch() == 1; }));
}

TEST_P(ConditionErrorTest, TheWorkerEnds) {
  const auto armed = Condition::host();
  const auto repeats = Condition::host(repeating());
  // Nobody keeps the requests, which would keep the worker.
  (void)receive(armed);
  (void)ends_.left_worker->tagRecvBuilder(&value_, sizeof value_, kConditionalTag)
      .condition(repeats)
      .build();
  std::weak_ptr<Worker> worker = ends_.left_worker;
  std::atomic<bool> has_ended{false};
  (void)ends_.left->tagRecvBuilder(&value_, sizeof value_, kConditionalTag)
      .callbackFunction([&](ucs_status_t status, const std::shared_ptr<void>&) {
        has_ended = status == UCS_ERR_CANCELED;
      })
      .condition(repeats)
      .build();
  ends_.leave();
  EXPECT_TRUE(worker.expired());
  EXPECT_TRUE(has_ended);
  EXPECT_FALSE(repeats.wait(1, compat::kDeadline));
  EXPECT_THROW(repeats.trigger(), InvalidParamError);
  EXPECT_THROW(armed.trigger(), InvalidParamError);
}

TEST_P(ConditionErrorTest, ConditionsMayOutliveAllElse) {
  auto condition = std::make_unique<Condition>(Condition::host());
  {
    Ends short_lived(GetParam());
    (void)short_lived.left->flushBuilder().condition(*condition).build();
  }
  condition->close();
  condition.reset();
}

TEST_P(ConditionErrorTest, AForkedChildHasNone) {
  const auto condition = Condition::host();
  const auto request = receive(condition);
  const pid_t child = ::fork();
  if (child == 0) {
    bool is_right = condition.epoch() == 0 && condition.lastStatus() == UCS_INPROGRESS;
    const auto throws = [&](const auto& call) {
      try {
        call();
      } catch (const Error&) {
        return true;
      }
      return false;
    };
    is_right &= throws([&] { condition.trigger(); });
    is_right &= throws([&] { (void)condition.wait(); });
    is_right &= throws([&] { (void)Condition::host(); });
    condition.close();
    ::_exit(is_right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_FALSE(request->isCompleted());
  int sent = 4;
  condition.trigger();
  ASSERT_TRUE(ends_.ended({request, ends_.right->tagSend(&sent, sizeof sent, kConditionalTag)}));
  EXPECT_EQ(value_, 4);
}

TEST_P(ConditionErrorTest, SaysWhatIsArmed) {
  const auto condition = Condition::host();
  const auto request = receive(condition);
  const std::string text = ends_.left_worker->dump();
  EXPECT_NE(text.find("tag receive, 4 bytes, tag 0x51, armed for "), std::string::npos) << text;
  EXPECT_NE(text.find(": host condition, triggered 0 times, ended 0 times"), std::string::npos)
      << text;
  std::vector<std::string> states;
  for (const PeerReport& peer : ends_.left_worker->report().peers)
    for (const EndpointReport& endpoint : peer.endpoints)
      for (const OperationReport& one : endpoint.pending) states.push_back(one.state);
  EXPECT_EQ(states, std::vector<std::string>{"armed"});
}

INSTANTIATE_TEST_SUITE_P(All, ConditionErrorTest, testing::ValuesIn(kRoutes),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
