// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// How old a report says that a transfer is.

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

/// Of the receive that was posted last: its age in seconds, by the report and by this test's clock.
struct Ages {
  double reported, known;
};
constexpr double kPause = 0.2;
constexpr double kTolerance = 0.1;  // the clock of posts has ticks of 10 ms

/// Posts receives `before` and `after` a pause without progress, which `between` begins.
template <class Between>
Ages agesBehindAPause(Ends& ends, int before, int after, Between between) {
  std::byte byte{};
  std::vector<std::shared_ptr<Request>> receives;
  const auto post = [&] { receives.push_back(ends.right->tagRecv(&byte, 1, Tag{2})); };
  ends.right_worker->progress();
  for (int i = 0; i < before; ++i) post();
  between();
  std::this_thread::sleep_for(std::chrono::duration<double>(kPause));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < after; ++i) post();
  const WorkerReport report = ends.right_worker->report();
  const std::chrono::duration<double> known = std::chrono::steady_clock::now() - begin;
  Ages ages{1e9, known.count()};
  for (const OperationReport& waiting : report.peers.at(0).endpoints.at(0).pending)
    ages.reported = std::min(ages.reported, waiting.since_s);
  for (const auto& receive : receives) receive->cancel();
  EXPECT_TRUE(ends.ended(receives));
  return ages;
}

TEST(ReportTimeTest, AReceiveAfterRoundsIsNotOlderThanItsPost) {
  Ends ends(Route::Listener);
  const Ages ages = agesBehindAPause(ends, 1, 1, [&] {
    for (int i = 0; i < 40; ++i) ends.right_worker->progress();  // glances and whole rounds
  });
  EXPECT_LE(ages.reported, ages.known + kTolerance);
}

TEST(ReportTimeTest, AReceiveAfterASleepIsNotOlderThanItsPost) {
  Ends ends(Route::Listener);
  const Ages ages =
      agesBehindAPause(ends, 1, 1, [&] { (void)ends.right_worker->progressWorkerEvent(1); });
  EXPECT_LE(ages.reported, ages.known + kTolerance);
}

TEST(ReportTimeTest, SixteenReceivesInARowShareATime) {
  Ends ends(Route::Listener);
  const Ages shared = agesBehindAPause(ends, 1, 15, [] {});
  EXPECT_GE(shared.reported, kPause - kTolerance);
  const Ages next = agesBehindAPause(ends, 1, 16, [] {});
  EXPECT_LE(next.reported, next.known + kTolerance);
}

TEST(ReportTimeTest, EachReceiveHasItsTimeWhereStallsAreReported) {
  WorkerOptions options;
  options.stall_report = 60s;
  Ends ends(Route::Listener, Mode::Caller, options);
  const Ages ages = agesBehindAPause(ends, 1, 1, [] {});
  EXPECT_LE(ages.reported, ages.known + kTolerance);
}

}  // namespace
}  // namespace ucxx::core::test
