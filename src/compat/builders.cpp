// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <stdexcept>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <ucxx/address.h>
#include <ucxx/address_builder.h>
#include <ucxx/context.h>
#include <ucxx/context_builder.h>
#include <ucxx/endpoint.h>
#include <ucxx/endpoint_builder.h>
#include <ucxx/exception.h>
#include <ucxx/listener.h>
#include <ucxx/listener_builder.h>
#include <ucxx/request_am_builder.h>
#include <ucxx/request_endpoint_close_builder.h>
#include <ucxx/request_flush_builder.h>
#include <ucxx/request_mem_builder.h>
#include <ucxx/request_stream_builder.h>
#include <ucxx/request_tag_builder.h>
#include <ucxx/request_tag_multi_builder.h>
#include <ucxx/worker.h>
#include <ucxx/worker_builder.h>

#include "api/remote_keys.h"
#include "core/condition/condition_state.h"
#include "core/condition/posting.h"
#include "core/request/operation_kind.h"
#include "core/request/required.h"

namespace ucxx {
namespace {

using core::required;
using detail::RequestOwner;

/// What a builder was given in place of what `needed` says.
[[noreturn]] void refuse(const RequestOwner& owner, const char* needed) {
  const char* given = "something that is neither";
  if (owner.component == nullptr) given = "null";
  if (owner.worker != nullptr) given = "a worker";
  throw InvalidParamError(
      fmt::format("request builder: this operation needs {}, and was given {}", needed, given));
}

void refuse(const Condition& condition, const char* what) {
  if (condition) throw UnsupportedError(fmt::format("condition: {} cannot wait for one", what));
}

Endpoint& endpointOf(const RequestOwner& owner) {
  if (owner.endpoint == nullptr) refuse(owner, "an endpoint");
  return *owner.endpoint;
}

/// Calls `post` with the endpoint or with the worker.
template <class Post>
std::shared_ptr<Request> onOwner(const RequestOwner& owner, const Post& post) {
  if (owner.endpoint != nullptr) return post(*owner.endpoint);
  if (owner.worker == nullptr) refuse(owner, "an endpoint or a worker");
  return post(*owner.worker);
}

std::shared_ptr<Worker> workerOf(const RequestOwner& owner) {
  if (owner.endpoint != nullptr) return owner.endpoint->getWorker();
  if (owner.worker == nullptr) refuse(owner, "an endpoint or a worker");
  return owner.worker->shared_from_this();
}

/// A positional function returns the base class; which request it made is known here.
template <class Result>
std::shared_ptr<Result> as(std::shared_ptr<Request> request) {
  return std::static_pointer_cast<Result>(std::move(request));
}

}  // namespace

namespace detail {

RequestOwner::RequestOwner(Endpoint& target)
    : component(target.shared_from_this()), endpoint(&target) {}

RequestOwner::RequestOwner(Worker& target)
    : component(target.shared_from_this()), worker(&target) {}

RequestOwner::RequestOwner(std::shared_ptr<Component> endpoint_or_worker)
    : component(std::move(endpoint_or_worker)),
      endpoint(dynamic_cast<Endpoint*>(component.get())),
      worker(dynamic_cast<Worker*>(component.get())) {}

}  // namespace detail

std::shared_ptr<Context> ContextBuilder::build() { return createContext(config_, feature_flags_); }

std::shared_ptr<Worker> WorkerBuilder::build() { return createWorker(context_, options_); }

std::shared_ptr<Address> AddressBuilder::build() {
  return worker_ != nullptr ? worker_->getAddress() : createAddressFromString(bytes_);
}

std::shared_ptr<Listener> ListenerBuilder::build() {
  return required(worker_, "the worker of a listener builder")
      .createListener(port_, callback_, callback_args_, host_);
}

std::shared_ptr<Endpoint> EndpointBuilder::build() {
  if (const auto* from = std::get_if<Hostname>(&source_))
    return required(from->worker, "the worker of an endpoint builder")
        .createEndpointFromHostname(from->ip_address, from->port, error_handling_,
                                    connect_timeout_);
  if (const auto* from = std::get_if<ConnRequest>(&source_))
    return required(from->listener, "the listener of an endpoint builder")
        .createEndpointFromConnRequest(from->request, error_handling_);
  const auto& from = std::get<WorkerAddress>(source_);
  return required(from.worker, "the worker of an endpoint builder")
      .createEndpointFromWorkerAddress(from.address, error_handling_, connect_timeout_);
}

RequestTagBuilder& RequestTagBuilder::synchronous(bool enable) & {
  auto* send = std::get_if<data::TagSend>(&data_);
  if (send == nullptr) throw std::logic_error("synchronous: belongs to a send, this is a receive");
  send->synchronous = enable;
  return *this;
}

std::shared_ptr<Request> RequestTagBuilder::submitSend(Endpoint& endpoint, data::TagSend& send) {
  const core::Posting posting{callback_, callback_data_, condition_.state()};
  if (send.iov)
    return endpoint.postTagSend(std::move(*send.iov), send.tag, send.synchronous, posting);
  if (send.synchronous || condition_)
    return endpoint.postTagSend({send.buffer, send.length, send.tag, send.synchronous}, posting);
  return endpoint.tagSend(send.buffer, send.length, send.tag, future_, std::move(callback_),
                          std::move(callback_data_));
}

std::shared_ptr<RequestTag> RequestTagBuilder::submit(const RequestOwner& owner) {
  if (auto* send = std::get_if<data::TagSend>(&data_))
    return as<RequestTag>(submitSend(endpointOf(owner), *send));
  if (auto* receive = std::get_if<data::TagReceive>(&data_)) {
    const core::Posting posting{callback_, callback_data_, condition_.state()};
    const auto post = [&](auto& target) {
      if (receive->iov)
        return target.postTagRecv(std::move(*receive->iov), receive->tag, receive->tagMask,
                                  posting);
      return target.postTagRecv(receive->buffer, receive->length, receive->tag, receive->tagMask,
                                posting);
    };
    return as<RequestTag>(onOwner(owner, post));
  }
  const auto& receive = std::get<data::TagReceiveWithHandle>(data_);
  refuse(condition_, "a receive by a probe's handle, whose message is here");
  const std::shared_ptr<Worker> worker = workerOf(owner);
  if (receive.length && receive.probeInfo != nullptr && receive.probeInfo->isMatched() &&
      *receive.length < receive.probeInfo->getInfo().length)
    throw MessageTruncatedError("tagRecvWithHandle: the message has " +
                                std::to_string(receive.probeInfo->getInfo().length) +
                                " bytes, the buffer " + std::to_string(*receive.length));
  return as<RequestTag>(worker->tagRecvWithHandle(receive.buffer, receive.probeInfo, future_,
                                                  std::move(callback_), std::move(callback_data_)));
}

RequestAmBuilder& RequestAmBuilder::receiverCallbackInfo(
    std::optional<AmReceiverCallbackInfo> info) & {
  auto* send = std::get_if<data::AmSend>(&data_);
  if (send == nullptr)
    throw std::logic_error("receiverCallbackInfo: belongs to a send, this is a receive");
  send->params.receiverCallbackInfo = info;
  return *this;
}

std::shared_ptr<RequestAm> RequestAmBuilder::submit(const RequestOwner& owner) {
  Endpoint& endpoint = endpointOf(owner);
  auto* send = std::get_if<data::AmSend>(&data_);
  const core::Posting posting{callback_, callback_data_, condition_.state()};
  if (send == nullptr) return as<RequestAm>(endpoint.postAmRecv(posting));
  if (send->iov)
    return as<RequestAm>(endpoint.postAmSend(std::move(*send->iov), send->params, posting));
  return as<RequestAm>(endpoint.postAmSend(send->buffer, send->length, send->params, posting));
}

RequestStreamBuilder& RequestStreamBuilder::some(bool enable) & {
  auto* receive = std::get_if<data::StreamReceive>(&data_);
  if (receive == nullptr) throw std::logic_error("some: belongs to a receive, this is a send");
  receive->some = enable;
  return *this;
}

std::shared_ptr<RequestStream> RequestStreamBuilder::submit(const RequestOwner& owner) {
  Endpoint& endpoint = endpointOf(owner);
  const core::Posting posting{callback_, callback_data_, condition_.state()};
  const core::Posting* const given = callback_ || condition_ ? &posting : nullptr;
  if (const auto* send = std::get_if<data::StreamSend>(&data_))
    return as<RequestStream>(endpoint.postStream(core::OperationKind::StreamSend,
                                                 const_cast<void*>(send->buffer), send->length,
                                                 false, given));
  const auto& receive = std::get<data::StreamReceive>(data_);
  return as<RequestStream>(endpoint.postStream(core::OperationKind::StreamRecv, receive.buffer,
                                               receive.length, receive.some, given));
}

std::shared_ptr<RequestMem> RequestMemBuilder::submit(const RequestOwner& owner) {
  Endpoint& endpoint = endpointOf(owner);
  const core::Posting posting{callback_, callback_data_, condition_.state()};
  if (const auto* put = std::get_if<data::MemPut>(&data_)) {
    const core::KeyedPlace place = placeOf(*put, put->length, core::OperationKind::MemPut);
    if (condition_)
      return as<RequestMem>(
          endpoint.postPut(put->buffer, put->length, place.key, place.offset, posting));
    return as<RequestMem>(endpoint.memPut(put->buffer, put->length, place.key, place.offset,
                                          future_, std::move(callback_),
                                          std::move(callback_data_)));
  }
  const auto& get = std::get<data::MemGet>(data_);
  const core::KeyedPlace place = placeOf(get, get.length, core::OperationKind::MemGet);
  if (condition_)
    return as<RequestMem>(
        endpoint.postGet(get.buffer, get.length, place.key, place.offset, posting));
  return as<RequestMem>(endpoint.memGet(get.buffer, get.length, place.key, place.offset, future_,
                                        std::move(callback_), std::move(callback_data_)));
}

std::shared_ptr<RequestMem> RequestAtomicBuilder::submit(const RequestOwner& owner) {
  Endpoint& endpoint = endpointOf(owner);
  if (condition_)
    return as<RequestMem>(endpoint.post(
        data_.update, data_.remoteKey, data_.offset,
        core::Posting{callback_, callback_data_, condition_.state()}, data_.operands));
  return as<RequestMem>(endpoint.start(data_.update, data_.remoteKey, data_.offset,
                                       std::move(callback_), std::move(callback_data_)));
}

std::shared_ptr<RequestTagMulti> RequestTagMultiBuilder::submit(const RequestOwner& owner) {
  Endpoint& endpoint = endpointOf(owner);
  core::ConditionState* const condition = condition_.state();
  if (const auto* send = std::get_if<data::TagMultiSend>(&data_))
    return as<RequestTagMulti>(
        endpoint.postMultiSend(send->buffers, send->sizes, send->isCUDA, send->tag, condition));
  const auto& receive = std::get<data::TagMultiReceive>(data_);
  return as<RequestTagMulti>(endpoint.postMultiRecv(receive.tag, receive.tagMask, condition));
}

std::shared_ptr<RequestFlush> RequestFlushBuilder::submit(const RequestOwner& owner) {
  const core::Posting posting{callback_, callback_data_, condition_.state()};
  const auto post = [&](auto& target) { return target.postFlush(posting); };
  return as<RequestFlush>(onOwner(owner, post));
}

std::shared_ptr<RequestEndpointClose> RequestEndpointCloseBuilder::submit(
    const RequestOwner& owner) {
  Endpoint& endpoint = endpointOf(owner);
  refuse(condition_, "a close");
  if (data_.force) endpoint.cancelInflightRequests();
  return as<RequestEndpointClose>(
      timeout_ ? endpoint.close(*timeout_, std::move(callback_), std::move(callback_data_))
               : endpoint.close(future_, std::move(callback_), std::move(callback_data_)));
}

RequestTagBuilder requestTagBuilder(std::shared_ptr<Component> endpoint_or_worker,
                                    RequestTagBuilder::Data data) {
  return {RequestOwner(std::move(endpoint_or_worker)), std::move(data)};
}

RequestAmBuilder requestAmBuilder(std::shared_ptr<Component> endpoint,
                                  RequestAmBuilder::Data data) {
  return {RequestOwner(std::move(endpoint)), std::move(data)};
}

RequestStreamBuilder requestStreamBuilder(std::shared_ptr<Component> endpoint,
                                          RequestStreamBuilder::Data data) {
  return {RequestOwner(std::move(endpoint)), data};
}

RequestAtomicBuilder requestAtomicBuilder(std::shared_ptr<Component> endpoint,
                                          RequestAtomicBuilder::Data data) {
  return {RequestOwner(std::move(endpoint)), std::move(data)};
}

RequestTagMultiBuilder requestTagMultiBuilder(std::shared_ptr<Component> endpoint,
                                              RequestTagMultiBuilder::Data data) {
  return {RequestOwner(std::move(endpoint)), std::move(data)};
}

RequestMemBuilder requestMemBuilder(std::shared_ptr<Component> endpoint,
                                    RequestMemBuilder::Data data) {
  return {RequestOwner(std::move(endpoint)), std::move(data)};
}

RequestFlushBuilder requestFlushBuilder(std::shared_ptr<Component> endpoint_or_worker,
                                        data::Flush data) {
  return {RequestOwner(std::move(endpoint_or_worker)), data};
}

RequestEndpointCloseBuilder requestEndpointCloseBuilder(std::shared_ptr<Component> endpoint,
                                                        data::EndpointClose data) {
  return {RequestOwner(std::move(endpoint)), data};
}

WorkerBuilder Context::workerBuilder() { return WorkerBuilder(shared_from_this()); }

AddressBuilder Worker::addressBuilder() { return AddressBuilder(shared_from_this()); }

EndpointBuilder Worker::endpointBuilder(const std::string& ip_address, std::uint16_t port) {
  return {shared_from_this(), ip_address, port};
}

EndpointBuilder Worker::endpointBuilder(std::shared_ptr<Address> address) {
  return {shared_from_this(), std::move(address)};
}

ListenerBuilder Worker::listenerBuilder(std::uint16_t port, ucp_listener_conn_callback_t callback,
                                        void* callback_args) {
  return {shared_from_this(), port, callback, callback_args};
}

RequestTagBuilder Worker::tagRecvBuilder(void* buffer, std::size_t length, AnyTag tag,
                                         AnyTagMask tag_mask) {
  return {RequestOwner(*this), data::TagReceive(buffer, length, tag, tag_mask)};
}

RequestTagBuilder Worker::tagRecvBuilder(std::vector<ucp_dt_iov_t> iov, AnyTag tag,
                                         AnyTagMask tag_mask) {
  return {RequestOwner(*this), data::TagReceive(std::move(iov), tag, tag_mask)};
}

RequestTagBuilder Worker::tagRecvWithHandleBuilder(void* buffer,
                                                   std::shared_ptr<TagProbeInfo> probe_info) {
  return {RequestOwner(*this), data::TagReceiveWithHandle(buffer, std::move(probe_info))};
}

RequestTagBuilder Worker::tagRecvWithHandleBuilder(void* buffer, std::size_t length,
                                                   std::shared_ptr<TagProbeInfo> probe_info) {
  return {RequestOwner(*this), data::TagReceiveWithHandle(buffer, length, std::move(probe_info))};
}

RequestFlushBuilder Worker::flushBuilder() { return {RequestOwner(*this), data::Flush{}}; }

EndpointBuilder Listener::endpointBuilder(ucp_conn_request_h request) {
  return {shared_from_this(), request};
}

RequestTagBuilder Endpoint::tagSendBuilder(const void* buffer, std::size_t length, AnyTag tag) {
  return {RequestOwner(*this), data::TagSend(buffer, length, tag)};
}

RequestTagBuilder Endpoint::tagRecvBuilder(void* buffer, std::size_t length, AnyTag tag,
                                           AnyTagMask tag_mask) {
  return {RequestOwner(*this), data::TagReceive(buffer, length, tag, tag_mask)};
}

RequestTagBuilder Endpoint::tagSendBuilder(std::vector<ucp_dt_iov_t> iov, AnyTag tag) {
  return {RequestOwner(*this), data::TagSend(std::move(iov), tag)};
}

RequestTagBuilder Endpoint::tagRecvBuilder(std::vector<ucp_dt_iov_t> iov, AnyTag tag,
                                           AnyTagMask tag_mask) {
  return {RequestOwner(*this), data::TagReceive(std::move(iov), tag, tag_mask)};
}

RequestTagMultiBuilder Endpoint::tagMultiSendBuilder(const std::vector<const void*>& buffers,
                                                     const std::vector<std::size_t>& sizes,
                                                     const std::vector<int>& is_cuda, AnyTag tag) {
  return {RequestOwner(*this), data::TagMultiSend(buffers, sizes, is_cuda, tag)};
}

RequestTagMultiBuilder Endpoint::tagMultiRecvBuilder(AnyTag tag, AnyTagMask tag_mask) {
  return {RequestOwner(*this), data::TagMultiReceive(tag, tag_mask)};
}

RequestAmBuilder Endpoint::amSendBuilder(const void* buffer, std::size_t length,
                                         ucs_memory_type_t memory_type) {
  return {RequestOwner(*this), data::AmSend(buffer, length, memory_type)};
}

RequestAmBuilder Endpoint::amSendBuilder(const void* buffer, std::size_t length,
                                         const AmSendParams& params) {
  return {RequestOwner(*this), data::AmSend(buffer, length, params)};
}

RequestAmBuilder Endpoint::amSendBuilder(std::vector<ucp_dt_iov_t> iov,
                                         const AmSendParams& params) {
  return {RequestOwner(*this), data::AmSend(std::move(iov), params)};
}

RequestAmBuilder Endpoint::amRecvBuilder() { return {RequestOwner(*this), data::AmReceive{}}; }

RequestStreamBuilder Endpoint::streamSendBuilder(const void* buffer, std::size_t length) {
  return {RequestOwner(*this), data::StreamSend(buffer, length)};
}

RequestStreamBuilder Endpoint::streamRecvBuilder(void* buffer, std::size_t length) {
  return {RequestOwner(*this), data::StreamReceive(buffer, length)};
}

RequestMemBuilder Endpoint::memPutBuilder(const void* buffer, std::size_t length,
                                          std::shared_ptr<RemoteKey> key) {
  return {RequestOwner(*this), data::MemPut(buffer, length, std::move(key))};
}

RequestMemBuilder Endpoint::memPutBuilder(const void* buffer, std::size_t length,
                                          std::uint64_t address, ucp_rkey_h handle) {
  return {RequestOwner(*this), data::MemPut(buffer, length, address, handle)};
}

RequestMemBuilder Endpoint::memGetBuilder(void* buffer, std::size_t length,
                                          std::shared_ptr<RemoteKey> key) {
  return {RequestOwner(*this), data::MemGet(buffer, length, std::move(key))};
}

RequestMemBuilder Endpoint::memGetBuilder(void* buffer, std::size_t length, std::uint64_t address,
                                          ucp_rkey_h handle) {
  return {RequestOwner(*this), data::MemGet(buffer, length, address, handle)};
}

RequestAtomicBuilder Endpoint::atomicBuilder(const data::WordUpdate& update,
                                             std::shared_ptr<RemoteKey> key) {
  return {RequestOwner(*this), data::Atomic(update, std::move(key))};
}

RequestFlushBuilder Endpoint::flushBuilder() { return {RequestOwner(*this), data::Flush{}}; }

RequestEndpointCloseBuilder Endpoint::closeBuilder() {
  return {RequestOwner(*this), data::EndpointClose()};
}

}  // namespace ucxx
