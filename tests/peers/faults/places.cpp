// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "peers/faults/row.h"
#include "peers/faults/survives.h"

namespace ucxx::faults {
namespace {

struct Place {
  const char* name;
  const char* mount;
};

constexpr Place kPlaces[] = {
    {"full", "mount -t tmpfs -o size=8k tmpfs /dev/shm && head -c 8192 /dev/zero >/dev/shm/x"},
    {"read-only", "mount -t tmpfs -o ro tmpfs /dev/shm"},
    {"64 KiB", "mount -t tmpfs -o size=64k tmpfs /dev/shm"},
    {"64 MiB", "mount -t tmpfs -o size=64m tmpfs /dev/shm"},
};

/// A mount namespace of its own, in which this is done before.
std::vector<std::string> prefixOf(const Place& place) {
  return {"/usr/bin/unshare", ::geteuid() == 0 ? "-m" : "-Urm", "/bin/sh", "-c",
          fmt::format("{} && export TMPDIR=/dev/shm && exec \"$0\" \"$@\"", place.mount)};
}

bool isPermitted(const Place& place) {
  return std::system(fmt::format("/usr/bin/unshare {} /bin/sh -c '{}' 2>/dev/null",
                                 ::geteuid() == 0 ? "-m" : "-Urm", place.mount)
                         .c_str()) == 0;
}

Stay stayWith(int ms, const Environment& environment, const Place& place) {
  Service service(environment, "127.0.0.1", prefixOf(place));
  Party caller("friend", environment, prefixOf(place));
  (void)caller.hear(kPatience);
  const Stay stay = stayTogether(caller, service.port, ms);
  caller.finish();  // SIGBUS would be told here
  service.party.finish();
  return stay;
}

}  // namespace

Outcome runPlaces(const Scale& scale) {
  if (!isPermitted(kPlaces[0])) return notRun("this machine makes no mount namespaces");
  bool is_ok = true;
  std::string text;
  nlohmann::json figures;
  for (const Place& place : kPlaces) {
    for (const auto& [channel, environment] :
         {std::pair("local", kLocal), std::pair("UCX, TCP", kTcp)}) {
      const Stay stay = stayWith(scale.quick ? 300 : 5000, environment, place);
      is_ok = is_ok && stay.why.empty();
      const auto name = fmt::format("{}, {}", place.name, channel);
      text += (text.empty() ? "" : "\n            ") + name + ": " + stay.text();
      figures[name] = stay.exchanges;
    }
  }
  return judged(is_ok, text, figures);
}

}  // namespace ucxx::faults
