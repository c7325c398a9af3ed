// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/library.h"

#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <set>
#include <string_view>

#include <dlfcn.h>
#include <fmt/format.h>
#include <ucp/api/ucp.h>
#include <ucs/config/global_opts.h>
#include <ucs/debug/debug.h>
#include <ucs/debug/log_def.h>

#include <ucxx/exception.h>

#include "base/cuda_driver.h"
#include "base/file_descriptor.h"
#include "base/log.h"
#include "base/status.h"
#include "ucp/complaints.h"

namespace ucxx::ucp {
namespace {

LogLevel levelOf(ucs_log_level_t level) {
  if (level <= UCS_LOG_LEVEL_ERROR) return LogLevel::Error;
  if (level <= UCS_LOG_LEVEL_WARN) return LogLevel::Warn;
  if (level <= UCS_LOG_LEVEL_INFO) return LogLevel::Info;
  return level <= UCS_LOG_LEVEL_DEBUG ? LogLevel::Debug : LogLevel::Trace;
}

/// A peer that has gone refuses what UCX still begins to connect: nothing new, the door tells of
/// its end.
bool isOfAPeerThatHasGone(std::string_view line) {
  return (line.starts_with("connect(") && line.ends_with("Connection refused")) ||
         (line.starts_with("tcp_ep ") && line.ends_with(" was unsuccessful"));
}

ucs_log_func_rc_t forwardLine(const char*, unsigned, const char*, ucs_log_level_t level,
                              const ucs_log_component_config_t*, const char* message,
                              va_list arguments) {
  const bool is_awaited = levelOf(level) <= LogLevel::Warn && Complaints::isListening();
  if (!is_awaited && !base::logs(levelOf(level))) return UCS_LOG_FUNC_RC_STOP;
  char line[1024];
  std::vsnprintf(line, sizeof line, message, arguments);
  if (is_awaited) Complaints::hear(line);
  const LogLevel ours = isOfAPeerThatHasGone(line) ? LogLevel::Debug : levelOf(level);
  if (base::logs(ours)) base::logText(ours, "ucx", line);
  return UCS_LOG_FUNC_RC_STOP;
}

/// Every file that is mapped as `soname`: two mean that two UCX live in this process.
std::set<std::string> mappedFiles(const std::string& soname) {
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos) continue;
    const std::string file = line.substr(path);
    if (file.find("/" + soname) != std::string::npos) files.insert(file);
  }
  return files;
}

void refuseMixture() {
  for (const char* soname : {"libucp.so", "libuct.so", "libucs.so"}) {
    const std::set<std::string> files = mappedFiles(soname);
    if (files.size() < 2) continue;
    throw UnsupportedError(fmt::format(
        "two UCX libraries are loaded into this process, which UCX does not survive: {}. Choose "
        "one "
        "by UCXX_UCX=wheel|system|/prefix at build time, or load UCXX before the other library",
        fmt::join(files, ", ")));
  }
}

/// Loading libucs takes SIGHUP for its debugger (openucx/ucx#10742); loading us gives it back.
/// (Not every build does: then the handler is somebody else's, and UCX would only complain.)
[[gnu::constructor]] void giveBackHangUp() {
  struct sigaction action {};
  Dl_info owner{};
  sigaction(SIGHUP, nullptr, &action);
  const bool is_ucx = dladdr(reinterpret_cast<void*>(action.sa_handler), &owner) != 0 &&
                      owner.dli_fname != nullptr &&
                      std::string_view(owner.dli_fname).find("libucs") != std::string_view::npos;
  if (is_ucx) ucs_debug_disable_signal(SIGHUP);
}

void keepSignals() { ucs_global_opts_set_value("ERROR_SIGNALS", ""); }

}  // namespace

void initialiseLibrary() {
  static std::once_flag once;
  std::call_once(once, [] {
    refuseMixture();
    keepSignals();
    ucs_log_push_handler(forwardLine);
  });
}

LibraryInfo libraryInfo() {
  Dl_info where{};
  dladdr(reinterpret_cast<void*>(&ucp_get_version_string), &where);
  return {ucp_get_version_string(), where.dli_fname == nullptr ? "?" : where.dli_fname};
}

unsigned libraryVersion() {
  unsigned major = 0, minor = 0, release = 0;
  ucp_get_version(&major, &minor, &release);
  return major << 16 | minor << 8 | release;
}

void requireDescriptors(const std::string& what, std::size_t more) {
  const std::size_t needed = 24 + more;  // a context or a worker over TCP needs about 12
  // To try it by opening them would starve UCX's own thread, which then closes the socket it
  // listens on (uct_tcp_iface_connect_handler) and is deaf for ever.
  const std::size_t free = base::freeDescriptors(needed);
  if (free < needed)
    throw NoResourceError(
        fmt::format("{}: it needs {} descriptors, the process may open {} more "
                    "(RLIMIT_NOFILE)",
                    what, needed, free));
}

bool flushes() {
  static const bool result = libraryVersion() >= (1u << 16 | 14u << 8);
  return result;
}

ucs_thread_mode_t mostThreads() {
  ucp_lib_attr_t attributes{};
  attributes.field_mask = UCP_LIB_ATTR_FIELD_MAX_THREAD_LEVEL;
  if (ucp_lib_query(&attributes) != UCS_OK) return UCS_THREAD_MODE_SINGLE;
  return attributes.max_thread_level;
}

bool mayHaveCuda() {
  // UCX's CUDA module needs it; where it is, UCX would load it, too.
  return base::cuda::presence() != base::cuda::Presence::None;
}

const char* statusText(ucs_status_t status) { return ucs_status_string(status); }

void check(ucs_status_t status, const std::string& what) {
  if (status != UCS_OK) base::throwStatus(status, fmt::format("{}: {}", what, statusText(status)));
}

}  // namespace ucxx::ucp
