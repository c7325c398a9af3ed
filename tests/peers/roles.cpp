// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What the other processes of these tests do.

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "peers/process.h"
#include "peers/traffic.h"
#include "refuse_copies.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

void say(const std::string& text) { std::cout << text << std::endl; }

/// The letter that the test has sent, if any; 'q' once it is gone.
char command() {
  ::fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  char letter = 0;
  const ssize_t got = ::read(STDIN_FILENO, &letter, 1);
  if (got == 0) return 'q';
  return got == 1 ? letter : '\0';
}

void stayUntilTheTestEnds() {
  ::fcntl(STDIN_FILENO, F_SETFL, 0);
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  ::_exit(0);
}

void compute(std::chrono::milliseconds time) {
  for (const auto end = Clock::now() + time; Clock::now() < end;) {
  }
}

/// This process goes on as another program, which says that, and stays.
void becomeAnother(std::size_t descriptors) {
  const std::string before = std::to_string(descriptors);
  ::execl("/proc/self/exe", "another", "--role", "another", before.c_str(), nullptr);
  ::_exit(1);
}

/// flow HOST PORT DEVICE MOVE SIZE DIRECTION: connects and keeps the flow going. Letters: q closes
/// all and exits, x exits at once, e becomes another program, f forks a child that stays, c
/// computes for 2 s, r has the kernel refuse copies between processes, s stops the flow and
/// reports.
int runFlow(const std::vector<std::string>& words) {
  const std::size_t descriptors = entriesOf("/proc/self/fd");
  ConfigMap config;
  if (words[3] != "-") config["NET_DEVICES"] = words[3];
  auto worker = createContext(config)->createWorker();
  auto endpoint = words[2] == "-" ? nullptr
                                  : worker->createEndpointFromHostname(
                                        words[1], static_cast<std::uint16_t>(std::stoi(words[2])));
  const Flow flow = Flow::from(words, 4);
  FlowEnd end(endpoint, flow, flow.push);
  say("ready");
  bool reported = true;
  for (;;) {
    worker->progress();
    end.turn();
    switch (command()) {
      case 'q':
        return 0;
      case 'x':
        ::_exit(0);
      case 'e':
        becomeAnother(descriptors);
        break;
      case 'f':
        if (::fork() == 0) stayUntilTheTestEnds();
        say("forked");
        break;
      case 'c':
        compute(2100ms);
        break;
      case 'r':
        say(ucxx::test::refuseCopies() ? "refused" : "not refused");
        break;
      case 's':
        end.stop();
        reported = false;
        break;
      default:
        break;
    }
    if (!reported && end.isIdle()) {
      say((end.isRight() ? "right " : "wrong ") + std::to_string(end.status()) + " " +
          std::to_string(end.count()));
      reported = true;
    }
  }
}

/// another DESCRIPTORS: what a process has become that had so many before it used the library.
int runAnother(const std::vector<std::string>& words) {
  const std::size_t now = entriesOf("/proc/self/fd");
  say("another" + (now == std::stoul(words[1]) ? "" : " with " + std::to_string(now)));
  stayUntilTheTestEnds();
  return 0;
}

/// meet HOST PORT: connects, sends a message, and says by what channel, or what went wrong.
int runMeet(const std::vector<std::string>& words) {
  try {
    auto worker = createContext()->createWorker();
    auto endpoint = worker->createEndpointFromHostname(
        words[1], static_cast<std::uint16_t>(std::stoi(words[2])));
    const int number = 42;
    auto send = endpoint->tagSend(&number, sizeof number, kTag);
    if (!compat::ended({worker}, {send})) throw std::runtime_error("timed out");
    endpoint->raiseOnError();
    std::istringstream lines(worker->describe());
    for (std::string line; std::getline(lines, line);)
      if (line.find(" channel") != line.npos) say("met" + line);
  } catch (const std::exception& error) {
    say(std::string("failed ") + error.what());
  }
  return 0;
}

/// leave HOST PORT COUNT SIZE: connects; at the letter g sends so many messages, closes and exits.
int runLeave(const std::vector<std::string>& words) {
  auto worker = createContext()->createWorker();
  auto endpoint =
      worker->createEndpointFromHostname(words[1], static_cast<std::uint16_t>(std::stoi(words[2])));
  while (command() != 'g') worker->progress();
  {
    const auto sent = bytes(std::stoul(words[4]));
    Requests sends(std::stoul(words[3]));
    for (auto& send : sends) {
      send = endpoint->tagSend(sent.data(), sent.size(), kTag);
      worker->progress();
    }
    (void)compat::ended({worker}, sends);
    say("sent " + std::to_string(std::count_if(sends.begin(), sends.end(), [](const auto& send) {
          return send->getStatus() != UCS_OK;
        })));
    (void)compat::ended({worker}, {endpoint->close()});
  }
  say("left");
  return 0;
}

/// signals: whether loading the library (SIGHUP: UCX alone takes it) or using it changes a handler.
int runSignals() {
  const auto handlers = [] {
    std::vector<void (*)(int)> result;
    for (int number = 1; number < NSIG; ++number) {
      struct sigaction action {};
      ::sigaction(number, nullptr, &action);
      result.push_back(action.sa_handler);
    }
    return result;
  };
  const auto before = handlers();
  auto worker = createContext()->createWorker();
  auto self = worker->createEndpointFromWorkerAddress(worker->getAddress());
  const bool same = handlers() == before && before[SIGHUP - 1] == SIG_DFL;
  say(same ? "as before" : "changed");
  return 0;
}

void useEverything() {
  auto context = createContext();
  auto left = context->createWorker();
  auto right = context->createWorker();
  auto listener = right->createListener(
      0, [](ucp_conn_request_h, void*) {}, nullptr, "127.0.0.1");
  auto one = left->createEndpointFromWorkerAddress(right->getAddress());
  char sent = 1, received = 0;
  auto send = one->tagSend(&sent, 1, Tag{1});
  auto receive = right->tagRecv(&received, 1, Tag{1});
  const auto end = Clock::now() + 2s;
  while (!(send->isCompleted() && receive->isCompleted()) && Clock::now() < end) {
    left->progress();
    right->progress();
    if (send->isCompleted()) send->checkError();
  }
  if (received != 1) throw std::runtime_error("nothing came");
}

/// descriptors: with ever more of them, until it works. Says how often it was refused.
int runDescriptors() {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  int refused = 0;
  // One that the peer refuses because it has few itself is called again until its time is over.
  for (rlim_t allowed = openDescriptors(); allowed < 200; allowed += 3) {
    rlimit few{allowed, before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
    try {
      useEverything();
      say("works " + std::to_string(refused));
      break;
    } catch (const std::exception& error) {
      if (std::string(error.what()).empty()) return 2;
      ++refused;
    }
  }
  ::setrlimit(RLIMIT_NOFILE, &before);
  useEverything();
  say("fine");
  return 0;
}

}  // namespace

int runRole(const std::vector<std::string>& words) {
  ::signal(SIGPIPE, SIG_IGN);
  if (words[0] == "flow") return runFlow(words);
  if (words[0] == "another") return runAnother(words);
  if (words[0] == "meet") return runMeet(words);
  if (words[0] == "leave") return runLeave(words);
  if (words[0] == "signals") return runSignals();
  if (words[0] == "descriptors") return runDescriptors();
  return 3;
}

}  // namespace ucxx::core::test
