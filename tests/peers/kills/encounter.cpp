// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/encounter.h"

#include <fmt/format.h>

#include "peers/kills/driver.h"
#include "peers/kills/parting.h"
#include "peers/kills/phases.h"

namespace ucxx::kills {
namespace {

constexpr Tag kUnsentTag{(1ull << 62) + 2};

}  // namespace

Encounter::Encounter(Pool& pool, std::shared_ptr<Worker> worker, const Plan& plan)
    : pool_(pool), worker_(std::move(worker)), plan_(plan) {
  reception_.emplace(*worker_);
}

/// What has come and was not received stays with the worker: takes it out.
Encounter::~Encounter() {
  in_.reset();
  out_.reset();
  while (worker_->tagProbe(tagOf(plan_, true), TagMaskFull, true)->isMatched()) {
  }
}

void Encounter::callAtPort(std::uint16_t port) {
  receive(worker_->createEndpointFromHostname("127.0.0.1", port));
}

void Encounter::callAtAddress(const std::string& hex) {
  receive(worker_->createEndpointFromWorkerAddress(createAddressFromString(fromHex(hex))));
}

void Encounter::receive(std::shared_ptr<Endpoint> endpoint) {
  endpoint_ = std::move(endpoint);
  if (plan_.victim_sends) in_.emplace(pool_, endpoint_, plan_, false, true);
  if (plan_.victim_receives) out_.emplace(pool_, endpoint_, plan_, true, false);
  never_ = endpoint_->tagRecv(unsent_, sizeof unsent_, kUnsentTag);
}

void Encounter::turn(std::int64_t time) {
  if (endpoint_ == nullptr) {
    if (auto accepted = reception_->take()) receive(std::move(accepted));
    if (endpoint_ == nullptr) return;
  }
  bool is_idle = never_->isCompleted();
  const auto turn = [&](std::optional<Flow>& flow) {
    if (!flow) return;
    flow->turn(time);
    is_idle = is_idle && flow->isIdle();
  };
  turn(in_), turn(out_);
  if (transports_.empty() && count() != 0) noteTransports();
  maybeClose();
  if (closed_ != nullptr && !closed_->isCompleted()) is_idle = false;
  if (!is_idle) ended_at_ = 0;
  if (is_idle && ended_at_ == 0) ended_at_ = now();
}

Request* Encounter::awaited() const {
  Request* awaited = never_.get();
  forFlows([&](const Flow& flow) {
    if (Request* const first = flow.awaited()) awaited = first;
  });
  return awaited;
}

std::size_t Encounter::count() const {
  std::size_t sum = 0;
  forFlows([&](const Flow& flow) { sum += flow.count(); });
  return sum;
}

void Encounter::maybeClose() {
  if (!plan_.survivor_closes || plan_.close_after == 0) return;
  if (is_closing_ || count() < static_cast<std::size_t>(plan_.close_after)) return;
  is_closing_ = true;
  if (in_) in_->stop();
  if (out_) out_->stop();
  if (plan_.phase == base::Phase::ByeAnswered) partAtOnce(*worker_);
  closed_ = endpoint_->close();
}

void Encounter::close() {
  closes_at_ = now();
  if (plan_.closes_endpoint) closed_ = endpoint_->close();
  if (in_) in_->close();
  if (out_) out_->close();
}

bool Encounter::isHeld() const {
  const bool victim_sends = (infoOf(plan_.phase).needs & kVictimSends) != 0;
  return (victim_sends ? in_ : out_)->isHeld();
}

bool Encounter::hasClosed() const {
  bool closed = closed_ == nullptr || closed_->isCompleted();
  forFlows([&](const Flow& flow) { closed = closed && flow.isIdle(); });
  return closed;
}

void Encounter::noteTransports() {
  for (const TransportInfo& info : endpoint_->getTransports())
    if (transports_.find(info.transport) == transports_.npos)
      transports_ += (transports_.empty() ? "" : ",") + info.transport;
}

std::string Encounter::verdict(std::int64_t killed_at) const {
  std::string text;
  const std::int64_t first = closes_at_ != 0 ? closes_at_ : killed_at;
  forFlows([&](const Flow& flow) {
    if (flow.closeStatus() != UCS_OK)
      text = fmt::format("close: one has ended with {}", static_cast<int>(flow.closeStatus()));
    if (flow.wrong() != 0)
      text = fmt::format("wrong: {} payloads, the first: {}", flow.wrong(), flow.whatIsWrong());
    if (flow.endedTwice() != 0) text = fmt::format("twice: {} requests", flow.endedTwice());
    if (flow.failedAt() != 0 && flow.failedAt() < first && plan_.close_after == 0)
      text = fmt::format("early: a request failed with {}, {} us before the {}",
                         static_cast<int>(flow.status()), (first - flow.failedAt()) / 1000,
                         first == killed_at ? "kill" : "close");
  });
  return text;
}

}  // namespace ucxx::kills
