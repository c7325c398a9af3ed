// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The messages of an endpoint: what they are given is looked at here, and becomes an operation.

#include <algorithm>

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/request_am.h>
#include <ucxx/request_stream.h>
#include <ucxx/request_tag.h>
#include <ucxx/request_tag_multi.h>
#include <ucxx/worker.h>

#include "api/endpoint_requests.h"
#include "core/channel/channels.h"
#include "core/condition/condition_state.h"
#include "core/condition/posting.h"
#include "core/link/at_once.h"
#include "core/match/transfers.h"
#include "core/request/buffer_checks.h"
#include "core/request/known_memory.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"
#include "core/wire/wire.h"

namespace ucxx {

using core::OperationKind;

std::shared_ptr<Request> Endpoint::tagSend(const void* buffer, std::size_t length, AnyTag tag,
                                           bool) {
  core::requireBytes(buffer, length, OperationKind::TagSend);
  const bool on_device = core::isFromDevice(*state_, buffer, OperationKind::TagSend);
  core::requireOpen(*state_, OperationKind::TagSend);
  if (!on_device && core::sendSmall<core::MessageKind::Tag>(*state_, {buffer, length, tag}))
      [[likely]]
    return core::ownerlessEndedRequest<RequestTag, OperationKind::TagSend, Request>();
  return submitTagSend({buffer, length, tag}, on_device, core::NoCallback());
}

std::shared_ptr<Request> Endpoint::tagSend(const void* buffer, std::size_t length, AnyTag tag, bool,
                                           RequestCallbackUserFunction callback,
                                           RequestCallbackUserData data) {
  return postTagSend({buffer, length, tag}, {callback, data});
}

std::shared_ptr<Request> Endpoint::tagSendSync(const void* buffer, std::size_t length, AnyTag tag,
                                               bool, RequestCallbackUserFunction callback,
                                               RequestCallbackUserData data) {
  return postTagSend({buffer, length, tag, true}, {callback, data});
}

std::shared_ptr<Request> Endpoint::postTagSend(const TagMessage& message,
                                               const core::Posting& posting) {
  core::requireBytes(message.buffer, message.length, OperationKind::TagSend);
  const bool on_device = core::isFromDevice(*state_, message.buffer, OperationKind::TagSend);
  core::requireOpen(*state_, OperationKind::TagSend);
  if (!on_device && !message.synchronous) {
    if (auto request = core::sendAtOnce<RequestTag, OperationKind::TagSend>(
            *state_, {message.buffer, message.length, message.tag}, posting))
      return request;
  }
  return submitTagSend(message, on_device, posting);
}

std::shared_ptr<Request> Endpoint::submitTagSend(const TagMessage& message, bool on_device,
                                                 const core::Posting& posting) {
  auto request = makeRequest<RequestTag>(OperationKind::TagSend, posting);
  core::Operation& op = request->operation();
  op.buffer = const_cast<void*>(message.buffer);
  op.length = message.length;
  op.tag = message.tag;
  op.on_device = on_device;
  op.synchronous = message.synchronous;
  posting.submit(worker_->loop(), op);
  return request;
}

/// Not by `postTagRecv`: what is posted most often asks for no condition.
std::shared_ptr<Request> Endpoint::tagRecv(void* buffer, std::size_t length, AnyTag tag,
                                           AnyTagMask mask, bool) {
  core::requireBytes(buffer, length, OperationKind::TagRecv);
  if (core::isIntoDevice(buffer, OperationKind::TagRecv)) [[unlikely]] {
    const core::KnownDevice known(buffer);
    return postTagRecv({{buffer, length}}, tag, mask, core::NoCallback());
  }
  auto request = makeRequest<RequestTag, Request>(OperationKind::TagRecv);
  core::setTagReceive(request->operation(), buffer, length, tag, mask);
  submitTagRecv(worker_->loop(), request->operation());
  return request;
}

std::shared_ptr<Request> Endpoint::tagRecv(void* buffer, std::size_t length, AnyTag tag,
                                           AnyTagMask mask, bool,
                                           RequestCallbackUserFunction callback,
                                           RequestCallbackUserData data) {
  return postTagRecv(buffer, length, tag, mask, {callback, data});
}

std::shared_ptr<Request> Endpoint::postTagRecv(void* buffer, std::size_t length, Tag tag,
                                               TagMask mask, const core::Posting& posting) {
  core::requireBytes(buffer, length, OperationKind::TagRecv);
  if (core::isIntoDevice(buffer, OperationKind::TagRecv, posting.condition != nullptr)) {
    const core::KnownDevice known(buffer);
    return postTagRecv({{buffer, length}}, tag, mask, posting);
  }
  auto request = makeRequest<RequestTag>(OperationKind::TagRecv, posting);
  core::setTagReceive(request->operation(), buffer, length, tag, mask);
  posting.submit(worker_->loop(), request->operation());
  return request;
}

std::shared_ptr<Request> Endpoint::tagSend(std::vector<ucp_dt_iov_t> iov, AnyTag tag, bool,
                                           RequestCallbackUserFunction callback,
                                           RequestCallbackUserData data) {
  return postTagSend(std::move(iov), tag, false, {callback, data});
}

std::shared_ptr<Request> Endpoint::tagSendSync(std::vector<ucp_dt_iov_t> iov, AnyTag tag, bool,
                                               RequestCallbackUserFunction callback,
                                               RequestCallbackUserData data) {
  return postTagSend(std::move(iov), tag, true, {callback, data});
}

std::shared_ptr<Request> Endpoint::postTagSend(std::vector<ucp_dt_iov_t>&& iov, Tag tag,
                                               bool synchronous, const core::Posting& posting) {
  const std::size_t length = core::requireBlocks(iov, OperationKind::TagSend);
  auto request = makeRequest<RequestTag>(OperationKind::TagSend, posting);
  core::Operation& op = request->operation();
  auto extra = std::make_unique<core::GatherExtra>();
  extra->iov = std::move(iov);
  op.extra = std::move(extra);
  op.length = length;
  op.tag = tag;
  op.synchronous = synchronous;
  posting.submit(worker_->loop(), op);
  return request;
}

std::shared_ptr<Request> Endpoint::tagRecv(std::vector<ucp_dt_iov_t> iov, AnyTag tag,
                                           AnyTagMask mask, bool,
                                           RequestCallbackUserFunction callback,
                                           RequestCallbackUserData data) {
  return postTagRecv(std::move(iov), tag, mask, {callback, data});
}

std::shared_ptr<Request> Endpoint::postTagRecv(std::vector<ucp_dt_iov_t>&& iov, Tag tag,
                                               TagMask mask, const core::Posting& posting) {
  core::Blocks blocks = core::requireReceivable(std::move(iov), posting.condition != nullptr);
  auto request = makeRequest<RequestTag>(OperationKind::ScatterRecv, posting);
  core::setBlocks(request->operation(), std::move(blocks), tag, mask);
  posting.submit(worker_->loop(), request->operation());
  return request;
}

std::shared_ptr<Request> Endpoint::tagMultiSend(const std::vector<const void*>& buffers,
                                                const std::vector<std::size_t>& sizes,
                                                const std::vector<int>& is_cuda, AnyTag tag, bool) {
  return postMultiSend(buffers, sizes, is_cuda, tag, nullptr);
}

std::shared_ptr<Request> Endpoint::postMultiSend(const std::vector<const void*>& buffers,
                                                 const std::vector<std::size_t>& sizes,
                                                 const std::vector<int>& is_cuda, Tag tag,
                                                 core::ConditionState* condition) {
  if (buffers.size() != sizes.size() || buffers.size() != is_cuda.size())
    throw std::runtime_error(
        fmt::format("multi-buffer send: {} buffers, {} sizes and {} memory kinds; there must be as "
                    "many of each",
                    buffers.size(), sizes.size(), is_cuda.size()));
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    core::requireBytes(buffers[i], sizes[i], OperationKind::MultiSend);
    core::requireReachAsSaid(*state_, buffers[i], is_cuda[i] != 0, OperationKind::MultiSend);
  }
  core::requireOpen(*state_, OperationKind::MultiSend);
  if (condition == nullptr) {
    if (auto request = core::sendFramesAtOnce(*state_, buffers, sizes, is_cuda, tag))
      return request;
  }
  auto request = makeRequest<RequestTagMulti>(OperationKind::MultiSend);
  core::Operation& op = request->operation();
  auto extra = core::packFrames(buffers, sizes, is_cuda);
  op.buffer = extra->packed.get();
  op.length = extra->packed_bytes;
  request->_isFilled = true;
  op.extra = std::move(extra);
  op.tag = tag;
  core::submit(worker_->loop(), op, condition);
  return request;
}

std::shared_ptr<Request> Endpoint::tagMultiRecv(AnyTag tag, AnyTagMask mask, bool) {
  return postMultiRecv(tag, mask, nullptr);
}

std::shared_ptr<Request> Endpoint::postMultiRecv(Tag tag, TagMask mask,
                                                 core::ConditionState* condition) {
  auto request = makeRequest<RequestTagMulti>(OperationKind::MultiRecv);
  core::Operation& op = request->operation();
  op.tag = tag;
  op.mask = mask;
  core::submit(worker_->loop(), op, condition);
  return request;
}

namespace {

/// Throws what is wrong with it, or when it does not fit into UCX's header.
void requireAmParams(const AmSendParams& params, std::size_t most_header_bytes) {
  if (params.memoryType < UCS_MEMORY_TYPE_HOST || params.memoryType >= UCS_MEMORY_TYPE_LAST)
    throw std::runtime_error(fmt::format("active-message send: invalid memory type {}",
                                         static_cast<int>(params.memoryType)));
  if (params.memoryTypePolicy != AmSendMemoryTypePolicy::FallbackToHost &&
      params.memoryTypePolicy != AmSendMemoryTypePolicy::ErrorOnUnsupported)
    throw std::runtime_error(fmt::format("active-message send: invalid memory-type policy {}",
                                         static_cast<int>(params.memoryTypePolicy)));
  const std::size_t room = most_header_bytes - core::kAmHeaderOverhead;
  if (params.userHeader.size() > room)
    throw std::runtime_error(
        fmt::format("the user header of an active message has {} bytes, at most {} fit",
                    params.userHeader.size(), room));
}

/// What an active message says of itself.
core::AmPrologueView prologueOf(const AmSendParams& params) noexcept {
  const auto* header = reinterpret_cast<const char*>(params.userHeader.data());
  return {params.memoryType, params.memoryTypePolicy,
          params.receiverCallbackInfo ? &*params.receiverCallbackInfo : nullptr,
          std::string_view(header, params.userHeader.size())};
}

/// The prologue of an active message, kept until it has gone.
std::unique_ptr<core::AmSendExtra> makeAmExtra(const AmSendParams& params) {
  auto extra = std::make_unique<core::AmSendExtra>();
  extra->prologue = {params.memoryType, params.memoryTypePolicy, params.receiverCallbackInfo,
                     std::string(prologueOf(params).user_header)};
  return extra;
}

}  // namespace

std::shared_ptr<Request> Endpoint::amSend(const void* buffer, std::size_t length,
                                          ucs_memory_type_t memory_type,
                                          std::optional<AmReceiverCallbackInfo> receiver_callback,
                                          bool future, RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  AmSendParams params;
  params.memoryType = memory_type;
  params.receiverCallbackInfo = receiver_callback;
  return amSend(buffer, length, params, future, std::move(callback), std::move(data));
}

std::shared_ptr<Request> Endpoint::amSend(const void* buffer, std::size_t length,
                                          const AmSendParams& params, bool,
                                          RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  return postAmSend(buffer, length, params, {callback, data});
}

std::shared_ptr<Request> Endpoint::postAmSend(const void* buffer, std::size_t length,
                                              const AmSendParams& params,
                                              const core::Posting& posting) {
  core::requireBytes(buffer, length, OperationKind::AmSend);
  core::requireReachAsSaid(*state_, buffer, params.memoryType != UCS_MEMORY_TYPE_HOST,
                           OperationKind::AmSend);
  if (params.datatype != ucp_dt_make_contig(1))
    throw std::runtime_error(
        "active-message send: one buffer needs the datatype ucp_dt_make_contig(1)");
  requireAmParams(params, channelsOf(worker_->loop()).maxHeaderBytes());
  core::requireOpen(*state_, OperationKind::AmSend);
  const bool on_device = core::isSaidOnDevice(params.memoryType);
  if (params.memoryType == UCS_MEMORY_TYPE_HOST) {
    const core::AmPrologueView prologue = prologueOf(params);
    if (auto request = core::sendAtOnce<RequestAm, OperationKind::AmSend>(
            *state_, {buffer, length, 0, &prologue}, posting))
      return request;
  }
  auto request = makeRequest<RequestAm>(OperationKind::AmSend, posting);
  core::Operation& op = request->operation();
  op.buffer = const_cast<void*>(buffer);
  op.length = length;
  op.on_device = on_device;
  op.extra = makeAmExtra(params);
  posting.submit(worker_->loop(), op);
  return request;
}

std::shared_ptr<Request> Endpoint::amSend(std::vector<ucp_dt_iov_t> iov, const AmSendParams& params,
                                          bool, RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  return postAmSend(std::move(iov), params, {callback, data});
}

std::shared_ptr<Request> Endpoint::postAmSend(std::vector<ucp_dt_iov_t>&& iov,
                                              const AmSendParams& params,
                                              const core::Posting& posting) {
  if (params.datatype != UCP_DATATYPE_IOV)
    throw std::runtime_error(
        "active-message send: several blocks need the datatype UCP_DATATYPE_IOV");
  const std::size_t length = core::requireBlocks(iov, OperationKind::AmSend);
  for (const ucp_dt_iov_t& block : iov)
    core::requireReachAsSaid(*state_, block.buffer, params.memoryType != UCS_MEMORY_TYPE_HOST,
                             OperationKind::AmSend);
  requireAmParams(params, channelsOf(worker_->loop()).maxHeaderBytes());
  auto request = makeRequest<RequestAm>(OperationKind::AmSend, posting);
  core::Operation& op = request->operation();
  auto extra = makeAmExtra(params);
  extra->iov = std::move(iov);
  op.length = length;
  op.on_device = core::isSaidOnDevice(params.memoryType);
  op.extra = std::move(extra);
  posting.submit(worker_->loop(), op);
  return request;
}

std::shared_ptr<Request> Endpoint::amRecv(bool, RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  return postAmRecv({callback, data});
}

std::shared_ptr<Request> Endpoint::postAmRecv(const core::Posting& posting) {
  auto request = makeRequest<RequestAm>(OperationKind::AmRecv, posting);
  posting.submit(worker_->loop(), request->operation());
  return request;
}

std::shared_ptr<Request> Endpoint::streamSend(const void* buffer, std::size_t length, bool) {
  return postStream(OperationKind::StreamSend, const_cast<void*>(buffer), length, false, nullptr);
}

std::shared_ptr<Request> Endpoint::streamRecv(void* buffer, std::size_t length, bool) {
  return postStream(OperationKind::StreamRecv, buffer, length, false, nullptr);
}

std::shared_ptr<Request> Endpoint::streamRecvSome(void* buffer, std::size_t length, bool) {
  return postStream(OperationKind::StreamRecv, buffer, length, true, nullptr);
}

/// `posting`: null, it starts at once and nobody is called.
std::shared_ptr<Request> Endpoint::postStream(core::OperationKind kind, void* buffer,
                                              std::size_t length, bool takes_some,
                                              const core::Posting* posting) {
  if (buffer == nullptr || length == 0)
    throw std::runtime_error(fmt::format("{}: {} bytes at {}; a stream moves at least one byte",
                                         toString(kind), length, buffer));
  const bool sends = kind == OperationKind::StreamSend;
  const bool on_device = sends && core::isFromDevice(*state_, buffer, kind);
  const bool into_device =
      !sends &&
      core::isIntoDevice(buffer, kind, posting != nullptr && posting->condition != nullptr);
  if (sends && !on_device && posting == nullptr) {
    core::requireOpen(*state_, kind);
    if (core::sendSmall<core::MessageKind::Stream>(*state_, {buffer, length}))
      return core::ownerlessEndedRequest<RequestStream, OperationKind::StreamSend, Request>();
  }
  auto request = posting == nullptr ? makeRequest<RequestStream>(kind)
                                    : makeRequest<RequestStream>(kind, *posting);
  core::Operation& op = request->operation();
  op.buffer = buffer;
  op.length = length;
  op.on_device = on_device;
  op.takes_some = takes_some;
  if (into_device) core::setPlace(op, buffer);
  posting == nullptr ? requestsOf(worker_->loop()).submit(op)
                     : posting->submit(worker_->loop(), op);
  return request;
}

}  // namespace ucxx
