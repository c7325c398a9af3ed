// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Device memory of one process in another, by the driver's own handles.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/groups.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace gpu {
namespace {

constexpr std::size_t kShared = std::size_t{4} << 20;
constexpr std::uint64_t kOurs = 0x1234, kTheirs = 0x5678;

std::string hexOf(const IpcHandle& handle) {
  std::string text;
  for (const char byte : handle.bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(byte));
    text += digits;
  }
  return text;
}

IpcHandle handleOf(const std::string& text) {
  IpcHandle handle{};
  for (std::size_t index = 0; index < sizeof handle.bytes && 2 * index + 1 < text.size(); ++index)
    handle.bytes[index] = static_cast<char>(std::stoi(text.substr(2 * index, 2), nullptr, 16));
  return handle;
}

/// Runs this program once more; returns its exit status.
int runPeer(const std::string& word) {
  std::string program(4096, '\0');
  program.resize(static_cast<std::size_t>(
      std::max<ssize_t>(0, ::readlink("/proc/self/exe", program.data(), program.size()))));
  std::string role = "ipc_peer", last = word;
  char* arguments[]{program.data(), role.data(), last.data(), nullptr};
  pid_t peer = 0;
  int status = 0;
  if (::posix_spawn(&peer, program.c_str(), nullptr, nullptr, arguments, environ) != 0) return -1;
  ::waitpid(peer, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void answerIpc(const char* word) {
  useDevice();
  Address opened = 0;
  std::uint64_t value = 0;
  const IpcHandle handle = handleOf(word);
  Result result = kSuccess;
  const double first = timed([&] { result = driver().ipcOpen(&opened, handle, 1); });
  must("peer: cuIpcOpenMemHandle", result);
  fact("peer: cuIpcOpenMemHandle", first, "us");
  must("peer: cuMemcpyDtoH", driver().copyOut(&value, opened, 8));
  expect("peer: what it reads", value == kOurs, "it is not what we wrote");
  value = kTheirs;
  must("peer: cuMemcpyHtoD", driver().copyIn(opened, &value, 8));
  check("peer: cuCtxSynchronize", driver().synchronize());
  fact("peer: cuIpcCloseMemHandle", timed([&] { result = driver().ipcClose(opened); }), "us");
  check("peer: cuIpcCloseMemHandle", result);
}

void tellIpc() {
  useDevice();
  Address device = 0, opened = 0, pooled = 0;
  std::uint64_t value = kOurs;
  IpcHandle handle{}, of_pool{};
  must("cuMemAlloc", driver().allocate(&device, kShared));
  must("cuMemcpyHtoD", driver().copyIn(device, &value, 8));
  must("cuCtxSynchronize", driver().synchronize());
  must("cuIpcGetMemHandle", driver().ipcHandle(&handle, device));
  answer("cuIpcOpenMemHandle in the same process", driver().ipcOpen(&opened, handle, 1));
  expect("the peer", runPeer(hexOf(handle)) == 0, "it failed");
  must("cuMemcpyDtoH", driver().copyOut(&value, device, 8));
  expect("what the peer wrote", value == kTheirs, "it is not there");
  if (check("cuMemAllocAsync", driver().allocateAsync(&pooled, kShared, nullptr)) &&
      check("cuCtxSynchronize", driver().synchronize()))
    answer("cuIpcGetMemHandle of a stream-ordered pool", driver().ipcHandle(&of_pool, pooled));
}

}  // namespace gpu
