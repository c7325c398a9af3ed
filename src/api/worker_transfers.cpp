// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The transfers of a worker that belong to no endpoint.

#include <ucxx/request_flush.h>
#include <ucxx/request_tag.h>
#include <ucxx/worker.h>

#include "core/condition/posting.h"
#include "core/link/at_once.h"
#include "core/match/probed.h"
#include "core/match/transfers.h"
#include "core/request/buffer_checks.h"
#include "core/request/known_memory.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"

namespace ucxx {

using core::OperationKind;

/// Not by `postTagRecv`: what is posted most often asks for no condition.
std::shared_ptr<Request> Worker::tagRecv(void* buffer, std::size_t length, AnyTag tag,
                                         AnyTagMask mask, bool) {
  core::requireBytes(buffer, length, OperationKind::TagRecv);
  if (core::isIntoDevice(buffer, OperationKind::TagRecv)) [[unlikely]] {
    const core::KnownDevice known(buffer);
    return postTagRecv({{buffer, length}}, tag, mask, core::NoCallback());
  }
  auto request = core::makeRequest<RequestTag, Request>(shared_from_this(), OperationKind::TagRecv);
  core::setTagReceive(request->operation(), buffer, length, tag, mask);
  submitTagRecv(*loop_, request->operation());
  return request;
}

std::shared_ptr<Request> Worker::tagRecv(void* buffer, std::size_t length, AnyTag tag,
                                         AnyTagMask mask, bool,
                                         RequestCallbackUserFunction callback,
                                         RequestCallbackUserData data) {
  return postTagRecv(buffer, length, tag, mask, {callback, data});
}

std::shared_ptr<Request> Worker::postTagRecv(void* buffer, std::size_t length, Tag tag,
                                             TagMask mask, const core::Posting& posting) {
  core::requireBytes(buffer, length, OperationKind::TagRecv);
  if (core::isIntoDevice(buffer, OperationKind::TagRecv, posting.condition != nullptr)) {
    const core::KnownDevice known(buffer);
    return postTagRecv({{buffer, length}}, tag, mask, posting);
  }
  auto request =
      core::makeRequest<RequestTag>(shared_from_this(), OperationKind::TagRecv,
                                    std::move(posting.callback), std::move(posting.data));
  core::setTagReceive(request->operation(), buffer, length, tag, mask);
  posting.submit(*loop_, request->operation());
  return request;
}

std::shared_ptr<Request> Worker::tagRecv(std::vector<ucp_dt_iov_t> iov, AnyTag tag, AnyTagMask mask,
                                         bool, RequestCallbackUserFunction callback,
                                         RequestCallbackUserData data) {
  return postTagRecv(std::move(iov), tag, mask, {callback, data});
}

std::shared_ptr<Request> Worker::postTagRecv(std::vector<ucp_dt_iov_t>&& iov, Tag tag, TagMask mask,
                                             const core::Posting& posting) {
  core::Blocks blocks = core::requireReceivable(std::move(iov), posting.condition != nullptr);
  auto request =
      core::makeRequest<RequestTag>(shared_from_this(), OperationKind::ScatterRecv,
                                    std::move(posting.callback), std::move(posting.data));
  core::setBlocks(request->operation(), std::move(blocks), tag, mask);
  posting.submit(*loop_, request->operation());
  return request;
}

std::shared_ptr<Request> Worker::tagRecvWithHandle(void* buffer,
                                                   std::shared_ptr<TagProbeInfo> probe, bool,
                                                   RequestCallbackUserFunction callback,
                                                   RequestCallbackUserData data) {
  if (probe == nullptr || !probe->isMatched())
    throw std::invalid_argument("tagRecvWithHandle needs a probe that matched a message");
  if (!probe->hasMessage() || probe->consumed_)
    throw std::logic_error("tagRecvWithHandle needs a probe with `remove`, not received yet");
  if (probe->owner_ != this)
    throw std::invalid_argument("tagRecvWithHandle needs a probe of this worker, not of another");
  if (buffer == nullptr && probe->getInfo().length != 0)
    throw std::runtime_error("tagRecvWithHandle needs a buffer, not null");
  const bool into_device = core::isIntoDevice(buffer, OperationKind::TagRecv);
  const core::Probed probed = probe->take();
  if (probed.message == nullptr)
    throw std::logic_error("tagRecvWithHandle: the message was received by its handle already");
  return core::receiveProbed(probed, buffer, into_device, std::move(callback), std::move(data));
}

std::shared_ptr<Request> Worker::flush(bool, RequestCallbackUserFunction callback,
                                       RequestCallbackUserData data) {
  return postFlush({callback, data});
}

std::shared_ptr<Request> Worker::postFlush(const core::Posting& posting) {
  auto request =
      core::makeRequest<RequestFlush>(shared_from_this(), OperationKind::Flush,
                                      std::move(posting.callback), std::move(posting.data));
  posting.submit(*loop_, request->operation());
  return request;
}

}  // namespace ucxx
