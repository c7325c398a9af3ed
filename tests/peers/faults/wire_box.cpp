// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <nlohmann/json.hpp>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>

#include "peers/faults/roles.h"
#include "peers/faults/wire.h"

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr const char* kDevice = "wire0";
constexpr const char* kServerHost = "10.98.0.1";
/// Of 1000. So much loss cannot always be told from a cut within 1.5 s: TCP sends four or five
/// times meanwhile, and each is lost, or its acknowledgement, in 36 % of the cases.
constexpr std::size_t kLooksCut = 200;
constexpr int kMostTries = 3;

void require(bool done, const char* what) {
  if (!done) throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// This process, and what it starts, has from now on a network of its own, with one device: the
/// end of a wire, which is returned.
tools::Descriptor enterNetwork(const char* address) {
  require(::unshare(CLONE_NEWNET | CLONE_NEWNS) == 0, "network namespace");
  // UCX looks for its devices in /sys.
  require(::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
              ::mount("sysfs", "/sys", "sysfs", 0, nullptr) == 0,
          "mount");
  tools::Descriptor tap(::open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK));
  ifreq request{};
  std::strcpy(request.ifr_name, kDevice);
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  require(tap.get() >= 0 && ::ioctl(tap.get(), TUNSETIFF, &request) == 0, "TAP device");
  const auto command =
      fmt::format("ip link set lo up && ip addr add {}/24 dev {} && ip link set {} up", address,
                  kDevice, kDevice);
  require(std::system(command.c_str()) == 0, "ip");
  return tap;
}

Environment environment() {
  return {{"UCXX_LOCAL", "off"}, {"UCX_TLS", "tcp"}, {"UCX_NET_DEVICES", kDevice}};
}

struct Box {
  Wire& wire;
  Party& caller;
  const json exchange;

  json call(const char* what, int ms) const {
    json line = exchange;
    line["do"] = what, line["ms"] = ms;
    return line;
  }
  /// Exchanges under these conditions.
  json under(const std::string& name, const Conditions& conditions, int ms) const {
    (void)wire.takeHarmed();
    wire.set(conditions);
    auto answer = ask(caller, call("exchange", ms));
    if (answer.contains("connected")) answer = caller.hear(kPatience);
    const std::size_t harmed = wire.takeHarmed();
    wire.set({});
    auto times = answer.at("times").get<std::vector<double>>();
    return {{"name", name},
            {"exchanges", times.size()},
            {"longest_ms", percentile(times, 1)},
            {"mib_per_s", answer.at("bytes").get<double>() / 1048576 / (ms / 1000.0)},
            {"harmed", harmed},
            {"may_end", conditions.lost >= kLooksCut},
            {"why", answer.at("why")}};
  }
  /// What is pending when the wire is cut ends after so long; then they meet again.
  json cut(const std::string& name, const Conditions& how) const {
    const auto begun = ask(caller, call("exchange", 30'000));
    if (!begun.contains("connected")) return {{"name", name}, {"why", begun.at("why")}};
    std::this_thread::sleep_for(300ms);
    const auto cut_at = Clock::now();
    wire.set(how);
    const json answer = caller.hear(kPatience);
    wire.set({});
    const auto failed_at =
        Clock::time_point(Clock::duration(answer.at("failed_at").get<std::int64_t>()));
    const bool was_noticed = answer.at("failed_at") != 0;
    const auto [tries, why] = meetAgain();
    return {{"name", name},
            {"detected_ms", was_noticed ? milliseconds(failed_at - cut_at) : -1.0},
            {"tries", tries},
            {"why", was_noticed ? why : "not noticed"}};
  }
  /// At which try, and why not at the last. UCX may take what a cut has left of a connection for
  /// the new one, and fails it then: docs/explanation/faults.md.
  std::pair<int, std::string> meetAgain() const {
    json line = exchange;
    line["do"] = "connect", line["count"] = 1;
    for (int tries = 1;; ++tries) {
      const std::string why = ask(caller, line).at("why");
      if (why.empty() || tries == kMostTries) return {tries, why};
    }
  }
  /// A cut that is over before anybody has to notice.
  json shortCut() const {
    const auto begun = ask(caller, call("exchange", 2'000));
    if (!begun.contains("connected")) return {{"name", "short cut"}, {"why", begun.at("why")}};
    std::this_thread::sleep_for(300ms);
    wire.set({.cut_there = true, .cut_back = true});
    std::this_thread::sleep_for(300ms);
    wire.set({});
    const json answer = caller.hear(kPatience);
    return {{"name", "cut of 300 ms"},
            {"exchanges", answer.at("times").size()},
            {"why", answer.at("why")}};
  }
};

}  // namespace

int runWireBox(tools::Control& control) {
  const auto line = control.receive(kPatience);
  auto left = enterNetwork(kServerHost);
  Service service(environment(), kServerHost);
  auto right = enterNetwork("10.98.0.2");
  Party caller("friend", environment());
  Wire wire(std::move(left), std::move(right), line.at("seed"));
  (void)caller.hear(kPatience);
  const json exchange{
      {"host", kServerHost}, {"port", service.port}, {"sizes", {8, 900, 40'000, 8, 300'000}}};
  const Box box{wire, caller, exchange};
  const int ms = line.at("ms");
  json results = json::array();
  results.push_back(box.under("as it is", {}, ms));
  results.push_back(box.under("loss 0.1 %", {.lost = 1}, ms));
  results.push_back(box.under("loss 1 %", {.lost = 10}, ms));
  results.push_back(box.under("loss 5 %", {.lost = 50}, ms));
  results.push_back(box.under("delay 20 ms", {.delay = 20ms}, ms));
  results.push_back(box.under("reordered 10 %", {.late = 100}, ms));
  results.push_back(box.under("doubled 5 %", {.doubled = 50}, ms));
  results.push_back(box.under("corrupted 0.5 %", {.corrupted = 5}, ms));
  results.push_back(box.under(
      "all of it", {.lost = 5, .doubled = 10, .corrupted = 2, .late = 50, .delay = 5ms}, ms));
  if (line.at("worst")) {
    results.push_back(box.under("loss 20 %", {.lost = 200}, ms));
    results.push_back(box.under("delay 100 ms", {.delay = 100ms}, ms));
  }
  results.push_back(box.shortCut());
  for (int i = 0; i < line.at("cuts").get<int>(); ++i) {
    results.push_back(box.cut("cut", {.cut_there = true, .cut_back = true}));
    results.push_back(box.cut("cut one way", {.cut_back = true}));
    results.push_back(box.cut("cut the other way", {.cut_there = true}));
  }
  caller.finish();
  service.party.finish();
  control.send({{"results", results}});
  (void)control.receive(kPatience);
  return 0;
}

}  // namespace ucxx::faults
