// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ucxx/api.h>

/// What the programs of the figures share: they measure, and write one JSON object.
namespace figures {

using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(20);

inline double nanosecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

inline nlohmann::json middleOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {{"median", values[values.size() / 2]}, {"min", values.front()}, {"max", values.back()}};
}

/// Over loopback TCP, as far as UCX is used; that says the environment (UCXX_LOCAL), or `local`.
inline std::shared_ptr<ucxx::Context> makeContext(const char* local = nullptr) {
  ucxx::ConfigMap config{{"TLS", "tcp"}, {"NET_DEVICES", "lo"}};
  if (local != nullptr) config["UCXX_LOCAL"] = local;
  return ucxx::createContext(config);
}

/// The calling thread runs on the processor of this number, of those that the process might use at
/// the first call; if there are so many.
inline void pinTo(int number) {
  static const cpu_set_t allowed = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  if (CPU_COUNT(&allowed) <= number) return;
  int cpu = 0;
  for (; !CPU_ISSET(cpu, &allowed) || number-- != 0; ++cpu) {
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  ::sched_setaffinity(0, sizeof one, &one);
}

/// Progresses until `done`; throws when that takes too long.
template <class Done>
void progressUntil(ucxx::Worker& worker, const char* what, Done done) {
  const auto deadline = Clock::now() + kPatience;
  for (unsigned round = 1; !done(); ++round) {
    worker.progress();
    if (round % 1024 == 0 && Clock::now() > deadline)
      throw std::runtime_error(std::string("waited in vain for ") + what + '\n' +
                               worker.describe());
  }
}

inline void finish(ucxx::Worker& worker, const ucxx::Request& request, const char* what) {
  progressUntil(worker, what, [&] { return request.isCompleted(); });
  request.checkError();
}

/// A second process, forked before anything of UCX runs. Each end writes numbers to the other.
class Peer {
 public:
  using Body = std::function<void(Peer& parent)>;

  explicit Peer(const Body& body) {
    int down[2], up[2];
    if (::pipe(down) != 0 || ::pipe(up) != 0) throw std::runtime_error("no pipe");
    pid_ = ::fork();
    read_fd_ = pid_ == 0 ? down[0] : up[0];
    write_fd_ = pid_ == 0 ? up[1] : down[1];
    ::close(pid_ == 0 ? down[1] : up[1]);
    ::close(pid_ == 0 ? up[0] : down[0]);
    if (pid_ == 0) run(body);
  }
  ~Peer() {
    ::close(read_fd_);
    ::close(write_fd_);
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void tell(long number) const {
    if (::write(write_fd_, &number, sizeof number) != sizeof number)
      throw std::runtime_error("the other process has gone");
  }
  long hear() const {
    long number = 0;
    if (::read(read_fd_, &number, sizeof number) != sizeof number)
      throw std::runtime_error("the other process has gone");
    return number;
  }
  int fd() const noexcept { return read_fd_; }

 private:
  [[noreturn]] void run(const Body& body) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    try {
      body(*this);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "peer: %s\n", error.what());
      ::_exit(1);
    }
    ::_exit(0);
  }

  pid_t pid_ = -1;
  int read_fd_ = -1, write_fd_ = -1;
};

/// A listener whose requests are accepted as they come, in the thread that progresses.
class Acceptor {
 public:
  explicit Acceptor(ucxx::Worker& worker)
      : listener_(worker.createListener(
            0,
            [](ucp_conn_request_h request, void* list) {
              static_cast<std::vector<ucp_conn_request_h>*>(list)->push_back(request);
            },
            &asked_, "127.0.0.1")) {}

  std::uint16_t port() const { return listener_->getPort(); }
  /// Those that have come since the last call.
  std::vector<std::shared_ptr<ucxx::Endpoint>> take() {
    std::vector<std::shared_ptr<ucxx::Endpoint>> accepted;
    for (ucp_conn_request_h request : std::exchange(asked_, {}))
      accepted.push_back(listener_->createEndpointFromConnRequest(request));
    return accepted;
  }

 private:
  std::vector<ucp_conn_request_h> asked_;
  std::shared_ptr<ucxx::Listener> listener_;
};

/// Runs the figure and prints what it returns.
inline int print(const std::function<nlohmann::json()>& figure) {
  try {
    std::cout << figure().dump(2) << '\n';
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

}  // namespace figures
