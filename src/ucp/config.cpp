// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <climits>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include <ucxx/config.h>

#include "ucp/complaints.h"
#include "ucp/context.h"
#include "ucp/library.h"

namespace ucxx {

namespace {

ConfigMap settings(const ucp_config_t* config) {
  const std::string text = ucp::captured([config](std::FILE* stream) {
    ucp_config_print(config, stream, nullptr, UCS_CONFIG_PRINT_CONFIG);
  });
  ConfigMap result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    if (line.rfind("UCX_", 0) != 0 || equals == std::string::npos) continue;
    result[line.substr(4, equals - 4)] = line.substr(equals + 1);
  }
  return result;
}

/// What we choose where nobody else has, for UCX before a version.
struct Preference {
  const char* key;
  const char* by_ucx;
  const char* ours;
  unsigned before = UINT_MAX;
};
constexpr Preference kPreferences[] = {
    // At the first endpoint of a worker UCX weighs each protocol for each kind of message, which
    // takes milliseconds over TCP; our messages never ask for a way to reply.
    {"PROTOS", "all", "^am/egr/*/reply"},
    // UCX 1.13 asserts when a peer goes while TCP sends straight from a program's memory.
    {"ZCOPY_THRESH", "auto", "inf", 1 << 16 | 14 << 8},
};

/// The same of a transport. UCX does not tell its settings: what stands in the environment stays.
struct TransportPreference {
  const char* variable;  // UCX_ and the key
  const char* ours;
};
constexpr TransportPreference kTransportPreferences[] = {
    // A connect that blocks stops all that its worker does, for minutes if the host is off. And
    // when the peer is killed meanwhile, UCX 1.22 frees an endpoint that is in use (assertion).
    {"UCX_TCP_CONN_NB", "y"},
};

void prefer(ucp_config_t* config) {
  const ConfigMap chosen = settings(config);
  for (const auto& [key, by_ucx, ours, before] : kPreferences) {
    const auto found = chosen.find(key);
    if (found != chosen.end() && found->second == by_ucx && ucp::libraryVersion() < before)
      ucp_config_modify(config, key, ours);
  }
  for (const auto& [variable, ours] : kTransportPreferences) {
    if (std::getenv(variable) != nullptr) continue;  // NOLINT(concurrency-mt-unsafe)
    ucp_config_modify(config, variable + std::string_view("UCX_").size(), ours);
  }
}

}  // namespace

Config::Config(ConfigMap user_options) : user_options_(std::move(user_options)) {
  ucp::initialiseLibrary();
  const ucp::Complaints complaints;
  complaints.check(ucp_config_read(nullptr, nullptr, &handle_), "read the UCX settings");
  prefer(handle_);
  for (const auto& [key, value] : user_options_) {
    ucs_status_t status = ucp_config_modify(handle_, key.c_str(), value.c_str());
    if (status == UCS_OK) continue;
    // UCX says INVALID_PARAM for both a bad value and a key that nobody knows.
    if (settings(handle_).count(key) == 0) status = UCS_ERR_NO_ELEM;
    ucp_config_release(handle_);
    complaints.check(status, fmt::format("set the UCX option {} to \"{}\"", key, value));
  }
}

Config::~Config() { ucp_config_release(handle_); }

ConfigMap Config::get() const {
  ConfigMap result = settings(handle_);
  // UCX prints some values in another form than it was given.
  for (const auto& [key, value] : user_options_) result[key] = value;
  return result;
}

}  // namespace ucxx
