// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// ucxx-perftest: measures UCXX between two processes. Without arguments it starts the other one
// itself.

#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tools/dump_signal.h"
#include "tools/perftest/client.h"
#include "tools/perftest/options.h"
#include "tools/perftest/process.h"
#include "tools/perftest/server.h"

namespace ucxx::tools {
namespace {

void pin(const Options& options, std::size_t role) {
  if (!options.cpus.empty()) pinTo(options.cpus[std::min(role, options.cpus.size() - 1)]);
}

int serve(const Options& options) {
  pin(options, 0);
  Acceptor acceptor(options.port);
  fmt::print("ucxx-perftest serves at port {}\n", acceptor.port());
  std::fflush(stdout);
  for (;;) {
    try {
      serveClient(acceptor.accept(), options);
    } catch (const std::exception& error) {
      fmt::print(stderr, "ucxx-perftest: {}; waiting for the next client\n", error.what());
    }
  }
}

/// The process that `startPeer` started; it ends with its client.
int bePeer(const Options& options) {
  pin(options, 0);
  try {
    serveClient(Control(Descriptor(options.control_fd)), options);
  } catch (const PeerGone&) {
    return 1;  // nobody is left to be told
  } catch (const std::exception&) {
    return 1;  // the client was told
  }
  return 0;
}

std::unique_ptr<Child> startPeer(const Options& options, const Descriptor& socket) {
  Command command{.program = "/proc/self/exe",
                  .arguments = {"--control-fd", std::to_string(socket.get()), "--timeout",
                                std::to_string(options.timeout.count()), "--cpus"},
                  .inherited_fd = socket.get()};
  command.arguments.push_back(
      options.cpus.empty() ? "none" : fmt::format("{}", fmt::join(options.cpus, ",")));
  for (const auto& [key, value] : options.ucx) {
    command.arguments.push_back("-o");
    command.arguments.push_back(fmt::format("{}={}", key, value));
  }
  return std::make_unique<Child>(command);
}

void writeJson(const Options& options, const nlohmann::json& json) {
  if (options.json.empty()) return;
  if (options.json == "-") {
    std::cout << json.dump(2) << '\n';
    return;
  }
  std::ofstream file(options.json);
  file << json.dump(2) << '\n';
  if (!file) throw std::runtime_error("cannot write " + options.json);
}

/// Before anything is measured in vain.
void requireWritable(const std::string& path) {
  if (path.empty() || path == "-") return;
  if (!std::ofstream(path, std::ios::app)) throw std::runtime_error("cannot write " + path);
}

int beClient(const Options& options) {
  requireWritable(options.json);
  std::unique_ptr<Child> peer;
  auto connect = [&] {
    if (options.role == Role::Client)
      return Control::connect(options.host, options.port, options.timeout);
    auto [control, other] = Control::pair();
    peer = startPeer(options, other);
    return std::move(control);
  };
  Control control = connect();
  pin(options, 1);
  try {
    Client client(std::move(control), options);
    const std::vector<Row> rows = client.run(Table(options, options.json == "-" ? stderr : stdout));
    writeJson(options, report(options, rows, client.transports()));
  } catch (const PeerGone& gone) {
    throw PeerGone(peer == nullptr ? gone.what() : fmt::format("{}; {}", gone.what(), peer->end()));
  }
  if (peer != nullptr) peer->finish(options.timeout);
  return 0;
}

int run(const Options& options) {
  if (options.role == Role::Server) return serve(options);
  return options.role == Role::Peer ? bePeer(options) : beClient(options);
}

}  // namespace
}  // namespace ucxx::tools

int main(int argc, char** argv) {
  using namespace ucxx::tools;
  try {
    const auto options = parseOptions(argc, argv);
    dumpOnSignal();
    return options ? run(*options) : 0;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "ucxx-perftest: {}\nucxx-perftest --help tells more\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ucxx-perftest: {}\n", error.what());
    return 1;
  }
}
