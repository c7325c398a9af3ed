// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/client.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/perftest/sizes.h"
#include "tools/perftest/ucx_perftest.h"

namespace ucxx::tools {
namespace {

constexpr std::uint64_t kLeastIterations = 4;
constexpr std::uint64_t kMostSamples = 2'000'000;

std::vector<std::size_t> sizesOf(const Test& test, const Options& options) {
  std::vector<std::size_t> sizes = options.sizes;
  if (isAtomic(test.kind)) {
    std::erase_if(sizes, [](std::size_t size) { return size != 4 && size != 8; });
    if (sizes.empty()) sizes = {8};
  }
  return sizes;
}

}  // namespace

Client::Client(Control control, const Options& options)
    : options_(options), control_(std::move(control)), crew_(control_, options) {
  meet();
}

Client::~Client() {
  try {
    control_.send({{"do", "bye"}});
  } catch (const PeerGone&) {
    // Then it knows.
  }
}

/// Sends a line and waits for the answer; the worker goes on meanwhile.
nlohmann::json Client::ask(const char* what, nlohmann::json line) {
  line["do"] = what;
  control_.send(line);
  return crew_.first().receive(options_.timeout);
}

void Client::meet() {
  std::vector<std::string> addresses(crew_.size());
  crew_.run([&](Session& session, std::size_t i) { addresses[i] = session.address(); });
  const auto answer = ask("meet", {{"addresses", addresses},
                                   {"progress", nameOf(kProgressModes, options_.progress)},
                                   {"single_thread", options_.single_thread},
                                   {"memory", nameOf(options_.memory)}});
  const auto theirs = answer.at("addresses").get<std::vector<std::string>>();
  crew_.run([&](Session& session, std::size_t i) { session.connect(theirs.at(i)); });
}

/// What failed here may have its cause there. The peer says so when all of its threads have ended.
void Client::explain(const Error& error) {
  constexpr std::chrono::seconds kMost{10};
  try {
    while (true) control_.receive(std::min(options_.timeout, kMost));
  } catch (const PeerGone& gone) {
    throw PeerGone(fmt::format("{} ({})", gone.what(), error.what()));
  } catch (const std::exception&) {
    throw error;
  }
}

std::vector<Timing> Client::oursOnce(const Plan& plan) {
  ask("measure", toJson(plan));
  std::vector<Timing> timings(crew_.size());
  try {
    crew_.run([&](Session& session, std::size_t i) { timings[i] = measure(session, plan); });
  } catch (const Error& error) {
    explain(error);
  }
  const auto done = crew_.first().receive(options_.timeout);
  const auto kind = findName(kMemoryKinds, done.at("received_in").get<std::string>());
  if (!kind) throw std::runtime_error("unknown kind of memory: " + done.dump());
  received_in_ = *kind;
  return timings;
}

Measured Client::theirsOnce(const Plan& plan) {
  const UcxPerftest program(options_);
  const auto answer = ask("ucx_perftest", {});
  const std::string host = options_.role == Role::Loopback ? "127.0.0.1" : options_.host;
  const Measured measured = program.measure(plan, host, answer.at("port").get<std::uint16_t>());
  crew_.first().receive(options_.timeout);
  return measured;
}

/// Seconds of one message.
double Client::trial(Plan plan, std::uint64_t iterations) {
  plan.iterations = iterations;
  double longest = 0;
  for (const Timing& timing : oursOnce(plan)) longest = std::max(longest, timing.seconds);
  return longest / static_cast<double>(iterations);
}

Plan Client::planFor(const Test& test, std::size_t size) {
  Plan plan{.test = test,
            .size = size,
            .window = options_.window,
            .library_memory = options_.library_memory};
  if (test.kind == Kind::Multi) plan.frames = options_.frames;
  plan.iterations = options_.iterations;
  if (plan.iterations == 0) {
    // The first trial meets cold memory and lanes that are not there yet.
    trial(plan, 2);
    const std::uint64_t few = plan.bytes() > 1 << 20 ? 2 : 64;
    const double seconds =
        trial(plan, test.metric == Metric::Latency ? few : few * plan.window / 8 + 1);
    plan.iterations = std::clamp(static_cast<std::uint64_t>(options_.seconds / seconds),
                                 kLeastIterations, kMostSamples);
  }
  plan.warmup = options_.warmup.value_or(std::max<std::uint64_t>(plan.iterations / 10, 1));
  return plan;
}

Row Client::row(const Test& test, std::size_t size, ProgressLine& progress) {
  const std::string what = fmt::format("{} {}", nameOf(test), formatSize(size));
  Row row{.plan = planFor(test, size), .ours = {}, .theirs = {}};
  for (int i = 0; i < options_.repeat; ++i) {
    progress.begin(what, options_.seconds);
    row.ours.push_back(measuredFrom(oursOnce(row.plan), row.plan));
    row.received_in = received_in_;
    if (options_.compare && UcxPerftest::knows(test)) row.theirs.push_back(theirsOnce(row.plan));
  }
  return row;
}

std::size_t Client::measurements() const {
  std::size_t count = 0;
  for (const Test& test : options_.tests) count += sizesOf(test, options_).size();
  return count * static_cast<std::size_t>(options_.repeat);
}

std::vector<Row> Client::run(const Table& table) {
  std::vector<Row> rows;
  ProgressLine progress(measurements());
  for (const Test& test : options_.tests) {
    bool begun = false;
    for (const std::size_t size : sizesOf(test, options_)) {
      rows.push_back(row(test, size, progress));
      progress.clear();
      if (!std::exchange(begun, true)) table.begin(test, transports());
      table.add(rows.back());
    }
  }
  return rows;
}

}  // namespace ucxx::tools
