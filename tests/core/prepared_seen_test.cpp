// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What a worker tells of its prepared transfers: in its report, its counters, and the log.

#include <ucxx/prepared.h>

#include "core/link/endpoints.h"
#include "core/log_lines.h"
#include "core/prepared_memory.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

class PreparedSeenTest : public testing::TestWithParam<Route> {
 protected:
  static std::vector<EndpointReport> endpointsOf(const std::shared_ptr<Worker>& worker) {
    std::vector<EndpointReport> all;
    for (const PeerReport& peer : worker->report().peers)
      all.insert(all.end(), peer.endpoints.begin(), peer.endpoints.end());
    return all;
  }
  static std::vector<PreparedReport> plansOf(const std::shared_ptr<Worker>& worker) {
    std::vector<PreparedReport> all;
    for (const EndpointReport& endpoint : endpointsOf(worker))
      all.insert(all.end(), endpoint.prepared.begin(), endpoint.prepared.end());
    return all;
  }
  static std::size_t unmatchedAt(const std::shared_ptr<Worker>& worker) {
    std::size_t count = 0;
    for (const EndpointReport& endpoint : endpointsOf(worker))
      count += endpoint.unmatched_prepared_sends;
    return count;
  }
  /// Of the own worker both ends are in one report.
  static PreparedReport reportOf(const std::shared_ptr<Worker>& worker, const std::string& kind) {
    for (const PreparedReport& one : plansOf(worker))
      if (one.kind == kind) return one;
    return {};
  }
  PreparedReport left() const { return reportOf(ends_.left_worker, "prepared send"); }
  PreparedReport right() const { return reportOf(ends_.right_worker, "prepared receive"); }
  bool counts(std::uint64_t sends, std::uint64_t receives) const {
    if (ends_.isSelf()) return ends_.left_worker->stats().prepared_transfers == sends + receives;
    return ends_.left_worker->stats().prepared_transfers == sends &&
           ends_.right_worker->stats().prepared_transfers == receives;
  }

  Ends ends_{GetParam()};
  std::vector<std::byte> source_ = bytes(4096), target_ = std::vector<std::byte>(4096);
};

TEST_P(PreparedSeenTest, ReportFollowsAnIteration) {
  const auto send = ends_.left->prepareSend(source_.data(), 4096, Tag{9}, {4});
  ASSERT_TRUE(ends_.until([&] { return left().length == 4096; }));
  EXPECT_EQ(left().partitions, 4u);
  EXPECT_EQ(left().tag, 9u);
  EXPECT_EQ(left().iteration, 0u);
  EXPECT_EQ(left().state, "not started");
  EXPECT_FALSE(left().has_peer);
  ASSERT_TRUE(ends_.until([&] { return unmatchedAt(ends_.right_worker) == 1; }));

  const auto receive = ends_.right->prepareRecv(target_.data(), 4096, Tag{9}, {2});
  ASSERT_TRUE(ends_.until([&] { return left().has_peer && right().has_peer; }));
  EXPECT_EQ(unmatchedAt(ends_.right_worker), 0u);
  EXPECT_EQ(right().partitions, 2u);

  startAll({send, receive});
  send->ready(0, 3);
  ASSERT_TRUE(ends_.until([&] { return left().moved == 3072 && right().moved == 3072; }));
  EXPECT_EQ(left().ready, 3u);
  for (const PreparedReport& report : {left(), right()}) {
    EXPECT_EQ(report.state, "in progress");
    EXPECT_EQ(report.iteration, 1u);
  }

  send->ready(3);
  ASSERT_TRUE(ends_.until([&] { return left().state == "done" && right().state == "done"; }));
  EXPECT_EQ(right().moved, 4096u);
  ASSERT_TRUE(ends_.ended({send->close(), receive->close()}));
  EXPECT_TRUE(plansOf(ends_.left_worker).empty());
}

TEST_P(PreparedSeenTest, ReportSaysWhyItHasFailed) {
  const auto send = ends_.left->prepareSend(source_.data(), 4096, Tag{9});
  const auto receive = ends_.right->prepareRecv(target_.data(), 2048, Tag{9});
  const std::string why = "the sender has 4096 bytes in 1 partitions";
  ASSERT_TRUE(ends_.until([&] {
    return left().state.find(why) != std::string::npos &&
           right().state.find(why) != std::string::npos;
  })) << ends_.left_worker->dump();
  EXPECT_TRUE(left().has_peer);
  EXPECT_TRUE(right().has_peer);
}

/// A plan that has failed is one, as is one whose user has dropped it, until it has closed.
TEST_P(PreparedSeenTest, StatsCountThoseThatHaveNotClosed) {
  EXPECT_TRUE(counts(0, 0));
  auto first = ends_.left->prepareSend(source_.data(), 8, Tag{1});
  const auto second = ends_.left->prepareSend(source_.data(), 8, Tag{2});
  const auto receive = ends_.right->prepareRecv(target_.data(), 8, Tag{2});
  ASSERT_TRUE(ends_.until([&] { return counts(2, 1); }));
  first = nullptr;
  ASSERT_TRUE(ends_.until([&] { return counts(1, 1); }));
  ASSERT_TRUE(ends_.ended({second->close()}));
  ASSERT_TRUE(ends_.until([&] { return receive->getStatus() == UCS_ERR_CONNECTION_RESET; }));
  EXPECT_TRUE(counts(0, 1));
  ASSERT_TRUE(ends_.ended({receive->close(), receive->close()}));
  EXPECT_TRUE(counts(0, 0));
}

TEST_P(PreparedSeenTest, StatsCountNoneOfAnEndpointThatIsOver) {
  const auto send = ends_.left->prepareSend(source_.data(), 8, Tag{1});
  ASSERT_TRUE(ends_.until([&] { return counts(1, 0); }));
  ASSERT_TRUE(ends_.ended({ends_.left->close()}));
  ASSERT_TRUE(ends_.until([&] { return counts(0, 0); }));
  EXPECT_THROW((void)ends_.left->prepareSend(source_.data(), 8, Tag{1}), Error);
  EXPECT_TRUE(counts(0, 0));
}

INSTANTIATE_TEST_SUITE_P(All, PreparedSeenTest,
                         testing::Values(Route::Self, Route::Listener, Route::Address),
                         [](const auto& info) { return nameOf(info.param); });

/// Nobody waits for it, nor has a request of it.
class PreparedStallTest : public testing::TestWithParam<Mode> {
 protected:
  static WorkerOptions impatient() {
    WorkerOptions options;
    options.stall_report = 30ms;
    return options;
  }
  bool hasStalled(std::uint64_t times) const {
    return ends_.until([&] { return ends_.right_worker->stats().stalled_requests == times; });
  }

  Lines lines_;
  Ends ends_{Route::Address, GetParam(), impatient()};
};

TEST_P(PreparedStallTest, ReportsEachIterationOnce) {
  std::byte sent{1}, came{};
  const auto receive = ends_.right->prepareRecv(&came, 1, Tag{7});
  receive->start();
  ASSERT_TRUE(hasStalled(1));
  // Counted first, and then told: by the thread that moves the worker.
  ASSERT_TRUE(ends_.until([&] { return lines_.with("pending, the oldest first: ") != 0; }));
  const std::string line = "stalled: prepared receive, 1 bytes, tag 0x7 in 1 partition, iteration ";
  EXPECT_EQ(lines_.with(line + "1: the peer has prepared no send for it, in progress for more "
                               "than 0.030 s"),
            1u);

  const auto send = ends_.left->prepareSend(&sent, 1, Tag{7});
  send->start();
  ASSERT_TRUE(ends_.until([&] { return receive->isCompleted() && send->isCompleted(); }));
  receive->start();
  ASSERT_TRUE(hasStalled(2));
  ASSERT_TRUE(ends_.until([&] { return lines_.with(line) == 2; }));
  EXPECT_EQ(lines_.with(line + "2: 0 of 1 arrived, in progress for more than 0.030 s"), 1u);
  EXPECT_EQ(lines_.with(line), 2u);
  ASSERT_TRUE(ends_.ended({receive->close(), send->close()}));
}

/// Limits pass meanwhile: an operation beside it, which is as old, has been reported.
TEST_P(PreparedStallTest, LeavesAloneWhatIsNotInProgress) {
  std::byte byte{1}, came{};
  const auto send = ends_.left->prepareSend(&byte, 1, Tag{7});
  const auto receive = ends_.right->prepareRecv(&came, 1, Tag{7});
  startAll({send, receive});
  ASSERT_TRUE(ends_.until([&] { return receive->isCompleted() && send->isCompleted(); }));
  const std::uint64_t before = ends_.right_worker->stats().stalled_requests;
  const std::size_t lines = lines_.with("stalled: prepared receive");
  const auto idle = ends_.right->prepareRecv(&came, 1, Tag{8});
  for (std::uint64_t i = before + 1; i <= before + 3; ++i) {
    auto beside = ends_.right->tagRecv(&came, 1, Tag{9});
    ASSERT_TRUE(hasStalled(i));
    beside->cancel();
    ASSERT_TRUE(ends_.ended({beside}));
  }
  EXPECT_EQ(lines_.with("stalled: prepared receive"), lines);
  ASSERT_TRUE(ends_.ended({receive->close(), send->close(), idle->close()}));
}

INSTANTIATE_TEST_SUITE_P(Modes, PreparedStallTest, testing::Values(Mode::Caller, Mode::Blocking),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
