// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A loop without memory for the condition of a graph, where each launch goes on all the same, or
// for the starts of several plans.

#include <latch>
#include <thread>

#include <ucxx/prepared.h>

#include "core/loop/loop.h"
#include "cuda/launches.h"
#include "peers/faults/allocations.h"

namespace ucxx::cuda::test {
namespace {

/// The loop sees to what `post` posts afterwards, and of its allocations the one after `good`
/// others fails. True: it has.
template <class Post>
bool failsAfter(std::int64_t good, Worker& worker, const Post& post) {
  std::latch is_owned(1), is_posted(1);
  std::thread owner([&] {
    worker.loop().posts.run([&] {
      is_owned.count_down();
      is_posted.wait();
      faults::failAllocation(good);
    });
    worker.progress();
  });
  is_owned.wait();
  post();
  is_posted.count_down();
  owner.join();
  const bool has_failed = faults::hasAllocationFailed();
  faults::failAllocation(-1);
  return has_failed;
}

/// What a launch of a graph with two receives leaves of the condition, where the loop has failed to
/// get its memory after `good` times; OK: it has not failed.
ucs_status_t statusWithoutMemory(std::int64_t good) {
  Streams streams(Route::Address, Mode::Caller);
  streams.options.caller_progresses = true;
  Launches launches(streams.stream);
  launches.make();
  const Condition waits = Condition::graph(launches.graph(), {}, streams.options);
  std::uint64_t word = 0;
  Requests requests;
  const auto receive = [&] {
    requests.push_back(streams.ends.right->tagRecvBuilder(&word, 8, kTag).condition(waits).build());
  };
  const bool has_failed = failsAfter(good, *streams.ends.right_worker, [&] {
    receive();
    receive();
  });
  if (!has_failed) return UCS_OK;
  EXPECT_TRUE(streams.ends.ended(requests));
  launches.launch();
  EXPECT_TRUE(launches.done());
  for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_ERR_NO_MEMORY);
  return waits.lastStatus();
}

TEST(GraphMemoryTest, NoLaunchWaitsForWhatTheLoopHasNoMemoryFor) {
  std::int64_t good = 0;
  for (; good < 100; ++good) {
    const ucs_status_t status = statusWithoutMemory(good);
    if (status == UCS_OK) break;
    EXPECT_EQ(status, UCS_ERR_NO_MEMORY) << good;
  }
  EXPECT_GT(good, 0) << "nothing was allocated";
  EXPECT_LT(good, 100);
}

/// What a repetition of a start of two plans ends with, where the loop has failed to get its memory
/// after `good` times; OK: it has not failed.
ucs_status_t statusOfStartsWithoutMemory(std::int64_t good) {
  Ends ends(Route::Self);
  std::uint64_t words[2]{};
  const auto one = ends.left->prepareRecv(&words[0], 8, kTag);
  const auto other = ends.left->prepareRecv(&words[1], 8, Tag{1});
  const Condition now = Condition::host(repeating());
  const auto started = startAll(now, {one, other}, StartUntil::Begun);
  EXPECT_TRUE(ends.until([&] { return ends.left_worker->stats().armed_requests == 1; }));
  if (!failsAfter(good, *ends.left_worker, [&] { now.trigger(); })) return UCS_OK;
  EXPECT_TRUE(ends.ended({started}));
  EXPECT_EQ(one->iterations() + other->iterations(), 0u);
  one->start();
  EXPECT_EQ(one->iterations(), 1u);
  return started->getStatus();
}

TEST(PlanGroupMemoryTest, NoneBeginsForWhichTheLoopHasNoMemory) {
  std::int64_t good = 0;
  for (; good < 100; ++good) {
    const ucs_status_t status = statusOfStartsWithoutMemory(good);
    if (status == UCS_OK) break;
    EXPECT_EQ(status, UCS_ERR_NO_MEMORY) << good;
  }
  EXPECT_GT(good, 0) << "nothing was allocated";
  EXPECT_LT(good, 100);
}

}  // namespace
}  // namespace ucxx::cuda::test
