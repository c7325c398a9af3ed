// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The requests that a schedule posts, and what is noted of each for the checks.

#include "core/loop/loop.h"
#include "sim/content.h"
#include "sim/schedule.h"

namespace ucxx::sim {
namespace {

constexpr std::uint64_t kTags = 3;

}  // namespace

std::size_t Schedule::someSize() {
  switch (random_.below(20)) {
    case 0:
      return 0;
    case 1:
      return random_.below(8);
    case 2:
      return (8 << 10) - 2 + random_.below(5);
    case 3:
      return (random_.chance(50) ? 16 << 10 : 32 << 10) - 2 + random_.below(5);
    case 4:
      return random_.below(200'000);
    case 5:
      return random_.chance(20) ? (256 << 10) - 2 + random_.below(5) : 40'000;
    default:
      return 8 + random_.below(2000);
  }
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
  sent.order = ++last_order_;
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

/// A callback inside the call has found no request yet.
void Schedule::posted(Job& job) {
  job.posting = false;
  if (job.status == UCS_ERR_NOT_CONNECTED) return;
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

/// What is closed takes no transfers, whoever has closed it.
void Schedule::refused(Job& job) {
  job.end->closing = true;
  job.status = UCS_ERR_NOT_CONNECTED;
  job.has_callback = false;
  job.checked = true;
  job.final_sum = sumOf(job.buffer);
  if (job.trigger != nullptr) --job.trigger->posted;
  job.trigger = nullptr;
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
  const Condition condition = arm(job, &sent);
  post(job, [&] {
    return endpoint->tagSendBuilder(job.buffer.data(), size, Tag{job.tag})
        .callbackFunction(told)
        .condition(condition)
        .build();
  });
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
  const Condition condition = arm(job);
  post(job, [&] {
    auto* const data = job.buffer.data();
    const Tag tag{job.tag};
    const TagMask mask{job.mask};
    auto builder = endpoint != nullptr ? endpoint->tagRecvBuilder(data, job.length, tag, mask)
                                       : worker->tagRecvBuilder(data, job.length, tag, mask);
    return std::move(builder).callbackFunction(told).condition(condition).build();
  });
}

void Schedule::amSend(End& end) {
  const std::size_t size = someSize();
  Sent& sent = newMessage(OperationKind::AmSend, end, size);
  Job& job = newJob(OperationKind::AmSend, *end.node, &end);
  job.id = sent_.size();
  job.length = size;
  job.buffer = guarded(size);
  fill(std::span(job.buffer).first(size), job.id);
  const std::string header = std::to_string(job.id);
  AmSendParams params;
  const auto* text = reinterpret_cast<const std::byte*>(header.data());
  params.userHeader.assign(text, text + header.size());
  if (random_.chance(world_->manners.device_percent)) params.memoryType = UCS_MEMORY_TYPE_CUDA;
  auto told = callback(job);
  const auto endpoint = end.endpoint;
  const Condition condition = arm(job, &sent);
  if (size < 2 || random_.chance(60)) {
    return post(job, [&] {
      return endpoint->amSendBuilder(job.buffer.data(), size, params)
          .callbackFunction(told)
          .condition(condition)
          .build();
    });
  }
  params.datatype = UCP_DATATYPE_IOV;
  const std::size_t half = random_.below(size);
  const std::vector<ucp_dt_iov_t> pieces{{job.buffer.data(), half},
                                         {job.buffer.data() + half, size - half}};
  post(job, [&] {
    return endpoint->amSendBuilder(pieces, params)
        .callbackFunction(told)
        .condition(condition)
        .build();
  });
}

void Schedule::amRecv(End& end) {
  Job& job = newJob(OperationKind::AmRecv, *end.node, &end);
  auto told = callback(job);
  const auto endpoint = end.endpoint;
  const Condition condition = arm(job);
  post(job, [&] {
    return endpoint->amRecvBuilder().callbackFunction(told).condition(condition).build();
  });
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
  std::vector<int> is_cuda;
  for (std::size_t i = 0; i < count; ++i) {
    sent.frames.push_back(i == 0 ? 8 + random_.below(20) : someSize());
    job.frames.emplace_back(sent.frames.back());
    fill(job.frames.back(), job.id + i);
    buffers.push_back(job.frames.back().data());
    is_cuda.push_back(i != 0 && random_.chance(world_->manners.device_percent) ? 1 : 0);
  }
  const auto endpoint = end.endpoint;
  const std::vector<std::size_t> sizes = sent.frames;
  const Condition condition = arm(job, &sent);
  post(job, [&] {
    return endpoint->tagMultiSendBuilder(buffers, sizes, is_cuda, Tag{job.tag})
        .condition(condition)
        .build();
  });
}

void Schedule::multiRecv(End& end) {
  Job& job = newJob(OperationKind::MultiRecv, *end.node, &end);
  job.tag = 1 + random_.below(kTags);
  job.mask = finishing_ ? 0 : random_.chance(70) ? std::uint64_t{TagMaskFull} : random_.below(4);
  const auto endpoint = end.endpoint;
  const Condition condition = arm(job);
  post(job, [&] {
    return endpoint->tagMultiRecvBuilder(Tag{job.tag}, TagMask{job.mask})
        .condition(condition)
        .build();
  });
}

void Schedule::flush(Node& node, End* end) {
  Job& job = newJob(OperationKind::Flush, end != nullptr ? *end->node : node, end);
  auto told = callback(job);
  const auto worker = node.worker;
  const auto endpoint = end != nullptr ? end->endpoint : nullptr;
  const Condition condition = arm(job);
  post(job, [&] {
    auto builder = endpoint != nullptr ? endpoint->flushBuilder() : worker->flushBuilder();
    return std::move(builder).callbackFunction(told).condition(condition).build();
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
  if (!isOrderly() && random_.chance(20)) return;  // dropped
  Job& job = newJob(OperationKind::TagRecv, node, nullptr);
  job.order = order;
  job.tag = found->getInfo().senderTag;
  job.mask = TagMaskFull;
  job.length = found->getInfo().length;
  job.buffer = guarded(job.length);
  auto told = callback(job);
  const auto worker = node.worker;
  job.of_handle = true;
  post(job, [&] { return worker->tagRecvWithHandle(job.buffer.data(), found, false, told); });
}

void Schedule::close(End& end) {
  Job& job = newJob(OperationKind::Close, *end.node, &end);
  end.closing = true;
  auto told = callback(job);
  const auto endpoint = end.endpoint;
  post(job, [&] { return endpoint->close(false, told); });
}

}  // namespace ucxx::sim
