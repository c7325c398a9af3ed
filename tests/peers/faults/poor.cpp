// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ucxx/api.h>

#include "peers/faults/allocations.h"
#include "peers/faults/asked.h"
#include "peers/faults/roles.h"
#include "peers/resources.h"

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr auto kMeets = 3s;  // a door that is out of descriptors lets its caller come again

/// Two workers that meet by a listener, and a message of each size.
void useEverything() {
  auto context = createContext();
  WorkerOptions options;
  options.connect_timeout = 1s;
  auto left = context->createWorker(options), right = context->createWorker(options);
  struct Accepted {
    std::shared_ptr<Listener> listener;
    std::shared_ptr<Endpoint> endpoint;
  } accepted;
  accepted.listener = right->createListener(
      0,
      [](ucp_conn_request_h request, void* to) {
        auto& self = *static_cast<Accepted*>(to);
        self.endpoint = self.listener->createEndpointFromConnRequest(request);
      },
      &accepted, "127.0.0.1");
  auto endpoint = left->createEndpointFromHostname("127.0.0.1", accepted.listener->getPort());
  // Their worker owns them until they have ended, which may be later than this function.
  static std::vector<char> sent(100'000, 'x'), received(100'000);
  for (const std::size_t size : {std::size_t{8}, sent.size()}) {
    std::fill(received.begin(), received.end(), 'y');
    auto receive = right->tagRecv(received.data(), size, Tag{1});
    auto send = endpoint->tagSend(sent.data(), size, Tag{1});
    const auto end = Clock::now() + kMeets;
    while (!(send->isCompleted() && receive->isCompleted())) {
      left->progress();
      right->progress();
      if (send->isCompleted()) send->checkError();
      if (receive->isCompleted()) receive->checkError();
      if (!endpoint->isAlive()) endpoint->raiseOnError();
      if (accepted.endpoint && !accepted.endpoint->isAlive()) accepted.endpoint->raiseOnError();
      if (Clock::now() > end) throw std::runtime_error("nothing comes");
    }
    if (!std::equal(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(size),
                    received.begin()))
      ::_exit(5);
  }
}

std::size_t mappedBytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// What this process has now, and `more`. Its own limit is what is changed.
class Limit {
 public:
  Limit(__rlimit_resource what, std::size_t allowed) : what_(what) {
    ::getrlimit(what_, &before_);
    const rlimit low{std::min<rlim_t>(allowed, before_.rlim_max), before_.rlim_max};
    ::setrlimit(what_, &low);
  }
  ~Limit() { ::setrlimit(what_, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  const __rlimit_resource what_;
  rlimit before_{};
};

void useWith(const std::string& what, std::size_t step) {
  if (what == "descriptors") {
    const Limit limit(RLIMIT_NOFILE, peers::Resources::now().descriptors + step);
    return useEverything();
  }
  if (what == "addresses") {
    const Limit limit(RLIMIT_AS, mappedBytes() + step * (64 << 10));
    return useEverything();
  }
  struct Injection {
    explicit Injection(std::size_t after) { failAllocation(static_cast<std::int64_t>(after)); }
    ~Injection() { failAllocation(-1); }
  } const injection(step);
  useEverything();
}

enum End : int { Worked, Recovered, Wordless, Stays };

/// In a process of its own.
[[noreturn]] void tryOnce(const std::string& what, std::size_t step) {
  ::alarm(30);  // it hangs
  bool was_refused = false;
  try {
    useWith(what, step);
  } catch (const std::exception& error) {
    if (error.what()[0] == '\0') ::_exit(Wordless);
    was_refused = true;
  }
  try {
    useEverything();
  } catch (const std::exception&) {
    ::_exit(Stays);
  }
  ::_exit(was_refused ? Recovered : Worked);
}

/// How it ended: an `End`, or minus the signal.
int endOf(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

/// {"what", "steps", "enough"}: from nothing on, until so many steps after each other just worked.
int runPoor(tools::Control& control) {
  const auto line = control.receive(kPatience);
  const std::string what = line.at("what");
  const std::size_t steps = line.at("steps"), enough = line.at("enough"),
                    stride = line.value("stride", std::size_t{1});
  std::map<int, std::size_t> ends;
  std::vector<std::string> bad;
  std::size_t tried = 0;
  for (std::size_t step = 0, in_a_row = 0; tried < steps && in_a_row < enough; step += stride) {
    const pid_t child = ::fork();
    if (child == 0) tryOnce(what, step);
    const int end = endOf(child);
    ++tried, ++ends[end];
    in_a_row = end == Worked ? in_a_row + 1 : 0;
    if (end != Worked && end != Recovered && bad.size() < 20)
      bad.push_back(fmt::format("{}:{}", step, end));
  }
  std::size_t crashed = 0;
  for (const auto& [end, count] : ends) crashed += end < 0 ? count : 0;
  control.send({{"tried", tried},
                {"worked", ends[Worked]},
                {"recovered", ends[Recovered]},
                {"wordless", ends[Wordless]},
                {"stays", ends[Stays]},
                {"crashed", crashed},
                {"bad", bad}});
  return 0;
}

}  // namespace ucxx::faults
