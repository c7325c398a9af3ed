// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ucxx/api.h>

#include "peers/faults/asked.h"
#include "peers/faults/roles.h"
#include "peers/lines.h"
#include "peers/memory.h"

namespace ucxx::faults {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

/// For one message there and back, over the worst wire.
constexpr std::chrono::seconds kLongest{30};

/// A message of so many bytes goes to the server and comes back. Throws what is wrong.
void exchange(Endpoint& endpoint, std::size_t size, std::uint64_t number) {
  std::vector<std::byte> bytes(size);
  peers::writePayload(bytes.data(), size, number);
  auto receive = endpoint.amRecv();
  auto send = endpoint.amSend(bytes.data(), size, UCS_MEMORY_TYPE_HOST);
  // In this order: the buffer is the sending request's, however the other ends.
  const bool has_ended = send->wait(kLongest) && receive->wait(kLongest);
  if (!has_ended) {
    std::_Exit(99);  // the buffer must not go while it is read
  }
  send->checkError();
  receive->checkError();
  const auto back = receive->getRecvBuffer();
  if (back->getSize() != size ||
      !peers::isPayload(static_cast<const std::byte*>(back->data()), size, number))
    throw std::logic_error(fmt::format(
        "wrong bytes: {}",
        peers::whatIsWrong(static_cast<const std::byte*>(back->data()), back->getSize(), number)));
}

struct Friend {
  tools::Control& control;
  std::shared_ptr<Worker> worker = createContext()->createWorker();
  std::uint64_t number = 0;

  std::shared_ptr<Endpoint> connect(const json& line) const {
    return worker->createEndpointFromHostname(line.value("host", "127.0.0.1"),
                                              line.at("port").get<std::uint16_t>());
  }

  /// "connect": so often, or for so long: connects, exchanges a message of each size, closes.
  json connectAgainAndAgain(const json& line) {
    const auto count = line.value("count", std::size_t{SIZE_MAX});
    const auto end = Clock::now() + std::chrono::milliseconds(line.value("ms", 3600'000));
    const std::chrono::microseconds pause(line.value("pause_us", 0));
    const auto sizes = line.value("sizes", std::vector<std::size_t>{});
    std::vector<double> times;
    std::size_t failed = 0;
    std::string why;
    for (std::size_t i = 0; i < count && Clock::now() < end; ++i) {
      const auto begin = Clock::now();
      try {
        auto endpoint = connect(line);
        exchange(*endpoint, 8, ++number);
        times.push_back(milliseconds(Clock::now() - begin));
        for (const std::size_t size : sizes) exchange(*endpoint, size, ++number);
        // In half of the cases it is only dropped.
        if (i % 2 == 0) endpoint->close()->wait(kLongest);
      } catch (const Error& error) {
        ++failed;
        why = error.what();
      }
      if (pause.count() != 0) rest(pause);
    }
    return {{"times", times}, {"failed", failed}, {"why", why}};
  }

  /// "exchange": over one endpoint, for so long. At a failure it ends, and says when that was.
  json exchangeForLong(const json& line) {
    const auto end = Clock::now() + std::chrono::milliseconds(line.at("ms").get<int>());
    const auto sizes = line.value("sizes", std::vector<std::size_t>{8, 900, 40000, 8, 1 << 20});
    const std::chrono::microseconds pause(line.value("pause_us", 0));
    std::vector<double> times;
    std::size_t bytes = 0;
    try {
      auto endpoint = connect(line);
      exchange(*endpoint, 8, ++number);
      control.send({{"connected", true}});
      while (Clock::now() < end) {
        const auto begin = Clock::now();
        const std::size_t size = sizes[number % sizes.size()];
        exchange(*endpoint, size, ++number);
        bytes += size;
        times.push_back(milliseconds(Clock::now() - begin));
        if (pause.count() != 0) rest(pause);
      }
    } catch (const Error& error) {
      return {{"times", times}, {"bytes", bytes}, {"why", error.what()}, {"failed_at", now()}};
    }
    return {{"times", times}, {"bytes", bytes}, {"why", ""}, {"failed_at", 0}};
  }

  /// "crowd": so many endpoints, and a message there and back over each in turn, for so long.
  json exchangeOverMany(const json& line) {
    std::vector<std::shared_ptr<Endpoint>> endpoints;
    std::size_t exchanges = 0;
    try {
      for (std::size_t left = line.at("count"); left != 0; --left) {
        endpoints.push_back(connect(line));
        exchange(*endpoints.back(), 8, ++number);
      }
      control.send({{"connected", true}});
      const auto end = Clock::now() + std::chrono::milliseconds(line.at("ms").get<int>());
      for (; Clock::now() < end; ++exchanges)
        exchange(*endpoints[exchanges % endpoints.size()], 8, ++number);
    } catch (const Error& error) {
      return {{"exchanges", exchanges}, {"why", error.what()}};
    }
    return {{"exchanges", exchanges}, {"why", ""}};
  }

  /// "storm": two signals each millisecond, to handlers that restart nothing.
  void storm() const {
    struct sigaction action {};
    action.sa_handler = [](int number) {
      if (number == SIGALRM) ::kill(::getpid(), SIGCHLD);
    };
    ::sigaction(SIGALRM, &action, nullptr);
    ::sigaction(SIGCHLD, &action, nullptr);
    const itimerval often{{0, 1000}, {0, 1000}};
    ::setitimer(ITIMER_REAL, &often, nullptr);
    control.send({{"stormy", true}});
  }

  /// "fork": what a child is told that uses the worker, and how many descriptors of
  /// the library and of UCX one has that becomes a program.
  json forkAndSay() const {
    int ends[2];
    if (::pipe(ends) != 0) return {{"child", ""}, {"exec", -1}};
    const pid_t child = ::fork();
    if (child == 0) {
      std::string text = "nothing";
      try {
        worker->tagRecv(nullptr, 0, Tag{1});
      } catch (const std::exception& error) {
        text = error.what();
      }
      (void)!::write(ends[1], text.data(), text.size());
      ::_exit(0);
    }
    char text[512] = {};
    (void)statusOf(child);
    const ssize_t got = ::read(ends[0], text, sizeof text);
    ::close(ends[0]), ::close(ends[1]);
    const pid_t other = ::fork();
    if (other == 0) {
      ::execl("/bin/sh", "sh", "-c",
              "exit $(for f in /proc/$$/fd/*; do readlink $f; done |"
              " grep -c -e memfd -e eventpoll -e eventfd -e pidfd -e timerfd)",
              nullptr);
      ::_exit(127);
    }
    const int left = statusOf(other);
    return {{"child", std::string(text, got > 0 ? static_cast<std::size_t>(got) : 0)},
            {"exec", left}};
  }
  static int statusOf(pid_t child) {
    int status = -1;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WEXITSTATUS(status);
  }
  /// What was dropped goes on to its end meanwhile.
  json nextLine() const {
    for (;;) {
      if (auto line = peers::nextLine(control)) return *line;
      worker->progress();
      if (!worker->arm()) continue;
      pollfd entries[] = {{control.fd(), POLLIN, 0}, {worker->getEpollFileDescriptor(), POLLIN, 0}};
      ::poll(entries, 2, 100);
    }
  }

  static std::int64_t now() { return Clock::now().time_since_epoch().count(); }
  /// Others are to have their turn; the worker goes on.
  void rest(std::chrono::microseconds pause) const {
    for (const auto end = Clock::now() + pause; Clock::now() < end;) {
      worker->progress();
      ::usleep(100);
    }
  }
};

}  // namespace

int runFriend(tools::Control& control) {
  Friend self{control};
  control.send({{"ready", true}});
  for (;;) {
    const auto line = self.nextLine();
    const std::string what = line.at("do");
    if (what == "bye") return 0;
    if (what == "connect")
      control.send(self.connectAgainAndAgain(line));
    else if (what == "exchange")
      control.send(self.exchangeForLong(line));
    else if (what == "crowd")
      control.send(self.exchangeOverMany(line));
    else if (what == "storm")
      self.storm();
    else if (what == "fork")
      control.send(self.forkAndSay());
    else
      answerCommon(control, line);
  }
}

}  // namespace ucxx::faults
