// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <algorithm>

#include <fmt/format.h>

#include <ucxx/api.h>

#include "sim/doors.h"
#include "sim/network.h"
#include "sim/schedule.h"

namespace ucxx::sim {
std::string Schedule::describe(const Job& job) const {
  const Trigger* const trigger = job.trigger;
  return fmt::format("{} {} of node {}, end {}, {} bytes, tag {:#x}, id {}: {}{}",
                     core::toString(job.kind), job.order, job.node->index,
                     job.end != nullptr ? job.end->uid : 0, job.length, job.tag, job.id,
                     ucs_status_string(job.status),
                     trigger == nullptr ? "" : "; waits for " + describe(*trigger));
}

void Schedule::pollJobs() {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    Job& job = jobs_[i];
    if (job.request == nullptr || job.posting || job.status != UCS_INPROGRESS) continue;
    if (!job.request->isCompleted()) continue;
    if (job.has_callback) wrong("complete, but its callback was not called: " + describe(job));
    onEnd(job, job.request->getStatus());
  }
  for (PlanEnd& plan : plans_) {
    if (isUsable(plan)) look(plan);
  }
  ++looks_;
}

void Schedule::onEnd(Job& job, ucs_status_t status) {
  if (job.status != UCS_INPROGRESS) return wrong("ended twice: " + describe(job));
  job.status = status;
  job.ended_at_look = looks_;
  if (!isLegal(job, status)) wrong("a status that nothing explains: " + describe(job));
  if (core::isOutgoing(job.kind)) {
    // Its buffers are the program's again.
    std::fill(job.buffer.begin(), job.buffer.end(), kScribble);
    for (auto& frame : job.frames) std::fill(frame.begin(), frame.end(), kScribble);
  }
  job.final_sum = sumOf(job.buffer);
  if (job.closes_plan && status == UCS_OK) onPlanClosed(*job.plan);
  check(job);
}

/// It was of, with, or perhaps for one that was killed.
bool Schedule::isBereaved(const Job& job) const {
  const auto is_killed = [](const Node& node) { return node.killed; };
  if (std::none_of(nodes_.begin(), nodes_.end(), is_killed)) return false;
  if (job.end == nullptr || job.node->killed || job.end->peer->killed) return true;
  return job.kind == OperationKind::TagRecv || job.kind == OperationKind::MultiRecv;
}

/// A send of its end has not ended well, or had perhaps not ended when the close did, or was
/// dropped, so that nobody knows. A worker's own messages end well when it drops them unread.
bool Schedule::hasLosses(const Job& close) const {
  const bool is_own = close.end->peer == close.node;
  const auto may_lose = [&](const PlanEnd& plan) {
    const bool has_sent = std::find(plan.ready.begin(), plan.ready.end(), true) != plan.ready.end();
    return plan.end == close.end && has_sent && (plan.runs || plan.failure != UCS_OK);
  };
  if (std::any_of(plans_.begin(), plans_.end(), may_lose)) return true;
  return std::any_of(jobs_.begin(), jobs_.end(), [&](const Job& job) {
    if (job.end != close.end || !core::isOutgoing(job.kind)) return false;
    return is_own || job.status != UCS_OK || job.ended_at_look == looks_;
  });
}

bool Schedule::isLegal(const Job& job, ucs_status_t status) const {
  if (job.trigger != nullptr && isExplained(job, status)) return true;
  if (status == UCS_OK) return job.trigger == nullptr || mayEndWell(*job.trigger);
  if (job.plan != nullptr && !job.closes_plan && isLegal(*job.plan, status)) return true;
  // It tells what was not taken, and nothing else.
  if (job.kind == OperationKind::Close)
    return hasLosses(job) && (isPeersFault(status) || status == UCS_ERR_CANCELED);
  if (job.node->killed && status == UCS_ERR_IO_ERROR) return true;  // in the middle of its copy
  if (isBereaved(job) && (isPeersFault(status) || status == UCS_ERR_CANCELED)) return true;
  const auto is_closing = [](const End& end) {
    return (end.closing && !end.node->killed) || end.closed_with == UCS_ERR_REJECTED;
  };
  const bool any_closed = workers_destroyed_ || std::any_of(ends_.begin(), ends_.end(), is_closing);
  // A flush of the worker waits for all endpoints, and ends as the worst of them.
  const bool closed =
      job.end != nullptr ? job.end->closing : job.kind == OperationKind::Flush && any_closed;
  if (status == UCS_ERR_MESSAGE_TRUNCATED) return job.kind == OperationKind::TagRecv;
  if (status == UCS_ERR_CANCELED)
    return job.cancelled || job.of_handle || closed || job.node->worker == nullptr ||
           weather_ == Weather::Storm;
  if (!isPeersFault(status)) return false;
  if (weather_ == Weather::Storm) return true;
  if (status != UCS_ERR_CONNECTION_RESET && isOrderly()) return false;
  // Somebody at the other side closed.
  return any_closed || status == UCS_ERR_REJECTED;
}

/// Once both are known: the end, and the request that tells more.
void Schedule::check(Job& job) {
  if (job.checked || job.posting || job.request == nullptr) return;
  job.checked = true;
  if (!isUntouched(std::span(job.buffer).last(job.buffer.empty() ? 0 : kGuardBytes)) &&
      !core::isOutgoing(job.kind))
    wrong("written behind its buffer: " + describe(job));
  if (isReceive(job.kind)) checkReceive(job);
}

void Schedule::checkReceive(Job& job) {
  if (job.status != UCS_OK) {
    if (job.kind == OperationKind::StreamRecv) job.end->stream_broken = true;
    if (job.kind == OperationKind::TagRecv && job.status == UCS_ERR_MESSAGE_TRUNCATED &&
        job.request->getReceivedLength() <= job.length)
      wrong("truncated, but it fits: " + describe(job));
    return;
  }
  switch (job.kind) {
    case OperationKind::TagRecv:
      return checkTag(job);
    case OperationKind::AmRecv:
      return checkAm(job);
    case OperationKind::MultiRecv:
      return checkMulti(job);
    default:
      return checkStream(job);
  }
}

void Schedule::receivedOnce(Job& job, std::uint64_t id, OperationKind kind, std::size_t size) {
  if (id == 0 || id > sent_.size()) return wrong("bytes that nobody sent: " + describe(job));
  job.id = id;
  Sent& sent = sent_[id - 1];
  if (sent.kind != kind || sent.to != job.node || sent.size != size)
    wrong("a message that is not for it: " + describe(job));
  if (sent.received++ != 0 && !sent.is_repeated) wrong("received twice: " + describe(job));
}

void Schedule::checkTag(Job& job) {
  const bool repeats = job.trigger != nullptr && job.trigger->repeats;
  if (repeats && job.request->getSenderTag() == 0) return;  // nothing has come, in no repetition
  const std::size_t size = job.request->getReceivedLength();
  if (size > job.length) return wrong("more than its buffer holds: " + describe(job));
  const auto bytes = std::span(std::as_const(job.buffer)).first(size);
  if (!repeats && !isUntouched(std::span(std::as_const(job.buffer)).subspan(size)))
    wrong("written behind the message: " + describe(job));
  const std::uint64_t tag = job.request->getSenderTag();
  if ((tag & job.mask) != (job.tag & job.mask))
    wrong("a tag that does not match: " + describe(job));
  if (size < 8) return;
  receivedOnce(job, idIn(bytes), OperationKind::TagSend, size);
  if (!holds(bytes, job.id)) wrong("wrong bytes: " + describe(job));
  if (job.id != 0 && sent_[job.id - 1].tag != tag) wrong("not the sender's tag: " + describe(job));
}

void Schedule::checkAm(Job& job) {
  const auto buffer = job.request->getRecvBuffer();
  const std::string header = job.request->getRecvHeader();
  if (buffer == nullptr) return wrong("no buffer: " + describe(job));
  const std::span bytes(static_cast<const std::byte*>(buffer->data()), buffer->getSize());
  receivedOnce(job, std::stoull("0" + header), OperationKind::AmSend, bytes.size());
  if (!holds(bytes, job.id)) wrong("wrong bytes: " + describe(job));
}

void Schedule::checkMulti(Job& job) {
  const auto& frames = static_cast<RequestTagMulti&>(*job.request)._bufferRequests;
  if (frames.empty()) return wrong("no frames: " + describe(job));
  const auto bytes_of = [&](std::size_t i) {
    const auto& buffer = frames[i]->buffer;
    return std::span(static_cast<const std::byte*>(buffer->data()), buffer->getSize());
  };
  receivedOnce(job, idIn(bytes_of(0)), OperationKind::MultiSend, 0);
  if (job.id == 0) return;
  const Sent& sent = sent_[job.id - 1];
  if (sent.frames.size() != frames.size()) return wrong("frames are missing: " + describe(job));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (bytes_of(i).size() != sent.frames[i] || !holds(bytes_of(i), job.id + i))
      wrong("wrong bytes in a frame: " + describe(job));
  }
}

/// The bytes at this offset of one and the same peer's stream.
void Schedule::checkStream(Job& job) {
  End& end = *job.end;
  if (job.request->getReceivedLength() != job.length)
    wrong("not all of a stream: " + describe(job));
  if (!end.stream_begun) {
    end.stream_begun = true;
    for (const End& other : ends_) {
      if (other.peer == end.node) end.stream_from.insert(other.uid);
    }
  }
  std::erase_if(end.stream_from, [&](std::uint64_t uid) {
    for (std::size_t i = 0; i < job.length; ++i) {
      if (job.buffer[i] != streamByte(uid, job.stream_offset + i)) return true;
    }
    return false;
  });
  if (end.stream_from.empty() && !end.stream_broken)
    wrong("wrong bytes in a stream: " + describe(job));
}

/// That has sent what it has received.
const Job& Schedule::jobOf(const Job& receive) const {
  return *std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& job) {
    return job.id == receive.id && core::isOutgoing(job.kind);
  });
}

/// Of two receives that could both take either message of one sender, the older got the older;
/// unless that was another's first, and came back when the newer was gone, or the older receive had
/// one that its sender took back.
void Schedule::checkOrder() {
  if (gives_back_ || world_->network->takes_back) return;
  std::vector<const Job*> received;
  for (const Job& job : jobs_) {
    if (isReceive(job.kind) && job.status == UCS_OK && job.id != 0 && !job.is_unordered &&
        sent_[job.id - 1].order != 0)
      received.push_back(&job);
  }
  const auto takes = [&](const Job& job, const Sent& sent) {
    return job.kind == OperationKind::AmRecv || (sent.tag & job.mask) == (job.tag & job.mask);
  };
  for (const Job* first : received) {
    const Sent& older = sent_[first->id - 1];
    for (const Job* second : received) {
      if (second->order <= first->order || second->kind != first->kind ||
          second->node != first->node)
        continue;
      if (first->kind == OperationKind::AmRecv && first->end != second->end) continue;
      const Sent& newer = sent_[second->id - 1];
      if (newer.from != older.from) {
        if (first->kind == OperationKind::AmRecv)
          wrong("two peers at one endpoint: " + describe(*first) + " and " + describe(*second));
        continue;
      }
      if (newer.order < older.order && takes(*first, newer) && takes(*second, older))
        wrong("out of order: " + describe(*first) + " and " + describe(*second) + "; sent by " +
              describe(jobOf(*first)) + " and " + describe(jobOf(*second)));
    }
  }
}

/// Without faults an endpoint fails only because its pair was closed: each close explains one.
void Schedule::checkFailures() {
  if (weather_ == Weather::Storm || workers_destroyed_) return;
  for (const Node& node : nodes_) {
    if (node.killed) continue;
    for (const Node& peer : nodes_) {
      if (peer.killed) continue;
      std::ptrdiff_t failed = 0, closed = 0;
      for (const End& end : ends_) {
        if (end.node == &node && end.peer == &peer && end.closed_with == UCS_ERR_CONNECTION_RESET)
          ++failed;
        if (end.node == &peer && end.peer == &node && end.closing) ++closed;
      }
      if (failed > closed)
        wrong(fmt::format("{} endpoints of node {} failed, but node {} closed {}", failed,
                          node.index, peer.index, closed));
    }
  }
}

void Schedule::checkFinal() {
  for (const Job& job : jobs_) {
    if (job.has_callback && job.callbacks != 1)
      wrong(fmt::format("called {} times: ", job.callbacks) + describe(job));
    if (job.status != UCS_INPROGRESS && job.final_sum != sumOf(job.buffer))
      wrong("its buffer changed after its end: " + describe(job));
  }
  for (const End& end : ends_) {
    if (end.close_callbacks > 1) wrong("a close callback ran twice");
  }
  checkOrder();
  checkPlanOrder();
  if (world_->doors->connections() != 0) wrong("door sockets are left open");
  if (world_->network->workers() != 0) wrong("UCX's worker was left behind");
}

}  // namespace ucxx::sim
