// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/loop/loop.h"
#include "sim/doors.h"
#include "sim/network.h"
#include "sim/schedule.h"

namespace ucxx::sim {
namespace {

constexpr std::size_t kMaxJobs = 400;

}  // namespace

Node* Schedule::someNode() {
  std::vector<Node*> alive;
  for (Node& node : nodes_) {
    if (node.worker != nullptr && !node.stalled && !node.killed) alive.push_back(&node);
  }
  return alive.empty() ? nullptr : random_.pick(alive);
}

End* Schedule::someEnd() {
  std::vector<End*> open;
  for (End& end : ends_) {
    if (end.endpoint != nullptr && !end.closing && !end.node->stalled && !end.node->killed)
      open.push_back(&end);
  }
  return open.empty() ? nullptr : random_.pick(open);
}

void Schedule::step() {
  End* end = someEnd();
  Node* node = someNode();
  if (node == nullptr) return;
  if (random_.chance(plan_percent_)) return planStep(end);
  if (random_.chance(condition_percent_)) return conditionStep(*node);
  const std::size_t choice = random_.below(100);
  if (end == nullptr || choice < 6) return meet();
  if (choice < 60) return postOn(*end);
  if (choice < 70) return tagRecv(*node, nullptr);
  if (choice < 76) return probe(*node);
  if (choice < 80) return receiveProbed(*node);
  if (choice < 86) return cancel();
  if (choice < 89) return flush(*node, random_.chance(70) ? end : nullptr);
  if (choice < 91) return dropRequest();
  if (weather_ == Weather::Deadly && choice >= 98 && random_.chance(30)) destroy(*node, true);
  if (isOrderly()) return;
  if (choice < 94) return close(*end);
  if (choice < 96) return drop(*end);
  if (weather_ == Weather::Storm) return fault();
  if (choice == 99 && random_.chance(20)) destroy(*node, false);
}

void Schedule::postOn(End& end) {
  switch (random_.below(12)) {
    case 0:
    case 1:
    case 2:
      return tagSend(end);
    case 3:
    case 4:
      return tagRecv(*end.node, &end);
    case 5:
      return amSend(end);
    case 6:
      return amRecv(end);
    case 7:
      return streamSend(end);
    case 8:
      return streamRecv(end);
    case 9:
    case 10:
      return multiSend(end);
    default:
      return multiRecv(end);
  }
}

void Schedule::progressSome() {
  const std::size_t times = random_.below(4);
  for (std::size_t i = 0; i < times; ++i) {
    Node* node = someNode();
    if (node == nullptr) return;
    progress(*node, random_.chance(70));
    if (!node->killed && node->worker != nullptr && random_.chance(50)) accept(*node);
  }
  if (random_.chance(30)) world_->pass(std::chrono::microseconds(random_.below(30'000)));
  if (random_.chance(1)) world_->pass(std::chrono::milliseconds(900));
}

/// Two nodes meet: by the address of one or both, or through a listener.
void Schedule::meet() {
  Node& from = *someNode();
  Node& to = random_.pick(nodes_);
  if (ends_.size() > 12) return;
  if (to.listener != nullptr && random_.chance(30)) {
    auto endpoint = as(from, [&] {
      return from.worker->createEndpointFromHostname("127.0.0.1", to.listener->getPort());
    });
    newEnd(from, to, std::move(endpoint));
    to.askers.push_back(&from);
    return;
  }
  newEnd(from, to,
         as(from, [&] { return from.worker->createEndpointFromWorkerAddress(to.address); }));
  if (&from != &to && to.worker != nullptr && (isOrderly() || random_.chance(80)))
    meetBack(to, from);
}

void Schedule::meetBack(Node& from, Node& to) {
  if (random_.chance(50)) progressSome();
  if (from.worker != nullptr && !from.killed)
    newEnd(from, to,
           as(from, [&] { return from.worker->createEndpointFromWorkerAddress(to.address); }));
}

/// Answers those who asked the listener. Of peers that have left, it remembers as many as there is
/// memory for.
void Schedule::accept(Node& node) {
  while (!node.asked.empty() && node.listener != nullptr) {
    const ucp_conn_request_h request = node.asked.back();
    node.asked.pop_back();
    try {
      answer(node, request);
    } catch (const std::invalid_argument& error) {
      if (weather_ == Weather::Calm) wrong(error.what());
    }
  }
}

void Schedule::answer(Node& node, ucp_conn_request_h request) {
  if (!isOrderly() && random_.chance(20)) return node.listener->reject(request);
  const std::string worker = node.listener->queryConnRequest(request).worker;
  Node* from = &node;
  for (Node& other : nodes_) {
    if (other.worker_id == worker) from = &other;
  }
  newEnd(node, *from,
         as(node, [&] { return node.listener->createEndpointFromConnRequest(request); }));
}

End& Schedule::newEnd(Node& node, Node& peer, std::shared_ptr<Endpoint> endpoint) {
  End& end = ends_.emplace_back();
  end.node = &node;
  end.peer = &peer;
  end.uid = ends_.size();
  end.endpoint = std::move(endpoint);
  end.endpoint->setCloseCallback(
      [&end](ucs_status_t status, const std::shared_ptr<void>&) {
        ++end.close_callbacks;
        end.closed_with = status;
      },
      nullptr);
  return end;
}

void Schedule::react(Job& job) {
  if (depth_ > 4 || jobs_.size() > kMaxJobs || finishing_ || !random_.chance(30)) return;
  End* end =
      job.end != nullptr && job.end->endpoint != nullptr && !job.end->closing && random_.chance(50)
          ? job.end
          : someEnd();
  if (end == nullptr) return;
  const std::size_t choice = random_.below(10);
  if (random_.chance(plan_percent_)) return planStep(end);
  if (random_.chance(condition_percent_)) return conditionStep(*end->node);
  if (choice < 6) return postOn(*end);
  if (choice < 8) return cancel();
  if (isOrderly()) return;
  random_.chance(50) ? close(*end) : drop(*end);
}

void Schedule::cancel() {
  for (int tries = 0; tries < 5 && !jobs_.empty(); ++tries) {
    Job& job = random_.pick(jobs_);
    if (job.request == nullptr || job.status != UCS_INPROGRESS || job.node->worker == nullptr ||
        job.node->stalled)
      continue;
    if (isOrderly() && core::isOutgoing(job.kind)) continue;
    if (job.kind == OperationKind::StreamSend) continue;  // the rest of the stream would move up
    if (job.closes_plan) continue;
    job.cancelled = true;
    if (job.kind == OperationKind::StreamRecv) job.end->stream_broken = true;  // its bytes go on
    const auto request = job.request;
    const bool gives_back = gives_back_ && core::isReceive(job.kind);
    if (gives_back && job.kind != OperationKind::StreamRecv)  // else its stream may have a gap
      return as(*job.node, [&] { (void)request->giveBack(); });
    return as(*job.node, [&] { request->cancel(); });
  }
}

void Schedule::drop(End& end) {
  end.closing = true;
  dropPlans(nullptr, &end);  // they keep their endpoint
  for (Job& job : jobs_) {   // requests keep their endpoint
    if (job.end == &end) letGo(job);
  }
  as(*end.node, [&] { std::exchange(end.endpoint, nullptr).reset(); });
}

void Schedule::letGo(Job& job) {
  if (job.request == nullptr) return;
  job.request->setParent(nullptr);
  if (job.kind != OperationKind::MultiRecv) return;
  for (const auto& frame : static_cast<RequestTagMulti&>(*job.request)._bufferRequests)
    frame->request->setParent(nullptr);
}

void Schedule::dropRequest() {
  if (jobs_.empty()) return;
  Job& job = random_.pick(jobs_);
  const bool may_last = job.kind == OperationKind::TagRecv || job.kind == OperationKind::AmRecv ||
                        job.kind == OperationKind::PreparedEnd || job.trigger != nullptr;
  if (job.has_callback && !job.posting && !may_last) job.request = nullptr;
}

void Schedule::fault() {
  switch (random_.below(8)) {
    case 0:
    case 1:
    case 2:
      world_->network->failSome();
      return;
    case 3:
    case 4:
      world_->doors->breakSome();
      return;
    case 5:
      return destroy(*someNode(), true);
    case 6:
      return destroy(*someNode(), false);
    default:
      if (Node* node = someNode(); random_.chance(30)) node->listener = nullptr;
  }
}

}  // namespace ucxx::sim
