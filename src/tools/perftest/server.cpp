// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/server.h"

#include <memory>

#include <nlohmann/json.hpp>

#include "tools/perftest/session.h"
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
        session_ != nullptr ? session_->receive(kPatience) : control_.receive(options_.timeout);
    const auto what = line.at("do").get<std::string>();
    if (what == "bye") return false;
    if (what == "meet")
      meet(line);
    else if (what == "measure" && session_ != nullptr)
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
    session_ = std::make_unique<Session>(control_, options_);
    session_->connect(line.at("address").get<std::string>());
    control_.send({{"address", session_->address()}});
  }

  void measure(const Plan& plan) {
    control_.send({{"ready", true}});
    answer(*session_, plan);
    control_.send({{"done", true}});
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
  std::unique_ptr<Session> session_;
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
