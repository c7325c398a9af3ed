// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <algorithm>

#include "core/loop.h"
#include "sim/doors.h"
#include "sim/network.h"
#include "sim/schedule.h"

namespace ucxx::sim {
namespace {

constexpr std::uint64_t kTags = 3;
constexpr std::size_t kMaxJobs = 400;

}  // namespace

Node* Schedule::someNode() {
  std::vector<Node*> alive;
  for (Node& node : nodes_) {
    if (node.worker != nullptr) alive.push_back(&node);
  }
  return alive.empty() ? nullptr : random_.pick(alive);
}

End* Schedule::someEnd() {
  std::vector<End*> open;
  for (End& end : ends_) {
    if (end.endpoint != nullptr && !end.closing) open.push_back(&end);
  }
  return open.empty() ? nullptr : random_.pick(open);
}

std::size_t Schedule::someSize() {
  switch (random_.below(20)) {
    case 0:
      return 0;
    case 1:
      return random_.below(8);
    case 2:
      return (8 << 10) - 2 + random_.below(5);
    case 3:
      return (32 << 10) - 2 + random_.below(5);
    case 4:
      return random_.below(200'000);
    case 5:
      return random_.chance(20) ? (256 << 10) - 2 + random_.below(5) : 40'000;
    default:
      return 8 + random_.below(2000);
  }
}

void Schedule::step() {
  const std::size_t choice = random_.below(100);
  End* end = someEnd();
  Node* node = someNode();
  if (node == nullptr) return;
  if (end == nullptr || choice < 6) return meet();
  if (choice < 60) return postOn(*end);
  if (choice < 70) return tagRecv(*node, nullptr);
  if (choice < 76) return probe(*node);
  if (choice < 80) return receiveProbed(*node);
  if (choice < 86) return cancel();
  if (choice < 89) return flush(*node, random_.chance(70) ? end : nullptr);
  if (choice < 91) return dropRequest();
  if (weather_ == Weather::Calm) return;
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
    const std::shared_ptr<Worker> worker = node->worker;
    worker->loop().lookOften();
    random_.chance(70) ? worker->progressOnce() : worker->progress();
    if (node->worker != nullptr && random_.chance(50)) accept(*node);
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
    auto endpoint = from.worker->createEndpointFromHostname("127.0.0.1", to.listener->getPort());
    newEnd(from, to, std::move(endpoint));
    to.askers.push_back(&from);
    return;
  }
  newEnd(from, to, from.worker->createEndpointFromWorkerAddress(to.address));
  if (&from != &to && to.worker != nullptr && (weather_ == Weather::Calm || random_.chance(80)))
    meetBack(to, from);
}

void Schedule::meetBack(Node& from, Node& to) {
  if (random_.chance(50)) progressSome();
  if (from.worker != nullptr)
    newEnd(from, to, from.worker->createEndpointFromWorkerAddress(to.address));
}

/// Answers those who asked the listener.
void Schedule::accept(Node& node) {
  while (!node.asked.empty() && node.listener != nullptr) {
    const ucp_conn_request_h request = node.asked.back();
    node.asked.pop_back();
    if (weather_ != Weather::Calm && random_.chance(20)) {
      node.listener->reject(request);
      continue;
    }
    const std::string worker = node.listener->queryConnRequest(request).worker;
    Node* from = &node;
    for (Node& other : nodes_) {
      if (other.worker != nullptr && toString(other.worker->loop().id()) == worker) from = &other;
    }
    newEnd(node, *from, node.listener->createEndpointFromConnRequest(request));
  }
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

Job& Schedule::newJob(OperationKind kind, Node& node, End* end) {
  Job& job = jobs_.emplace_back();
  job.kind = kind;
  job.node = &node;
  job.end = end;
  job.order = ++last_order_;
  return job;
}

Sent& Schedule::newMessage(OperationKind kind, End& end, std::size_t size) {
  Sent& sent = sent_.emplace_back();
  sent.kind = kind;
  sent.to = end.peer;
  sent.from = end.uid;
  sent.size = size;
  return sent;
}

RequestCallbackUserFunction Schedule::callback(Job& job) {
  if (!random_.chance(70)) return nullptr;
  job.has_callback = true;
  return [this, &job](ucs_status_t status, const std::shared_ptr<void>&) {
    if (++job.callbacks > 1) return wrong("told twice: " + describe(job));
    onEnd(job, status);
    react(job);
  };
}

/// Posts and takes care that a callback inside the call finds no request yet.
template <class Post>
void Schedule::post(Job& job, Post make) {
  ++depth_;
  // Its endpoint may fail at any time; then requests end at once, and never throw.
  job.request = make();
  --depth_;
  job.posting = false;
  if (job.end != nullptr && job.end->endpoint == nullptr) letGo(job);  // dropped by a callback
  if (job.request == nullptr) {                                        // a close of what is over
    job.status = UCS_OK;
    job.has_callback = false;
    job.checked = true;
    return;
  }
  if (job.status == UCS_INPROGRESS && job.request->isCompleted())
    onEnd(job, job.request->getStatus());
  if (job.status != UCS_INPROGRESS) check(job);
}

void Schedule::react(Job& job) {
  if (depth_ > 4 || jobs_.size() > kMaxJobs || finishing_ || !random_.chance(30)) return;
  End* end =
      job.end != nullptr && job.end->endpoint != nullptr && !job.end->closing && random_.chance(50)
          ? job.end
          : someEnd();
  if (end == nullptr) return;
  const std::size_t choice = random_.below(10);
  if (choice < 6) return postOn(*end);
  if (choice < 8) return cancel();
  if (weather_ == Weather::Calm) return;
  random_.chance(50) ? close(*end) : drop(*end);
}

void Schedule::tagSend(End& end) {
  const std::size_t size = someSize();
  Sent& sent = newMessage(OperationKind::TagSend, end, size);
  Job& job = newJob(OperationKind::TagSend, *end.node, &end);
  job.id = sent_.size();
  job.length = size;
  job.tag = sent.tag = 1 + random_.below(kTags);
  job.buffer = guarded(size);
  fill(std::span(job.buffer).first(size), job.id);
  auto told = callback(job);
  const auto endpoint = end.endpoint;
  post(job, [&] { return endpoint->tagSend(job.buffer.data(), size, Tag{job.tag}, false, told); });
}

void Schedule::tagRecv(Node& node, End* end) {
  Job& job = newJob(OperationKind::TagRecv, node, end);
  job.length = random_.chance(25) ? 300'000 : random_.chance(60) ? 40'000 : someSize();
  job.tag = 1 + random_.below(kTags);
  job.mask = random_.chance(70) ? TagMaskFull : random_.below(4);
  job.buffer = guarded(job.length);
  auto told = callback(job);
  const auto worker = node.worker;
  const auto endpoint = end != nullptr ? end->endpoint : nullptr;
  post(job, [&] {
    if (endpoint != nullptr)
      return endpoint->tagRecv(job.buffer.data(), job.length, Tag{job.tag}, TagMask{job.mask},
                               false, told);
    return worker->tagRecv(job.buffer.data(), job.length, Tag{job.tag}, TagMask{job.mask}, false,
                           told);
  });
}

void Schedule::amSend(End& end) {
  const std::size_t size = someSize();
  newMessage(OperationKind::AmSend, end, size);
  Job& job = newJob(OperationKind::AmSend, *end.node, &end);
  job.id = sent_.size();
  job.length = size;
  job.buffer = guarded(size);
  fill(std::span(job.buffer).first(size), job.id);
  const std::string header = std::to_string(job.id);
  AmSendParams params;
  const auto* text = reinterpret_cast<const std::byte*>(header.data());
  params.userHeader.assign(text, text + header.size());
  auto told = callback(job);
  const auto endpoint = end.endpoint;
  if (size < 2 || random_.chance(60)) {
    return post(job,
                [&] { return endpoint->amSend(job.buffer.data(), size, params, false, told); });
  }
  params.datatype = UCP_DATATYPE_IOV;
  const std::size_t half = random_.below(size);
  const std::vector<ucp_dt_iov_t> pieces{{job.buffer.data(), half},
                                         {job.buffer.data() + half, size - half}};
  post(job, [&] { return endpoint->amSend(pieces, params, false, told); });
}

void Schedule::amRecv(End& end) {
  Job& job = newJob(OperationKind::AmRecv, *end.node, &end);
  auto told = callback(job);
  const auto endpoint = end.endpoint;
  post(job, [&] { return endpoint->amRecv(false, told); });
}

void Schedule::streamSend(End& end) {
  Job& job = newJob(OperationKind::StreamSend, *end.node, &end);
  job.length = 1 + someSize();
  job.buffer = guarded(job.length);
  for (std::size_t i = 0; i < job.length; ++i)
    job.buffer[i] = streamByte(end.uid, end.stream_sent + i);
  end.stream_sent += job.length;
  const auto endpoint = end.endpoint;
  post(job, [&] { return endpoint->streamSend(job.buffer.data(), job.length, false); });
}

void Schedule::streamRecv(End& end) {
  if (end.stream_broken) return;
  Job& job = newJob(OperationKind::StreamRecv, *end.node, &end);
  job.length =
      finishing_ ? std::size_t{1} << 17 : 1 + random_.below(random_.chance(30) ? 100'000 : 1000);
  job.buffer = guarded(job.length);
  job.stream_offset = end.stream_received;
  end.stream_received += job.length;
  const auto endpoint = end.endpoint;
  post(job, [&] { return endpoint->streamRecv(job.buffer.data(), job.length, false); });
}

void Schedule::multiSend(End& end) {
  Sent& sent = newMessage(OperationKind::MultiSend, end, 0);
  Job& job = newJob(OperationKind::MultiSend, *end.node, &end);
  job.id = sent_.size();
  job.tag = sent.tag = 1 + random_.below(kTags);
  const std::size_t count = 1 + random_.below(5);
  std::vector<const void*> buffers;
  for (std::size_t i = 0; i < count; ++i) {
    sent.frames.push_back(i == 0 ? 8 + random_.below(20) : someSize());
    job.frames.emplace_back(sent.frames.back());
    fill(job.frames.back(), job.id + i);
    buffers.push_back(job.frames.back().data());
  }
  const auto endpoint = end.endpoint;
  const std::vector<std::size_t> sizes = sent.frames;
  post(job, [&] {
    return endpoint->tagMultiSend(buffers, sizes, std::vector<int>(count, 0), Tag{job.tag});
  });
}

void Schedule::multiRecv(End& end) {
  Job& job = newJob(OperationKind::MultiRecv, *end.node, &end);
  job.tag = 1 + random_.below(kTags);
  job.mask = finishing_ ? 0 : random_.chance(70) ? std::uint64_t{TagMaskFull} : random_.below(4);
  const auto endpoint = end.endpoint;
  post(job, [&] { return endpoint->tagMultiRecv(Tag{job.tag}, TagMask{job.mask}); });
}

void Schedule::flush(Node& node, End* end) {
  Job& job = newJob(OperationKind::Flush, end != nullptr ? *end->node : node, end);
  auto told = callback(job);
  const auto worker = node.worker;
  const auto endpoint = end != nullptr ? end->endpoint : nullptr;
  post(job, [&] {
    return endpoint != nullptr ? endpoint->flush(false, told) : worker->flush(false, told);
  });
}

void Schedule::probe(Node& node) {
  const std::uint64_t mask = finishing_ || random_.chance(30) ? 0 : std::uint64_t{TagMaskFull};
  const bool remove = finishing_ || random_.chance(60);
  auto found = node.worker->tagProbe(Tag{1 + random_.below(kTags)}, TagMask{mask}, remove);
  if (!found->isMatched() || !remove) return;
  node.probes.push_back(std::move(found));
  node.probe_orders.push_back(++last_order_);
}

void Schedule::receiveProbed(Node& node) {
  if (node.probes.empty()) return;
  const auto found = node.probes.back();
  node.probes.pop_back();
  const std::uint64_t order = node.probe_orders.back();
  node.probe_orders.pop_back();
  if (weather_ != Weather::Calm && random_.chance(20)) return;  // dropped
  Job& job = newJob(OperationKind::TagRecv, node, nullptr);
  job.order = order;
  job.tag = found->getInfo().senderTag;
  job.mask = TagMaskFull;
  job.length = found->getInfo().length;
  job.buffer = guarded(job.length);
  auto told = callback(job);
  const auto worker = node.worker;
  post(job, [&] { return worker->tagRecvWithHandle(job.buffer.data(), found, false, told); });
}

void Schedule::cancel() {
  for (int tries = 0; tries < 5 && !jobs_.empty(); ++tries) {
    Job& job = random_.pick(jobs_);
    if (job.request == nullptr || job.status != UCS_INPROGRESS || job.node->worker == nullptr)
      continue;
    if (weather_ == Weather::Calm && core::isSend(job.kind)) continue;
    if (job.kind == OperationKind::StreamSend) continue;  // the rest of the stream would move up
    job.cancelled = true;
    if (job.kind == OperationKind::StreamRecv) job.end->stream_broken = true;  // its bytes go on
    const auto request = job.request;
    return request->cancel();
  }
}

void Schedule::close(End& end) {
  Job& job = newJob(OperationKind::Close, *end.node, &end);
  end.closing = true;
  auto told = callback(job);
  const auto endpoint = end.endpoint;
  post(job, [&] { return endpoint->close(false, told); });
}

void Schedule::drop(End& end) {
  end.closing = true;
  for (Job& job : jobs_) {  // requests keep their endpoint
    if (job.end == &end) letGo(job);
  }
  const auto endpoint = std::move(end.endpoint);
  end.endpoint = nullptr;
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
  if (job.has_callback && !job.posting && job.kind != OperationKind::TagRecv &&
      job.kind != OperationKind::AmRecv)
    job.request = nullptr;
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
