// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "trace.h"

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ucxx/endpoint.h>

#include "bind.h"
#include "core/request/handles.h"

namespace ucxx::python {
namespace {

/// A million: about 100 MB. What comes behind is counted.
constexpr std::size_t kMost = 1'000'000;
constexpr std::int64_t kNever = -1;

struct Span {
  PyObject* track;  // a str: of the task or thread that posted it
  std::string what;
  std::size_t bytes;
  std::uint64_t endpoint;  // its number in descriptions; 0: of none
  std::int64_t begin_ns;
  std::int64_t end_ns = kNever;
  int status = UCS_INPROGRESS;
};

struct Spans {
  nb::object name;  // of the trace
  std::vector<Span> all;
  std::unordered_map<const RequestObject*, std::size_t> open;
  std::uint64_t lost = 0;
};
Spans& spans() {
  static auto* const instance = new Spans;
  return *instance;
}

std::int64_t posted_at_ns = kNever;  // of the call that is going on
PyObject* track_of = nullptr;        // ucxx._process.trace._track

std::int64_t now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::uint64_t endpointOf(const Request& request) {
  const auto endpoint = std::dynamic_pointer_cast<Endpoint>(request.getParent());
  return endpoint == nullptr ? 0 : core::idOf(endpoint->getHandle());
}

void add(const RequestObject& object) {
  Spans& to = spans();
  to.open.erase(&object);  // of one that was dropped, at the same address
  if (to.all.size() == kMost) {
    ++to.lost;
    return;
  }
  const std::int64_t begin = posted_at_ns != kNever ? std::exchange(posted_at_ns, kNever) : now();
  PyObject* const track = PyObject_CallNoArgs(track_of);
  if (track == nullptr) throw nb::python_error();
  if (!Trace::is_on) return Py_DECREF(track);  // ended by another thread meanwhile
  to.all.push_back(
      {track, object.request->describe(), object.view.size(), endpointOf(*object.request), begin});
  to.open[&object] = to.all.size() - 1;
}

nb::object toPython(const Span& span) {
  return nb::make_tuple(nb::borrow(span.track), nb::str(span.what.c_str()), span.bytes,
                        span.endpoint, span.begin_ns, span.end_ns, span.status);
}

/// What was noted, and how many more there were; forgets it. None: another trace goes on, or none.
nb::object end(nb::handle name) {
  if (!spans().name.is_valid() || !spans().name.equal(name)) return nb::none();
  Trace::is_on = false;
  const Spans taken = std::exchange(spans(), {});
  nb::list result;
  for (const Span& span : taken.all) {
    result.append(toPython(span));
    Py_DECREF(span.track);
  }
  return nb::make_tuple(result, taken.lost);
}

}  // namespace

void Trace::notePost() noexcept { posted_at_ns = now(); }

void Trace::noteBegin(const RequestObject& request) noexcept {
  PyObject* const done = guarded([&] {
    add(request);
    return Py_None;
  });
  if (done == nullptr) discardError(track_of);
}

void Trace::noteEnd(const RequestObject& request) noexcept {
  Spans& from = spans();
  const auto found = from.open.find(&request);
  if (found == from.open.end()) return;
  Span& span = from.all[found->second];
  span.end_ns = now();
  span.status = request.request->getStatus();
  const std::size_t received = request.request->getReceivedLength();
  if (request.receives || received != 0) span.bytes = received;
  from.open.erase(found);
}

void bindTrace(nb::module_& module) {
  module.def(
      "_begin_trace",
      [](nb::object function, nb::object name) {
        if (Trace::is_on)
          throw std::runtime_error("a trace goes on already: there is one at a time");
        track_of = function.release().ptr();
        spans().name = std::move(name);
        Trace::is_on = true;
      },
      "track_of"_a, "name"_a,
      nb::sig("def _begin_trace(track_of: Callable[[], str], name: object) -> None"));
  module.def("_end_trace", &end, "name"_a,
             nb::sig("def _end_trace(name: object) -> "
                     "tuple[list[tuple[str, str, int, int, int, int, int]], int] | None"));
  module.def("_status_text",
             [](int status) { return ucs_status_string(static_cast<ucs_status_t>(status)); });
}

}  // namespace ucxx::python
