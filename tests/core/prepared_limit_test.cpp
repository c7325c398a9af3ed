// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// As many prepared sends as a peer takes, and one more.

#include <ucxx/prepared.h>

#include "core/plan/plan_wire.h"
#include "core/prepared_memory.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kEachPlan = 8;
constexpr Tag kCrowd{100}, kLone{8};

class PreparedLimitTest : public testing::TestWithParam<Owner> {
 protected:
  ~PreparedLimitTest() override {
    // All at once: plans that are dropped one by one are looked for among the others.
    EXPECT_TRUE(ends_.ended({ends_.left->close()}));
  }
  std::shared_ptr<PreparedSend> prepare(Tag tag) {
    return ends_.left->prepareSend(source_.data(), kEachPlan, tag);
  }
  /// The peer has heard of all of them; what it has not is held by the channel.
  void fill() {
    while (sends_.size() < kMostPlans) {
      sends_.push_back(prepare(Tag{kCrowd + sends_.size()}));
      if (sends_.size() % 64 == 0) ends_.right_worker->progress();
    }
    ASSERT_TRUE(ends_.ended({ends_.left->flush()}));
    for (const auto& send : sends_) ASSERT_EQ(send->getStatus(), UCS_OK) << send->describe();
  }
  void expectTooMany(const std::shared_ptr<PreparedSend>& send) {
    ASSERT_TRUE(ends_.until([&] { return send->getStatus() != UCS_OK; }));
    EXPECT_EQ(send->getStatus(), UCS_ERR_EXCEEDS_LIMIT);
    EXPECT_THROW(send->checkError(), ExceedsLimitError);
    EXPECT_NE(messageOf([&] { send->checkError(); }).find("a peer takes 16384 prepared sends"),
              std::string::npos);
    send->start();
    EXPECT_TRUE(send->wait(std::chrono::seconds(0)));
    EXPECT_EQ(send->getStatus(), UCS_ERR_EXCEEDS_LIMIT);
    EXPECT_TRUE(ends_.ended({send->close()}));
  }
  void expectWorks(const std::shared_ptr<PreparedSend>& send, Tag tag, unsigned seed) {
    auto receive = ends_.right->prepareRecv(target_.data(), kEachPlan, tag);
    source_.fill(seed);
    startAll({receive, send});
    ASSERT_TRUE(ends_.until([&] { return receive->isCompleted() && send->isCompleted(); }))
        << send->describe() << receive->describe();
    EXPECT_EQ(send->getStatus(), UCS_OK);
    EXPECT_EQ(receive->getStatus(), UCS_OK);
    EXPECT_TRUE(target_.has(seed));
    ASSERT_TRUE(ends_.ended({receive->close()}));  // which makes room as well
  }

  Ends ends_{Route::Address};
  Memory source_{ends_.context, GetParam(), kEachPlan},
      target_{ends_.context, GetParam(), kEachPlan};
  std::vector<std::shared_ptr<PreparedSend>> sends_;
};

TEST_P(PreparedLimitTest, OneMoreFailsAndClosingOneMakesRoom) {
  ASSERT_NO_FATAL_FAILURE(fill());
  expectTooMany(prepare(kLone));
  expectTooMany(prepare(kLone));  // the one before took no place
  // Closed at this end.
  ASSERT_TRUE(ends_.ended({sends_[kMostPlans / 2]->close()}));
  const auto in_its_place = prepare(kLone);
  expectTooMany(prepare(kLone));
  expectWorks(in_its_place, kLone, 1);
  // Closed at the other: that was one, and now there is room for one.
  const auto again = prepare(kLone);
  expectTooMany(prepare(kLone));
  expectWorks(again, kLone, 2);
  for (const std::size_t i : {std::size_t{0}, kMostPlans / 2 - 1, kMostPlans - 1})
    expectWorks(sends_[i], Tag{kCrowd + i}, static_cast<unsigned>(i) + 3);
  EXPECT_TRUE(ends_.left->isAlive() && ends_.right->isAlive());
}

INSTANTIATE_TEST_SUITE_P(All, PreparedLimitTest, testing::Values(Owner::Library, Owner::User),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
