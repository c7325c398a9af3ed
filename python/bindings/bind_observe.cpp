// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What happens in the process: log lines, dumps, counters, a trace.

#include <new>

#include <pthread.h>

#include <ucxx/stats.h>

#include "bind.h"
#include "dump_signal.h"
#include "log_lines.h"
#include "observe.h"
#include "trace.h"
#include "without_gil.h"
#include "workers.h"

namespace ucxx::python {
namespace {

nb::dict toPython(const OperationReport& report);
nb::dict toPython(const PreparedReport& report);
nb::dict toPython(const EndpointReport& report);
nb::dict toPython(const PeerReport& report);

template <class Report>
nb::list listOf(const std::vector<Report>& reports) {
  nb::list result;
  for (const Report& report : reports) result.append(toPython(report));
  return result;
}

nb::dict toPython(const OperationReport& report) {
  nb::dict result;
  result["kind"] = text(report.kind);
  result["endpoint"] = report.endpoint;
  result["length"] = report.length;
  result["tag"] = report.tag;
  result["state"] = text(report.state);
  result["since_s"] = report.since_s;
  result["took_s"] = report.took_s;
  result["condition"] = text(report.condition);
  return result;
}

nb::dict toPython(const PreparedReport& report) {
  nb::dict result;
  result["kind"] = text(report.kind);
  result["length"] = report.length;
  result["partitions"] = report.partitions;
  result["tag"] = report.tag;
  result["iteration"] = report.iteration;
  result["state"] = text(report.state);
  result["has_peer"] = report.has_peer;
  result["ready"] = report.ready;
  result["moved"] = report.moved;
  return result;
}

nb::dict toPython(const EndpointReport& report) {
  nb::dict result;
  result["endpoint"] = report.endpoint;
  result["state"] = text(report.state);
  result["error"] = text(report.error);
  result["pending"] = listOf(report.pending);
  result["prepared"] = listOf(report.prepared);
  result["unmatched_prepared_sends"] = report.unmatched_prepared_sends;
  return result;
}

void addCounters(nb::dict& to, const PeerCounters& counters) {
  to["messages_sent"] = counters.messages_sent;
  to["messages_received"] = counters.messages_received;
  to["bytes_sent"] = counters.bytes_sent;
  to["bytes_received"] = counters.bytes_received;
}

nb::dict toPython(const PeerReport& report) {
  nb::dict result;
  result["worker"] = text(report.worker);
  result["address"] = text(report.address);
  result["channel"] = text(report.channel);
  result["state"] = text(report.state);
  result["error"] = text(report.error);
  addCounters(result, report.counters);
  result["endpoints"] = listOf(report.endpoints);
  return result;
}

nb::dict toPython(const WorkerReport& report) {
  nb::dict result;
  result["worker"] = text(report.worker);
  result["peers"] = listOf(report.peers);
  result["ended"] = listOf(report.ended);
  result["pending"] = listOf(report.pending);
  result["recent"] = listOf(report.recent);
  return result;
}

WorkerReport askFor(const WorkerState& state) {
  const WithoutGil released;
  return state.worker->report();
}

nb::list peersOf(const WorkerState& state) {
  nb::list peers;
  for (const PeerReport& report : askFor(state).peers) {
    nb::dict peer;
    peer["worker"] = text(report.worker);
    peer["address"] = text(report.address);
    peer["channel"] = text(report.channel);
    addCounters(peer, report.counters);
    peers.append(std::move(peer));
  }
  return peers;
}

template <class Ask>
nb::str textOf(Ask ask) {
  std::string said;
  {
    const WithoutGil released;
    said = ask();
  }
  return text(said);
}

nb::list reportsOfAll() {
  std::vector<Workers::Answer> answers;
  {
    const WithoutGil released;
    answers = Workers::get().reports();
  }
  nb::list result;
  for (const auto& [report, error] : answers) {
    nb::dict one = toPython(report);
    one["error"] = text(error);
    result.append(std::move(one));
  }
  return result;
}

/// In a forked child: it has neither the workers nor the threads of its parent.
void forgetInChild() {
  LogLines::get().forgetInChild();
  Workers::get().forgetInChild();
  forgetDumpsInChild();
  Trace::is_on = false;
}

}  // namespace

nb::dict statsOf(const WorkerState& state) {
  const WorkerStats stats = state.worker->stats();
  nb::dict result;
  result["messages_sent"] = stats.messages_sent;
  result["messages_received"] = stats.messages_received;
  result["bytes_sent"] = stats.bytes_sent;
  result["bytes_received"] = stats.bytes_received;
  result["inline_completions"] = stats.inline_completions;
  result["unexpected_messages"] = stats.unexpected_messages;
  result["queued_posts"] = stats.queued_posts;
  result["queue_depth"] = stats.queue_depth;
  result["wake_ups"] = stats.wake_ups;
  result["pending_requests"] = stats.pending_requests;
  result["armed_requests"] = stats.armed_requests;
  result["stalled_requests"] = stats.stalled_requests;
  result["reordered_messages"] = stats.reordered_messages;
  result["dropped_messages"] = stats.dropped_messages;
  result["fetched_ahead"] = stats.fetched_ahead;
  result["prepared_transfers"] = stats.prepared_transfers;
  return result;
}

nb::dict reportOf(const WorkerState& state) { return toPython(askFor(state)); }

void bindObserve(nb::module_& module) {
  bindLog(module);
  bindTrace(module);
  module.def("_describe_all", [] { return textOf([] { return Workers::get().describe(); }); });
  module.def("_dump_all", [] { return textOf([] { return Workers::get().dump(); }); });
  module.def("_report_all", &reportsOfAll, nb::sig("def _report_all() -> list[dict[str, Any]]"));
  module.def("_peers_of", &peersOf, "worker"_a,
             nb::sig("def _peers_of(worker: _Worker) -> list[dict[str, Any]]"));
  module.def("_dump_on_signal", &dumpOnSignal, "signal"_a, "descriptor"_a);
  module.def("_end_dumps", &endDumps);
  (void)LogLines::get();  // before the first fork
  if (::pthread_atfork(nullptr, nullptr, forgetInChild) != 0) throw std::bad_alloc();
}

}  // namespace ucxx::python
