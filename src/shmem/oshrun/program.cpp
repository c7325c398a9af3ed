// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/program.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shmem/oshrun/refusal.h"
#include "shmem/oshrun/shown.h"

namespace ucxx::shmem::oshrun {
namespace {

constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin";

/// 0, or an error number.
int whyNotExecutable(const std::string& path) {
  struct stat state {};
  if (::stat(path.c_str(), &state) != 0) return errno;
  if (S_ISDIR(state.st_mode)) return EISDIR;
  return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

bool isMissing(int error) { return error == ENOENT || error == ENOTDIR; }

[[noreturn]] void refuseProgram(const std::string& name, const std::string& path, int error) {
  if (isMissing(error))
    throw Refusal(kNotFound, fmt::format("{}: program not found{}", shown(name),
                                         path.empty() ? " in the folders of PATH" : ""));
  throw Refusal(kNotExecutable, fmt::format("{}: not executable: {}", shown(path),
                                            std::generic_category().message(error)));
}

std::string inFolder(std::string_view folder, const std::string& name) {
  return folder.empty() ? "./" + name : std::string(folder) + '/' + name;
}

/// A relative path is one from the folder of the PEs, or else from that of oshrun.
std::string fromFolder(const std::string& path, const Options& options) {
  if (options.folder.empty() || path.starts_with('/')) return path;
  std::string there = inFolder(options.folder, path);
  return whyNotExecutable(there) == 0 ? there : path;
}

/// The one that the PEs get.
std::string_view pathOf(const Options& options) {
  constexpr std::string_view kPath = "PATH=";
  for (const std::string& variable : options.variables) {
    if (variable.starts_with(kPath)) return std::string_view(variable).substr(kPath.size());
  }
  const char* set = std::getenv("PATH");
  return set != nullptr ? set : kUsualPath;
}

std::string findInPath(const std::string& name, const Options& options) {
  std::string_view rest = pathOf(options);
  std::string refused;
  for (bool more = true; more;) {
    const std::size_t colon = rest.find(':');
    std::string path = fromFolder(inFolder(rest.substr(0, colon), name), options);
    const int error = whyNotExecutable(path);
    if (error == 0) return path;
    if (error == EACCES && refused.empty()) refused = path;
    more = colon != rest.npos;
    if (more) rest.remove_prefix(colon + 1);
  }
  refuseProgram(name, refused, refused.empty() ? ENOENT : EACCES);
}

std::string findByPath(const std::string& name, const Options& options) {
  std::string path = fromFolder(name, options);
  if (const int error = whyNotExecutable(path); error != 0) refuseProgram(path, path, error);
  return path;
}

}  // namespace

std::string findProgram(const Options& options) {
  const std::string& name = options.command.front();
  const std::string path =
      name.find('/') == name.npos ? findInPath(name, options) : findByPath(name, options);
  return options.folder.empty() ? path : std::filesystem::absolute(path).string();
}

}  // namespace ucxx::shmem::oshrun
