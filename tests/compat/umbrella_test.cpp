// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The umbrella is the first header: what programs take from it must come with it.
#include <ucxx/api.h>

namespace {

[[maybe_unused]] std::map<ucp_ep_h, std::shared_ptr<ucxx::Endpoint>> endpoints;
[[maybe_unused]] std::set<std::string> names;
[[maybe_unused]] std::unordered_set<std::uint64_t> tags;
[[maybe_unused]] std::queue<std::vector<int>> waiting;
[[maybe_unused]] std::atomic<bool> done{false};
[[maybe_unused]] std::array<char, INET6_ADDRSTRLEN> ip{};
[[maybe_unused]] std::mutex mutex;
[[maybe_unused]] std::condition_variable condition;
[[maybe_unused]] std::thread thread;
[[maybe_unused]] std::chrono::milliseconds time;
[[maybe_unused]] std::ostringstream text;
[[maybe_unused]] std::ostream& out = std::cout;

}  // namespace

#include <gtest/gtest.h>

TEST(CompatLogTest, ProgramsLogLikePrintf) {
  std::vector<std::string> lines;
  ucxx::setLogSink([&](ucxx::LogLevel level, std::string_view, std::string_view line) {
    if (level == ucxx::LogLevel::Warn) lines.emplace_back(line);
  });
  ucxx_warn("request: %p, size: %lu", static_cast<void*>(nullptr), 7ul);
  ucxx_warn("plain");
  ucxx_trace("not at this level");
  ucxx::setLogSink(nullptr);
  EXPECT_EQ(lines, (std::vector<std::string>{"request: (nil), size: 7", "plain"}));
}
