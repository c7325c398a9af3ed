// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/peer_info.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tools/dump_signal.h"
#include "tools/perftest/sizes.h"

namespace ucxx::tools {
namespace {

using Clock = std::chrono::steady_clock;

/// One for each way that a message may take, on each channel.
constexpr std::size_t kSizes[] = {8, 1 << 10, 16 << 10, 64 << 10, 1 << 20, 64 << 20};

std::string nameOf(const HostPort& peer) {
  const bool has_colon = peer.host.find(':') != peer.host.npos;
  return fmt::format("{}{}{}:{}", has_colon ? "[" : "", peer.host, has_colon ? "]" : "",
                     *peer.port);
}

[[noreturn]] void throwNotMet(const HostPort& peer, ucs_status_t status, const char* said,
                              std::chrono::milliseconds limit) {
  const std::string name = nameOf(peer);
  switch (status) {
    case UCS_ERR_TIMED_OUT:
      throw NotMet(fmt::format("{} did not answer within {} ms ({})", name, limit.count(), said),
                   ExitCode::TimedOut);
    case UCS_ERR_CONNECTION_RESET:
    case UCS_ERR_INVALID_ADDR:
      throw NotMet(
          fmt::format("whoever listens at {} does not speak UCXX's protocol ({})", name, said),
          ExitCode::NoUcxx);
    case UCS_ERR_UNREACHABLE:
      throw NotMet(fmt::format("nobody listens at {}, or there is no route to it ({})", name, said),
                   ExitCode::NobodyListens);
    default:
      throw NotMet(fmt::format("cannot meet {}: {}", name, said), ExitCode::Failed);
  }
}

/// Until the two have met.
void await(Worker& worker, const Endpoint& endpoint, const HostPort& peer,
           std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  DumpsOf dumps;
  while (endpoint.getPeerAddress().empty() && endpoint.isAlive()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) throwNotMet(peer, UCS_ERR_TIMED_OUT, "no answer", limit);
    worker.progressWorkerEvent(static_cast<int>(left.count()));
    dumps.look(worker);
  }
  try {
    endpoint.raiseOnError();
  } catch (const Error& error) {
    throwNotMet(peer, error.status(), error.what(), limit);
  }
}

nlohmann::json rowOf(const Endpoint& endpoint, std::size_t size, ucs_memory_type_t memory_type) {
  const Explanation said = endpoint.explain(size, memory_type);
  return {{"size", size},
          {"memory", memory_type == UCS_MEMORY_TYPE_HOST ? "host" : "cuda"},
          {"channel", said.channel},
          {"way", said.way},
          {"transports", said.transports},
          {"remarks", said.remarks}};
}

}  // namespace

nlohmann::json peerInfo(const std::shared_ptr<Context>& context, const HostPort& peer,
                        std::chrono::milliseconds limit) {
  WorkerOptions options;
  options.connect_timeout = limit;
  const auto worker = context->createWorker(options);
  worker->initBlockingProgressMode();
  const auto begin = Clock::now();
  const auto endpoint = worker->createEndpointFromHostname(peer.host, *peer.port);
  await(*worker, *endpoint, peer, limit);
  const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
  nlohmann::json info{{"peer", nameOf(peer)},
                      {"address", endpoint->getPeerAddress()},
                      {"meeting_ms", took.count()},
                      {"ways", nlohmann::json::array()},
                      {"described", worker->describe()}};
  for (const std::size_t size : kSizes)
    info["ways"].push_back(rowOf(*endpoint, size, UCS_MEMORY_TYPE_HOST));
  if (context->hasCudaSupport())
    info["ways"].push_back(rowOf(*endpoint, kSizes[4], UCS_MEMORY_TYPE_CUDA));
  endpoint->closeBlocking();
  return info;
}

void printPeer(const nlohmann::json& info) {
  fmt::print("{:<12}{}, met in {:.1f} ms\n", "Peer", info["peer"].get<std::string>(),
             info["meeting_ms"].get<double>());
  std::set<std::string> remarks, transports;
  for (const nlohmann::json& row : info["ways"]) {
    const bool is_host = row["memory"] == "host";
    fmt::print("{:<12}{:<8}{}\n",
               formatSize(row["size"].get<std::size_t>()) + (is_host ? "" : " cuda"),
               row["channel"].get<std::string>(), row["way"].get<std::string>());
    for (const auto& one : row["remarks"]) remarks.insert(one.get<std::string>());
    for (const auto& one : row["transports"]) transports.insert(one.get<std::string>());
  }
  if (!transports.empty()) fmt::print("{:<12}{}\n", "UCX", fmt::join(transports, ", "));
  for (const std::string& remark : remarks) fmt::print("{:<12}{}\n", "Note", remark);
  fmt::print("\n{}", info["described"].get<std::string>());
}

}  // namespace ucxx::tools
