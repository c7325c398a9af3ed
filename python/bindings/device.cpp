// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "device.h"

#include <algorithm>
#include <chrono>
#include <string>

#include <ucxx/exception.h>
#include <ucxx/worker.h>

#include "without_gil.h"
#include "word.h"

namespace ucxx::python {
namespace {

using Clock = std::chrono::steady_clock;

/// Its answer: an int from 0 to 2**64 - 1.
std::uint64_t ask(const char* function, nb::handle given) {
  const nb::object number = nb::module_::import_("ucxx._streams").attr(function)(given);
  return wordOf(number, "a handle");
}

/// With the GIL. Those that have ended are dropped when it has doubled.
std::vector<std::weak_ptr<Request>>& noted() {
  static auto* const all = new std::vector<std::weak_ptr<Request>>;
  return *all;
}

bool hasEnded(const std::weak_ptr<Request>& one) {
  const std::shared_ptr<Request> request = one.lock();
  return request == nullptr || request->isCompleted();
}

/// Nothing comes of it in a forked child, or without memory to ask with.
void cancelAll(const std::vector<std::shared_ptr<Request>>& requests,
               Clock::time_point deadline) noexcept {
  try {
    for (const auto& request : requests) request->cancel();
    for (const auto& request : requests)
      if (const auto left = deadline - Clock::now(); left > left.zero()) (void)request->wait(left);
  } catch (...) {
  }
}

}  // namespace

/// An int that may be a stream's needs nobody to be asked.
CUstream_st* streamOf(nb::handle stream) {
  constexpr std::uint64_t kLegacy = 1;
  if (PyLong_CheckExact(stream.ptr()) != 0) {
    const std::uint64_t word = wordOf(stream, "a stream");
    if (word > kLegacy) return reinterpret_cast<CUstream_st*>(word);
  }
  return reinterpret_cast<CUstream_st*>(ask("handle_of_stream", stream));
}

CUgraph_st* graphOf(nb::handle graph) {
  return reinterpret_cast<CUgraph_st*>(ask("handle_of_graph", graph));
}

std::vector<CUgraphNode_st*> nodesOf(nb::handle nodes) {
  std::vector<CUgraphNode_st*> all;
  for (const nb::handle node : nb::iter(nodes))
    all.push_back(reinterpret_cast<CUgraphNode_st*>(ask("handle_of_node", node)));
  return all;
}

void requireThread(const Worker& worker, const char* what) {
  if (worker.isProgressThreadRunning()) return;
  throw InvalidParamError(
      std::string(what) +
      " needs a worker with a progress thread: nothing else would move it while the caller waits "
      "for the device; use ucxx.init(progress_mode=\"thread\") or \"thread-polling\", or call "
      "UCXWorker.start_progress_thread()");
}

void noteDeviceWaits(const std::shared_ptr<Request>& request) {
  constexpr std::size_t kFew = 64;
  static std::size_t next_look = kFew;
  if (request == nullptr || request->isCompleted()) return;
  auto& all = noted();
  if (all.size() >= next_look) {
    all.erase(std::remove_if(all.begin(), all.end(), hasEnded), all.end());
    next_look = std::max(kFew, 2 * all.size());
  }
  all.push_back(request);
}

void endDeviceWaits() {
  constexpr auto kPatience = std::chrono::milliseconds(500);
  std::vector<std::shared_ptr<Request>> pending;
  for (const auto& one : noted())
    if (auto request = one.lock(); request != nullptr && !request->isCompleted())
      pending.push_back(std::move(request));
  noted().clear();
  if (pending.empty()) return;
  const WithoutGil released;
  cancelAll(pending, Clock::now() + kPatience);
}

}  // namespace ucxx::python
