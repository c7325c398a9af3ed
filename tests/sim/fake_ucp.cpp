// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Instead of src/ucp/context.cpp, worker.cpp and endpoint.cpp.

#include <utility>

#include "sim/network.h"
#include "ucp/library.h"
#include "ucp/worker.h"

namespace ucxx::ucp {
namespace {

sim::FakeWorker& fake(ucp_worker_h handle) { return *reinterpret_cast<sim::FakeWorker*>(handle); }
sim::FakeEndpoint& fake(ucp_ep_h handle) { return *reinterpret_cast<sim::FakeEndpoint*>(handle); }

void pushOut(sim::FakeEndpoint& endpoint) {
  for (const sim::Queued& send : std::exchange(endpoint.queue, {}))
    endpoint.worker.world.network->transmit(endpoint, send);
}

/// What was sent before has left when a flush ends; here it leaves at once.
ucs_status_t flush(sim::FakeWorker& worker, sim::FakeEndpoint* endpoint,
                   base::Completion& completion) {
  if (endpoint != nullptr) pushOut(*endpoint);
  if (endpoint == nullptr) {
    for (sim::FakeEndpoint* each : worker.own) pushOut(*each);
  }
  if (worker.world.endsInline()) return UCS_OK;
  worker.end(endpoint, &completion, UCS_OK);
  return UCS_INPROGRESS;
}

}  // namespace

Context::Context(const Config&, std::uint64_t) {}
Context::~Context() { handle_ = nullptr; }
std::string Context::info() const { return "simulated"; }
bool Context::hasCudaSupport() const { return true; }

Worker::Worker(Context&, ThreadMode, bool, const ChannelEvents& events) : events_(events) {
  handle_ = reinterpret_cast<ucp_worker_h>(&sim::World::current().network->newWorker(events));
  max_header_bytes_ = 8192;
}

Worker::~Worker() {
  sim::FakeWorker& worker = fake(handle_);
  worker.gone = true;
  if (!worker.own.empty()) worker.world.complain("a worker is destroyed before its endpoints");
  if (!worker.delivered.empty()) worker.world.complain("announcements are never dropped");
  if (!worker.fetching.empty()) worker.world.complain("a worker is destroyed while it fetches");
}

bool Worker::progress() noexcept { return fake(handle_).progress(); }
bool Worker::arm() noexcept { return true; }
std::string Worker::info() const { return "simulated"; }

std::vector<std::byte> Worker::address() const { return fake(handle_).address(); }

ucs_status_t Worker::fetch(void* announcement, void* buffer, std::size_t size,
                           base::Completion& completion) {
  return fake(handle_).fetch(announcement, buffer, size, completion);
}

void Worker::drop(void* announcement) noexcept { fake(handle_).drop(announcement); }

ucs_status_t Worker::flush(base::Completion& completion) {
  return ucp::flush(fake(handle_), nullptr, completion);
}

Endpoint::Endpoint(Worker& worker, std::span<const std::byte> address, const Failure& failure)
    : failure_(failure) {
  sim::FakeWorker& from = fake(worker.handle());
  const sim::FakeWorker* peer = from.world.network->workerAt(address);
  check(peer == nullptr ? UCS_ERR_UNREACHABLE : UCS_OK, "create a simulated endpoint");
  handle_ = reinterpret_cast<ucp_ep_h>(&from.world.network->newEndpoint(from, peer->id, failure));
}

ucs_status_t Endpoint::send(std::span<const std::byte> header, const void* buffer, std::size_t size,
                            bool announce, base::Completion& completion) {
  const ucp_dt_iov_t piece{const_cast<void*>(buffer), size};
  return send(header, std::span(&piece, 1), announce, completion);
}

ucs_status_t Endpoint::send(std::span<const std::byte> header, std::span<const ucp_dt_iov_t> iov,
                            bool announce, base::Completion& completion) {
  sim::FakeEndpoint& endpoint = fake(handle_);
  return endpoint.worker.world.network->send(
      endpoint, {header, {{iov.begin(), iov.end()}}, announce, &completion});
}

ucs_status_t Endpoint::flush(base::Completion& completion) {
  sim::FakeEndpoint& endpoint = fake(handle_);
  if (endpoint.failed != UCS_OK) return endpoint.failed;
  return ucp::flush(endpoint.worker, &endpoint, completion);
}

ucs_status_t Endpoint::close(base::Completion& completion) {
  sim::FakeEndpoint& endpoint = fake(handle_);
  handle_ = nullptr;
  return endpoint.worker.world.network->close(endpoint, completion);
}

std::vector<std::pair<std::string, std::string>> Endpoint::transports() const {
  return {{fake(handle_).worker.world.manners.tcp ? "tcp" : "rc", "fake"}};
}

}  // namespace ucxx::ucp
