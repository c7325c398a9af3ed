// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "device.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <string>
#include <utility>

#include <ucxx/exception.h>
#include <ucxx/prepared.h>
#include <ucxx/worker.h>

#include "without_gil.h"
#include "word.h"

namespace ucxx::python {
namespace {

using Clock = std::chrono::steady_clock;

/// Its answer: an int from 0 to 2**64 - 1.
std::uint64_t ask(const char* function, nb::handle given) {
  const nb::object number = nb::module_::import_("ucxx._arguments.streams").attr(function)(given);
  return wordOf(number, "a handle");
}

/// Of either kind. With the GIL; those that have ended are dropped when it has doubled.
template <class Pending>
class Noted {
 public:
  static Noted& get() {
    static auto* const only = new Noted;
    return *only;
  }
  /// Without memory the end of the interpreter does not know of it.
  void add(const std::shared_ptr<Pending>& one) noexcept try {
    if (all_.size() >= next_look_) {
      all_.erase(
          std::remove_if(all_.begin(), all_.end(), [](const auto& x) { return x.expired(); }),
          all_.end());
      next_look_ = std::max(kFew, 2 * all_.size());
    }
    all_.push_back(one);
  } catch (const std::bad_alloc&) {
  }
  std::vector<std::shared_ptr<Pending>> take() {
    std::vector<std::shared_ptr<Pending>> alive;
    for (const auto& one : std::exchange(all_, {}))
      if (auto held = one.lock()) alive.push_back(std::move(held));
    return alive;
  }

 private:
  static constexpr std::size_t kFew = 64;
  std::vector<std::weak_ptr<Pending>> all_;
  std::size_t next_look_ = kFew;
};

std::shared_ptr<Request> askToEnd(const std::shared_ptr<Request>& request) {
  request->cancel();
  return request;
}
/// A start of it may be posted, and not have begun: whether it is in progress does not matter.
std::shared_ptr<Request> askToEnd(const std::shared_ptr<Prepared>& plan) { return plan->close(); }

/// Nothing comes of it in a forked child, or without memory to ask with.
template <class Pending>
void endAll(const std::vector<std::shared_ptr<Pending>>& all, Clock::time_point deadline) noexcept {
  try {
    std::vector<std::shared_ptr<Request>> ending;
    for (const auto& one : all) ending.push_back(askToEnd(one));
    for (const auto& one : ending)
      if (const auto left = deadline - Clock::now(); one != nullptr && left > left.zero())
        (void)one->wait(left);
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

void noteDeviceWaits(const std::shared_ptr<Request>& request) noexcept {
  if (!request->isCompleted()) Noted<Request>::get().add(request);
}

void noteDeviceWaits(const std::shared_ptr<Prepared>& plan) noexcept {
  Noted<Prepared>::get().add(plan);
}

void endDeviceWaits() {
  constexpr auto kPatience = std::chrono::milliseconds(500);
  const auto requests = Noted<Request>::get().take();
  const auto plans = Noted<Prepared>::get().take();
  if (requests.empty() && plans.empty()) return;
  const WithoutGil released;
  const auto deadline = Clock::now() + kPatience;
  endAll(plans, deadline);
  endAll(requests, deadline);
}

}  // namespace ucxx::python
