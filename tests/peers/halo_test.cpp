// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Three and four processes exchange with their neighbours by prepared transfers, again and again;
// one of them is killed or stopped in the middle.

#include "peers/halo.h"

#include <algorithm>
#include <csignal>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "peers/process.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kVictim = 1;

struct Lost {
  std::uint64_t iteration = 0;
  int status = 0;
};

class HaloTest : public testing::TestWithParam<std::tuple<Pattern, std::size_t>> {
 protected:
  void SetUp() override {
    std::vector<std::string> addresses;
    for (std::size_t rank = 0; rank < count_; ++rank)
      processes_.push_back(std::make_unique<Process>(std::vector<std::string>{
          "halo", std::to_string(rank), std::to_string(count_), nameOf(pattern_)}));
    for (const auto& process : processes_) addresses.push_back(process->line());
    for (const auto& address : addresses) tellAll(address);
  }

  void tell(std::size_t rank, const std::string& words) {
    for (const char letter : words + '\n') processes_[rank]->tell(letter);
  }
  void tellAll(const std::string& words) {
    for (std::size_t rank = 0; rank < count_; ++rank) tell(rank, words);
  }
  void expect(std::size_t rank, const std::string& words) {
    ASSERT_EQ(processes_[rank]->line(), words) << "of process " << rank;
  }
  void expectAll(const std::string& words) {
    for (std::size_t rank = 0; rank < count_; ++rank) ASSERT_NO_FATAL_FAILURE(expect(rank, words));
  }
  void expectLost(std::size_t rank, std::size_t neighbour, Lost& lost) {
    const std::string line = processes_[rank]->line();
    std::istringstream words(line);
    std::string what;
    std::size_t who = count_;
    ASSERT_TRUE(words >> what >> who >> lost.iteration >> lost.status) << rank << ": " << line;
    ASSERT_EQ(what, "lost") << line;
    ASSERT_TRUE(neighbour == kAny || who == neighbour) << line;
  }
  std::vector<std::size_t> survivors() const {
    std::vector<std::size_t> ranks;
    for (std::size_t rank = 0; rank < count_; ++rank)
      if (rank != kVictim) ranks.push_back(rank);
    return ranks;
  }
  std::vector<std::size_t> itsNeighbours() const { return neighboursOf(kVictim, count_, pattern_); }

  /// All are in the middle of iterations.
  void begin() {
    tellAll("until " + std::to_string(kForEver));
    ASSERT_NO_FATAL_FAILURE(expectAll("at"));
  }
  /// Its neighbours have lost the victim; all but that go on.
  void goOnWithout(int& status) {
    std::uint64_t latest = 0;
    for (const std::size_t rank : itsNeighbours()) {
      Lost lost;
      ASSERT_NO_FATAL_FAILURE(expectLost(rank, kVictim, lost));
      latest = std::max(latest, lost.iteration);
      if (lost.status != UCS_OK) status = lost.status;
    }
    for (const std::size_t rank : survivors())
      tell(rank, "until " + std::to_string(latest + kMore));
    for (const std::size_t rank : survivors()) ASSERT_NO_FATAL_FAILURE(expect(rank, "done"));
  }
  void expectClosed(std::size_t rank) {
    tell(rank, "closed");
    expect(rank, "closed");
  }
  void end(const std::vector<std::size_t>& ranks) {
    for (const std::size_t rank : ranks) tell(rank, "end");
    for (const std::size_t rank : ranks) EXPECT_EQ(processes_[rank]->wait(), 0) << rank;
  }

  static constexpr std::size_t kAny = SIZE_MAX;
  static constexpr std::uint64_t kMore = 60;
  const Pattern pattern_ = std::get<0>(GetParam());
  const std::size_t count_ = std::get<1>(GetParam());
  std::vector<std::unique_ptr<Process>> processes_;
};

TEST_P(HaloTest, GoesOnAndOn) {
  tellAll("until 400");
  ASSERT_NO_FATAL_FAILURE(expectAll("at"));
  ASSERT_NO_FATAL_FAILURE(expectAll("done"));
  std::vector<std::size_t> all = survivors();
  all.push_back(kVictim);
  end(all);
}

TEST_P(HaloTest, GoesOnWithoutOneThatIsKilled) {
  ASSERT_NO_FATAL_FAILURE(begin());
  processes_[kVictim]->signal(SIGKILL);
  int status = UCS_OK;
  ASSERT_NO_FATAL_FAILURE(goOnWithout(status));
  EXPECT_NE(status, UCS_OK);
  for (const std::size_t rank : survivors()) ASSERT_NO_FATAL_FAILURE(expectClosed(rank));
  end(survivors());
}

/// The stopped one may be inside a transfer. What its neighbours closed stays theirs until it goes
/// on.
TEST_P(HaloTest, KeepsTheMemoryOfOneThatIsStopped) {
  ASSERT_NO_FATAL_FAILURE(begin());
  processes_[kVictim]->signal(SIGSTOP);
  int stopped = 0;
  ASSERT_EQ(::waitpid(processes_[kVictim]->pid(), &stopped, WUNTRACED), processes_[kVictim]->pid());
  for (const std::size_t rank : itsNeighbours()) tell(rank, "close " + std::to_string(kVictim));
  int status = UCS_OK;
  ASSERT_NO_FATAL_FAILURE(goOnWithout(status));
  for (const std::size_t rank : itsNeighbours()) {
    tell(rank, "held");
    ASSERT_NO_FATAL_FAILURE(expect(rank, "held 2"));
  }
  tell(kVictim, "lose");
  processes_[kVictim]->signal(SIGCONT);
  for (std::size_t i = 0; i < itsNeighbours().size(); ++i) {
    Lost lost;
    ASSERT_NO_FATAL_FAILURE(expectLost(kVictim, kAny, lost));
    EXPECT_EQ(lost.status, UCS_ERR_CONNECTION_RESET);
  }
  for (std::size_t rank = 0; rank < count_; ++rank) ASSERT_NO_FATAL_FAILURE(expectClosed(rank));
  tellAll("again");
  tellAll("more " + std::to_string(kMore));
  ASSERT_NO_FATAL_FAILURE(expectAll("done"));
  std::vector<std::size_t> all = survivors();
  all.push_back(kVictim);
  end(all);
}

INSTANTIATE_TEST_SUITE_P(All, HaloTest,
                         testing::Values(std::tuple(Pattern::All, 3), std::tuple(Pattern::Ring, 4),
                                         std::tuple(Pattern::All, 4)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) +
                                  std::to_string(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace ucxx::core::test
