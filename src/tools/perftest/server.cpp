// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/server.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/perftest/crew.h"
#include "tools/perftest/traffic.h"
#include "tools/perftest/ucx_perftest.h"

namespace ucxx::tools {
namespace {

/// A client may think about what it measured, or run another program, before it asks again.
constexpr std::chrono::hours kPatience{24};

class Served {
 public:
  Served(Control& control, Options options) : control_(control), options_(std::move(options)) {}

  /// False: goodbye.
  bool next() {
    const auto line =
        crew_ != nullptr ? crew_->first().receive(kPatience) : control_.receive(options_.timeout);
    const auto what = line.at("do").get<std::string>();
    if (what == "bye") return false;
    if (what == "meet")
      meet(line);
    else if (what == "measure" && crew_ != nullptr)
      measure(planFrom(line));
    else if (what == "ucx_perftest")
      runUcxPerftest();
    else
      throw std::runtime_error("the client asked for what we do not know: " + what);
    return true;
  }

 private:
  void meet(const nlohmann::json& line) {
    const auto progress = findName(kProgressModes, line.at("progress").get<std::string>());
    if (!progress) throw std::runtime_error("unknown progress mode: " + line.dump());
    options_.progress = *progress;
    line.at("single_thread").get_to(options_.single_thread);
    const auto memory = findMemory(line.at("memory").get<std::string>());
    if (!memory) throw std::runtime_error("unknown kind of memory: " + line.dump());
    options_.memory = *memory;
    const auto theirs = line.at("addresses").get<std::vector<std::string>>();
    if (theirs.empty() || theirs.size() > kMostThreads)
      throw std::runtime_error(fmt::format("{} threads: use 1 to {}", theirs.size(), kMostThreads));
    options_.threads = theirs.size();
    std::vector<std::string> own(theirs.size());
    crew_ = std::make_unique<Crew>(control_, options_);
    crew_->run([&](Session& session, std::size_t i) {
      session.connect(theirs[i]);
      own[i] = session.address();
    });
    control_.send({{"addresses", own}});
  }

  void measure(const Plan& plan) {
    requireMemory(plan.test, options_.memory);
    control_.send({{"ready", true}});
    std::vector<MemoryKind> received_in(crew_->size());  // the host's counts: it should not be
    crew_->run([&](Session& session, std::size_t i) { received_in[i] = answer(session, plan); });
    control_.send(
        {{"done", true}, {"received_in", nameOf(kMemoryKinds, std::ranges::min(received_in))}});
  }

  void runUcxPerftest() {
    const UcxPerftest program(options_);
    std::uint16_t port = 0;
    const auto server = program.serve(port);
    control_.send({{"port", port}});
    server->finish(options_.timeout);
    control_.send({{"done", true}});
  }

  Control& control_;
  Options options_;
  std::unique_ptr<Crew> crew_;
};

}  // namespace

void serveClient(Control control, const Options& options) {
  try {
    Served served(control, options);
    while (served.next()) {
    }
  } catch (const PeerGone&) {
    throw;
  } catch (const std::exception& error) {
    control.send({{"error", error.what()}});
    throw;
  }
}

}  // namespace ucxx::tools
