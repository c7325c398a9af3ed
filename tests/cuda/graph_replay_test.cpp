// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Random graphs between two ends, launched many times ahead: each launch moves its own bytes.

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "cuda/launches.h"

namespace ucxx::cuda::test {
namespace {

constexpr std::uint64_t kLaunches = 250;

/// One of a graph's ends, each with its own stream: the sources are written in the stream before a
/// launch, and what came is copied in it afterwards.
struct Side {
  explicit Side(Handle its_stream) : stream(its_stream), launches(its_stream) {}

  void launch(std::uint64_t number) {
    for (std::size_t word = 0; word < transfers; ++word)
      ASSERT_EQ(driver().writeValue64(stream, out.at(word), number * 10 + word, 0),
                base::cuda::kSuccess);
    launches.launch();
    for (std::size_t word = 0; word < transfers; ++word)
      gpu::launch("copy_words", stream, {came.at(number * transfers + word), in.at(word), 1});
  }

  const Handle stream;
  Launches launches;
  std::size_t transfers = 0;  // that it sends, and receives
  gpu::Words out{8}, in{8}, came{(kLaunches + 1) * 4};
};

class Replay {
 public:
  explicit Replay(unsigned seed) : random_(seed), streams_(Route::Address, Mode::Adaptive) {
    attach();
    const std::size_t transfers = 1 + random_() % 4;
    for (Side* side : {&left_, &right_}) side->transfers = transfers;
    capture(left_, *streams_.ends.left);
    capture(right_, *streams_.ends.right);
    for (Side* side : {&left_, &right_}) side->launches.instantiate();
  }
  ~Replay() {
    for (Side* side : {&left_, &right_}) side->launches.end();
    EXPECT_TRUE(streams_.ends.ended(requests_));
  }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  void run() {
    for (std::uint64_t first = 1; first <= kLaunches;) {
      const std::uint64_t last = std::min(kLaunches, first + random_() % 40);
      for (std::uint64_t i = first; i <= last; ++i)
        for (Side* side : random_() % 2 ? std::array{&left_, &right_} : std::array{&right_, &left_})
          side->launch(i);
      first = last + 1;
      if (random_() % 2) expectCame(last);
    }
    expectCame(kLaunches);
  }

 private:
  /// Sends and receives in any order, each end in its own: so in one node.
  void capture(Side& side, Endpoint& endpoint) {
    std::vector<std::size_t> order(2 * side.transfers);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    const Condition condition = Condition::stream(side.stream);
    side.launches.begin();
    for (const std::size_t i : order) {
      const std::size_t word = i / 2;
      const auto with = [&](auto builder) {
        return std::move(builder).condition(condition).build();
      };
      requests_.push_back(i % 2 ? with(endpoint.tagSendBuilder(&side.out[word], 8, Tag{word}))
                                : with(endpoint.tagRecvBuilder(&side.in[word], 8, Tag{word})));
    }
    side.launches.finish();
  }

  void expectCame(std::uint64_t last) {
    for (Side* side : {&left_, &right_}) {
      ASSERT_TRUE(drains("the graph", side->stream));
      for (std::uint64_t i = checked_ + 1; i <= last; ++i)
        for (std::size_t word = 0; word < side->transfers; ++word)
          ASSERT_EQ(side->came[i * side->transfers + word], i * 10 + word) << "launch " << i;
    }
    checked_ = last;
  }

  std::mt19937 random_;
  Streams streams_;
  Side left_{streams_.stream}, right_{gpu::makeStream()};
  Requests requests_;
  std::uint64_t checked_ = 0;
};

/// What is in an environment variable, or 0.
std::uint64_t numberIn(const char* variable) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? 0 : std::stoull(text);
}

/// UCXX_REPLAYS launches, by hand more, or as many as UCXX_REPLAY_SECONDS have room for.
TEST(GraphReplayTest, EachLaunchMovesItsOwn) {
  const std::uint64_t seconds = numberIn("UCXX_REPLAY_SECONDS"), asked = numberIn("UCXX_REPLAYS");
  const bool is_asked = asked + seconds > 0;
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  const auto isEnough = [&](std::uint64_t done) {
    return seconds > 0 ? Clock::now() > end : done >= (asked > 0 ? asked : 10'000);
  };
  gpu::useDevice();
  gpu::warmKernels();
  const unsigned first = is_asked ? std::random_device()() : 1;
  std::uint64_t done = 0;
  for (unsigned seed = first; !isEnough(done) && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Replay(seed).run();
    done += kLaunches;
  }
  if (is_asked) gpu::fact("launches that were replayed", done);
}

}  // namespace
}  // namespace ucxx::cuda::test
