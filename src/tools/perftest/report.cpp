// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/report.h"

#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>

#include <ucxx/version.h>

#include "tools/perftest/sizes.h"
#include "tools/ucx_in_use.h"

namespace ucxx::tools {
namespace {

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{:10.2f}", *value) : fmt::format("{:>10}", "-");
}

/// How far repetitions lie apart, in percent of the middle.
double spread(const std::vector<Measured>& measured) {
  std::vector<double> times;
  times.reserve(measured.size());
  for (const Measured& one : measured) times.push_back(one.average_us);
  const Middle middle = middleOf(times);
  return 100 * (middle.most - middle.least) / middle.median;
}

/// The repetition in the middle.
const Measured& typical(std::vector<Measured>& measured) {
  const auto middle = measured.begin() + static_cast<std::ptrdiff_t>(measured.size() / 2);
  std::nth_element(
      measured.begin(), middle, measured.end(),
      [](const Measured& a, const Measured& b) { return a.average_us < b.average_us; });
  return *middle;
}

std::string sizeText(const Plan& plan) {
  const std::string size = formatSize(plan.size);
  return plan.frames > 1 ? fmt::format("{}x{}", plan.frames, size) : size;
}

}  // namespace

void Table::begin(const Test& test, const std::string& transports) const {
  const bool latency = test.metric == Metric::Latency;
  const std::string what = test.isPingPong() ? "half a round trip"
                           : latency         ? "one after the other"
                                     : fmt::format("one way, {} under way", options_.window);
  fmt::print(out_, "# {}: {}; {}; {}{}{}; GB/s = 1e9 bytes a second\n", nameOf(test), what,
             transports, nameOf(kProgressModes, options_.progress),
             options_.threads > 1     ? fmt::format(", {} threads each", options_.threads)
             : options_.single_thread ? ", one thread"
                                      : "",
             options_.memory.hasCuda() ? "; memory " + nameOf(options_.memory)
             : options_.library_memory ? "; library memory"
                                       : "");
  const char* average = latency ? "average us" : "us/message";
  if (!options_.compare)
    fmt::print(out_, "{:<10}{:>11}{:>10}{:>10}{:>10}{:>10}{:>10}{:>13}{:>9}\n", "# Size", average,
               "p50", "p90", "p99", "max", "GB/s", "messages/s", "spread");
  else
    fmt::print(out_, "{:<10}{:>11}{:>14}{:>8}{:>16}{:>10}{:>14}{:>8}{:>16}\n", "# Size",
               latency ? "p50 us" : average, "ucx_perftest", "ratio", "(min .. max)", "GB/s",
               "ucx_perftest", "ratio", "(min .. max)");
}

void Table::add(const Row& row) const {
  if (options_.compare) return addCompared(row);
  auto ours = row.ours;
  const Measured one = typical(ours);
  const std::string apart = ours.size() > 1 ? fmt::format("{:.1f}%", spread(ours)) : "-";
  fmt::print(out_, "{:<10}{:>11.2f}{}{}{}{}{:>10.3f}{:>13.0f}{:>9}\n", sizeText(row.plan),
             one.average_us, cell(one.p50_us), cell(one.p90_us), cell(one.p99_us), cell(one.max_us),
             one.gigabytesPerSecond(row.plan.bytes()), one.messagesPerSecond(), apart);
  if (one.threads_us.size() > 1)
    fmt::print(out_, "#   each thread, us: {:.2f}\n", fmt::join(one.threads_us, " "));
  addPlace(row);
  std::fflush(out_);
}

void Table::addPlace(const Row& row) const {
  if (row.received_in != options_.memory.receive)
    fmt::print(out_, "#   received into {} memory: the library takes CUDA's for large ones only\n",
               nameOf(kMemoryKinds, row.received_in));
}

/// Latency shows the typical time (p50); GB/s comes from the average.
void Table::addCompared(const Row& row) const {
  auto ours = row.ours, theirs = row.theirs;
  const std::size_t bytes = row.plan.bytes();
  const Measured our = typical(ours);
  const auto time = [](const Measured& one) { return one.p50_us.value_or(one.average_us); };
  fmt::print(out_, "{:<10}{:>11.2f}", sizeText(row.plan), time(our));
  if (theirs.empty()) {
    fmt::print(out_, "{:>14}{:>8}{:>16}{:>10.3f}\n", "-", "-", "-", our.gigabytesPerSecond(bytes));
    return;
  }
  const auto range = [](const Middle& m) {
    return fmt::format("({:.2f} .. {:.2f})", m.least, m.most);
  };
  const Measured their = typical(theirs);
  const Middle times = row.typicalRatio(), rates = row.rateRatio();
  fmt::print(out_, "{:>14.2f}{:>8.2f}{:>16}{:>10.3f}{:>14.3f}{:>8.2f}{:>16}\n", time(their),
             times.median, range(times), our.gigabytesPerSecond(bytes),
             their.gigabytesPerSecond(bytes), rates.median, range(rates));
  addPlace(row);
  std::fflush(out_);
}

nlohmann::json report(const Options& options, const std::vector<Row>& rows,
                      const std::string& transports) {
  utsname machine{};
  ::uname(&machine);
  nlohmann::json json{{"tool", "ucxx-perftest"},
                      {"version", fmt::format("{}.{}.{}", UCXX_VERSION_MAJOR, UCXX_VERSION_MINOR,
                                              UCXX_VERSION_PATCH)},
                      {"ucx", toJson(ucxInUse())},
                      {"machine",
                       {{"system", fmt::format("{} {}", machine.sysname, machine.release)},
                        {"processor", machine.machine},
                        {"cores", std::thread::hardware_concurrency()}}},
                      {"options",
                       {{"progress", nameOf(kProgressModes, options.progress)},
                        {"single_thread", options.single_thread},
                        {"threads", options.threads},
                        {"library_memory", options.library_memory},
                        {"memory",
                         {{"send", nameOf(kMemoryKinds, options.memory.send)},
                          {"receive", nameOf(kMemoryKinds, options.memory.receive)}}},
                        {"cpus", options.cpus},
                        {"repeat", options.repeat},
                        {"ucx_perftest_handles_errors", options.handles_errors},
                        {"ucx", options.ucx}}},
                      {"transports", transports},
                      {"units",
                       {{"gb_per_s", "1e9 bytes a second"},
                        {"latency", "half a round trip; of gets and atomics, the whole"}}},
                      {"results", nlohmann::json::array()}};
  for (const Row& row : rows) json["results"].push_back(toJson(row));
  return json;
}

}  // namespace ucxx::tools
