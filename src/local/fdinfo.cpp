// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/fdinfo.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "base/system_error.h"

namespace ucxx::local {
namespace {

base::FileDescriptor openInfo(int descriptor) {
  const std::string path = "/proc/self/fdinfo/" + std::to_string(descriptor);
  const base::ForkBarrier barrier;
  base::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) base::throwErrno(errno, "open " + path);
  return file;
}

std::string readInfo(int descriptor) {
  const base::FileDescriptor file = openInfo(descriptor);
  char text[1024];  // what is asked for here stands in the first 200
  ssize_t got = 0;
  do {
    got = ::read(file.get(), text, sizeof text);
  } while (got < 0 && errno == EINTR);
  if (got < 0) base::throwErrno(errno, "read /proc/self/fdinfo");
  return {text, static_cast<std::size_t>(got)};
}

}  // namespace

std::optional<std::string> fdinfo(int descriptor, std::string_view key) {
  const std::string text = "\n" + readInfo(descriptor);
  const std::string wanted = "\n" + std::string(key) + ":";
  const auto found = text.find(wanted);
  if (found == std::string::npos) return std::nullopt;
  const auto begin = text.find_first_not_of(" \t", found + wanted.size());
  if (begin == std::string::npos) return std::string();
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace ucxx::local
