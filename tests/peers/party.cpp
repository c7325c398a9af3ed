// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/party.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>

#include "peers/lines.h"
#include "peers/stacks.h"

namespace ucxx::peers {

using namespace std::chrono_literals;

namespace {

/// Limits are waited for in parts: a machine that stands still (it is saved, or moved to another
/// host) and then goes on has used up one of them.
constexpr std::chrono::milliseconds kPart{100};

tools::Command commandOf(const std::string& role, const Environment& environment,
                         const std::vector<std::string>& prefix, int fd) {
  std::vector<std::string> words = prefix;
  words.push_back(prefix.empty() ? "/proc/self/exe"
                                 : std::filesystem::read_symlink("/proc/self/exe").string());
  words.insert(words.end(), {"--role", role, "--control-fd", std::to_string(fd)});
  return {.program = words.front(),
          .arguments = {words.begin() + 1, words.end()},
          .environment = environment,
          .inherited_fd = fd};
}

}  // namespace

Party::Party(const std::string& role, const Environment& environment,
             const std::vector<std::string>& prefix)
    : Party(role, environment, prefix, tools::Control::pair()) {}

Party::Party(const std::string& role, const Environment& environment,
             const std::vector<std::string>& prefix,
             std::pair<tools::Control, tools::Descriptor> sockets)
    : role_(role),
      control_(std::move(sockets.first)),
      child_(commandOf(role, environment, prefix, sockets.second.get())) {}

void Party::tell(const nlohmann::json& line) {
  try {
    control_.send(line);
  } catch (const tools::PeerGone&) {
    // What it still said tells more.
  }
}

void Party::explain(const std::exception& error) {
  throw RunFailed("crash", fmt::format("{}: {}; {}", role_, error.what(), child_.end()));
}

nlohmann::json Party::hear(std::chrono::milliseconds limit, const std::function<void()>& look) {
  for (auto left = limit;; left -= kPart) {
    if (auto line = hearSoon(std::clamp(left, 0ms, kPart))) return *line;
    if (look) look();
    if (left <= kPart)
      throw RunFailed("hang", fmt::format("{}: silent for {} ms", role_, limit.count()));
  }
}

std::optional<nlohmann::json> Party::hearSoon(std::chrono::microseconds limit) {
  const auto time = std::chrono::nanoseconds(limit).count();
  const timespec left{time / 1'000'000'000, time % 1'000'000'000};
  pollfd entry{control_.fd(), POLLIN, 0};
  try {
    if (auto line = nextLine(control_)) return line;
    if (::ppoll(&entry, 1, &left, nullptr) <= 0) return std::nullopt;
    return nextLine(control_);
  } catch (const tools::PeerGone& gone) {
    explain(gone);
  }
}

void Party::look() {
  try {
    control_.look();
  } catch (const tools::PeerGone& gone) {
    explain(gone);
  }
}

std::string Party::lastWords() {
  try {
    while (nextLine(control_)) {
    }
  } catch (const tools::PeerGone& gone) {
    std::string text = gone.what();
    if (text.find("failed") != text.npos) return text;
  }
  return {};
}

std::string Party::obituary() {
  if (isRunning()) return {};
  const std::string words = lastWords();
  return fmt::format("{}: {}{}{}", role_, words, words.empty() ? "" : "; ", child_.end());
}

void Party::finish() {
  tell({{"do", "bye"}});
  try {
    child_.finish(std::chrono::seconds(20));
  } catch (const std::runtime_error& error) {
    throw RunFailed("crash", fmt::format("{} at its end: {}", role_, error.what()));
  }
}

void Party::await(int states) const {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(child_.pid()), &info, states | WNOWAIT) != 0 &&
         errno == EINTR) {
  }
}

void Party::awaitEnd() const { await(WEXITED); }

void Party::awaitStop() const { await(WEXITED | WSTOPPED); }

std::string Party::stacks() const { return role_ + ": " + stacksOf(child_.pid()); }

void Party::signal(int number) const { ::kill(child_.pid(), number); }

}  // namespace ucxx::peers
