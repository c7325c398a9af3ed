// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// ucxx-info: which UCXX, which UCX and why, and what it can use on this machine, or to reach a
// peer.

#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <ucxx/api.h>
#include <ucxx/version.h>

#include "base/cuda_offer.h"
#include "tools/dump_signal.h"
#include "tools/host_port.h"
#include "tools/peer_info.h"
#include "tools/ucx_in_use.h"

namespace ucxx::tools {
namespace {

const std::vector<std::pair<std::uint64_t, const char*>> kFeatures{
    {UCP_FEATURE_TAG, "tag"},      {UCP_FEATURE_STREAM, "stream"}, {UCP_FEATURE_AM, "am"},
    {UCP_FEATURE_RMA, "rma"},      {UCP_FEATURE_AMO32, "amo32"},   {UCP_FEATURE_AMO64, "amo64"},
    {UCP_FEATURE_WAKEUP, "wakeup"}};

std::string version() {
  return fmt::format("{}.{}.{}", UCXX_VERSION_MAJOR, UCXX_VERSION_MINOR, UCXX_VERSION_PATCH);
}

/// What is behind "-- transport/device" in UCX's text.
std::map<std::string, std::vector<std::string>> devicesOf(const std::string& info) {
  std::map<std::string, std::vector<std::string>> devices;
  std::istringstream lines(info);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t resource = line.find(" resource "), name = line.find("-- "),
                      slash = line.find('/', name);
    if (resource == line.npos || name == line.npos || slash == line.npos) continue;
    devices[line.substr(name + 3, slash - name - 3)].push_back(line.substr(slash + 1));
  }
  return devices;
}

std::vector<std::string> featuresOf(std::uint64_t flags) {
  std::vector<std::string> names;
  for (const auto& [flag, name] : kFeatures)
    if ((flags & flag) != 0) names.emplace_back(name);
  return names;
}

nlohmann::json toJson(const base::cuda::Offer& driver) {
  nlohmann::json devices = nlohmann::json::array();
  for (const base::cuda::DeviceOffer& device : driver.devices)
    devices.push_back({{"name", device.name},
                       {"memory_operations_64", device.has_memory_operations},
                       {"gpudirect_rdma", device.has_rdma},
                       {"flushes_rdma_writes", device.flushes_writes},
                       {"rdma_writes_ordering", device.writes_ordering}});
  return {{"missing", driver.missing}, {"version", driver.version}, {"devices", devices}};
}

nlohmann::json describe(const Context& context, const base::cuda::Offer& driver) {
  std::vector<std::string> memory{"host"};
  if (context.hasCudaSupport()) memory.insert(memory.end(), {"cuda", "cuda-managed"});
  return {{"version", version()},
          {"ucx", toJson(ucxInUse())},
          {"transports", devicesOf(context.getInfo())},
          {"memory_types", memory},
          {"cuda", context.hasCudaSupport()},
          {"driver", toJson(driver)},
          {"features", featuresOf(context.getFeatureFlags())}};
}

/// What the driver of CUDA offers, a line a device; what is missing in one line.
std::vector<std::string> linesOf(const base::cuda::Offer& driver) {
  std::vector<std::string> lines;
  if (!driver.version.empty()) lines.push_back("CUDA " + driver.version);
  if (!driver.missing.empty())
    lines.push_back((driver.is_there ? "it cannot be used: " : "no driver: ") + driver.missing);
  for (const base::cuda::DeviceOffer& device : driver.devices)
    lines.push_back(base::cuda::toString(device));
  return lines;
}

void print(const nlohmann::json& info, const base::cuda::Offer& driver) {
  const auto line = [](const char* name, const std::string& text) {
    fmt::print("{:<12}{}\n", name, text);
  };
  const auto words = [](const nlohmann::json& list) {
    return fmt::format("{}", fmt::join(list.get<std::vector<std::string>>(), ", "));
  };
  const auto& ucx = info["ucx"];
  line("UCXX", info["version"]);
  line("UCX",
       fmt::format("{}, {}", ucx["version"].get<std::string>(), ucx["path"].get<std::string>()));
  line("", fmt::format("chosen at build time: {} ({} {})", ucx["reason"].get<std::string>(),
                       ucx["kind"].get<std::string>(), ucx["built_version"].get<std::string>()));
  bool first = true;
  for (const auto& [transport, devices] : info["transports"].items())
    line(std::exchange(first, false) ? "Transports" : "",
         fmt::format("{:<10}{}", transport, words(devices)));
  line("Memory", words(info["memory_types"]));
  line("CUDA", info["cuda"] ? "yes" : "no");
  first = true;
  for (const std::string& text : linesOf(driver))
    line(std::exchange(first, false) ? "Driver" : "", text);
  line("Features", words(info["features"]));
}

/// Throws `std::invalid_argument`.
HostPort readPeer(const std::string& text) {
  auto peer = readHostPort(text);
  if (!peer || !peer->port)
    throw std::invalid_argument(fmt::format(
        "--peer {}: use HOST:PORT, with a port from 1 to 65535, for example localhost:13337",
        text));
  return *std::move(peer);
}

std::chrono::milliseconds readLimit(double seconds) {
  if (!(seconds > 0 && seconds <= 86400))
    throw std::invalid_argument(
        fmt::format("--timeout {}: use more than 0 and at most 86400 seconds", seconds));
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

int showPeer(const HostPort& peer, std::chrono::milliseconds limit, bool json) {
  dumpOnSignal();
  const nlohmann::json info = peerInfo(createContext(), peer, limit);
  json ? void(std::cout << info.dump(2) << '\n') : printPeer(info);
  return 0;
}

int run(int argc, char** argv) {
  bool json = false, raw = false;
  std::string peer;
  double timeout = 10;
  CLI::App app{"Shows which UCXX and which UCX run here, and what they can use.", "ucxx-info"};
  app.set_version_flag("--version", "ucxx-info " + version());
  app.add_flag("--json", json, "As JSON");
  app.add_flag("--ucx", raw, "UCX's own text about devices and transports, and its settings");
  app.add_option("--peer", peer, "HOST:PORT of a listener: meets it, and tells how messages go");
  app.add_option("--timeout", timeout, "With --peer: seconds that this may take (10)");
  app.footer(
      "\nStatus: 0, or 2 for wrong arguments; with --peer 3: nobody listens there, 4: somebody, "
      "but "
      "no UCXX,\n5: no answer in time, 1: anything else.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // prints the help or the version
    fmt::print(stderr, "ucxx-info: {}\nucxx-info --help tells more\n", error.what());
    return 2;
  }
  if (!peer.empty()) return showPeer(readPeer(peer), readLimit(timeout), json);
  const auto context = createContext();
  const base::cuda::Offer driver = base::cuda::offer();
  const nlohmann::json info = describe(*context, driver);
  if (json)
    std::cout << info.dump(2) << '\n';
  else
    print(info, driver);
  if (!raw) return 0;
  std::cout << context->getInfo();
  const ConfigMap settings = context->getConfig();
  for (const auto& [key, value] : std::map(settings.begin(), settings.end()))
    fmt::print("UCX_{}={}\n", key, value);
  return 0;
}

}  // namespace
}  // namespace ucxx::tools

int main(int argc, char** argv) {
  try {
    return ucxx::tools::run(argc, argv);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "ucxx-info: {}\nucxx-info --help tells more\n", error.what());
    return 2;
  } catch (const ucxx::tools::NotMet& error) {
    fmt::print(stderr, "ucxx-info: {}\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    fmt::print(stderr, "ucxx-info: {}\n", error.what());
    return 1;
  }
}
