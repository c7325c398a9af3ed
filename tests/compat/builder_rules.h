// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// What programs of the builder generation assert at compile time, and what follows from it.
// Included by one source of each language standard.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ucxx/api.h>

namespace compat {

template <class T>
using Ptr = std::shared_ptr<T>;

template <class Builder, class Result>
constexpr bool kIsComponentBuilder =
    std::is_copy_constructible_v<Builder>&& std::is_copy_assignable_v<Builder>&&
        std::is_move_constructible_v<Builder>&&
            std::is_same_v<decltype(std::declval<Builder&>().build()), Ptr<Result>>&&
                std::is_convertible_v<Builder, Ptr<Result>>&&
                    std::is_convertible_v<Builder&, Ptr<Result>> &&
    !std::is_convertible_v<const Builder&, Ptr<Result>>;

static_assert(kIsComponentBuilder<ucxx::ContextBuilder, ucxx::Context>);
static_assert(kIsComponentBuilder<ucxx::WorkerBuilder, ucxx::Worker>);
static_assert(kIsComponentBuilder<ucxx::EndpointBuilder, ucxx::Endpoint>);
static_assert(kIsComponentBuilder<ucxx::ListenerBuilder, ucxx::Listener>);
static_assert(kIsComponentBuilder<ucxx::AddressBuilder, ucxx::Address>);
static_assert(kIsComponentBuilder<ucxx::MemoryHandleBuilder, ucxx::MemoryHandle>);
static_assert(kIsComponentBuilder<ucxx::RemoteKeyBuilder, ucxx::RemoteKey>);
static_assert(std::is_copy_constructible_v<ucxx::TagProbeInfoBuilder>);
static_assert(std::is_convertible_v<ucxx::TagProbeInfoBuilder, Ptr<ucxx::TagProbeInfo>>);

template <class Builder, class Result>
constexpr bool kIsRequestBuilder =
    !std::is_copy_constructible_v<Builder> && !std::is_copy_assignable_v<Builder> &&
    std::is_nothrow_move_constructible_v<Builder> && std::is_move_assignable_v<Builder> &&
    std::is_same_v<decltype(std::declval<Builder&>().build()), Ptr<Result>> &&
    std::is_convertible_v<Builder, Ptr<Result>> && std::is_convertible_v<Builder&, Ptr<Result>> &&
    std::is_convertible_v<Builder, Ptr<ucxx::Request>> &&
    std::is_convertible_v<Builder&, Ptr<ucxx::Request>> &&
    !std::is_convertible_v<const Builder&, Ptr<Result>> &&
    !std::is_convertible_v<const Builder&, Ptr<ucxx::Request>> &&
    std::is_same_v<decltype(std::declval<Builder&>().pythonFuture()), Builder&> &&
    std::is_same_v<decltype(std::declval<Builder>().pythonFuture(false)), Builder&&> &&
    std::is_base_of_v<ucxx::Request, Result>;

static_assert(kIsRequestBuilder<ucxx::RequestTagBuilder, ucxx::RequestTag>);
static_assert(kIsRequestBuilder<ucxx::RequestTagMultiBuilder, ucxx::RequestTagMulti>);
static_assert(kIsRequestBuilder<ucxx::RequestAmBuilder, ucxx::RequestAm>);
static_assert(kIsRequestBuilder<ucxx::RequestStreamBuilder, ucxx::RequestStream>);
static_assert(kIsRequestBuilder<ucxx::RequestMemBuilder, ucxx::RequestMem>);
static_assert(kIsRequestBuilder<ucxx::RequestFlushBuilder, ucxx::RequestFlush>);
static_assert(kIsRequestBuilder<ucxx::RequestEndpointCloseBuilder, ucxx::RequestEndpointClose>);

template <class Builder, class = void>
constexpr bool kHasCallback = false;
template <class Builder>
constexpr bool kHasCallback<Builder, std::void_t<decltype(std::declval<Builder&>().callbackFunction(
                                         std::declval<ucxx::RequestCallbackUserFunction>()))>> =
    std::is_same_v<decltype(std::declval<Builder&>().callbackFunction(nullptr)), Builder&>&&
        std::is_same_v<decltype(std::declval<Builder>().callbackFunction(nullptr)), Builder&&>&&
            std::is_same_v<decltype(std::declval<Builder&>().callbackData(nullptr)), Builder&>&&
                std::is_same_v<decltype(std::declval<Builder>().callbackData(nullptr)), Builder&&>;

static_assert(kHasCallback<ucxx::RequestTagBuilder> && kHasCallback<ucxx::RequestAmBuilder> &&
              kHasCallback<ucxx::RequestMemBuilder> && kHasCallback<ucxx::RequestFlushBuilder> &&
              kHasCallback<ucxx::RequestEndpointCloseBuilder>);
static_assert(!kHasCallback<ucxx::RequestTagMultiBuilder>);
// The established one has none.
static_assert(kHasCallback<ucxx::RequestStreamBuilder>);

// The setters of one builder alone.
using MemoryBuilder = ucxx::MemoryHandleBuilder;
template <class Expected, class Actual>
constexpr bool kIs = std::is_same_v<Expected, Actual>;
static_assert(
    kIs<MemoryBuilder&, decltype(std::declval<MemoryBuilder>().buffer(nullptr))> &&
    kIs<MemoryBuilder&, decltype(std::declval<MemoryBuilder>().memoryType(UCS_MEMORY_TYPE_HOST))>);
using MemBuilder = ucxx::RequestMemBuilder;
static_assert(kIs<MemBuilder&, decltype(std::declval<MemBuilder&>().remoteAddressOffset(1))> &&
              kIs<MemBuilder&&, decltype(std::declval<MemBuilder>().remoteAddressOffset(1))>);
using AmBuilder = ucxx::RequestAmBuilder;
static_assert(
    kIs<AmBuilder&, decltype(std::declval<AmBuilder&>().receiverCallbackInfo(std::nullopt))> &&
    kIs<AmBuilder&&, decltype(std::declval<AmBuilder>().receiverCallbackInfo(std::nullopt))>);

/// Whether `call(object, tail...)` is well-formed without a tail and with no part of one.
template <class Object, class Call>
constexpr bool refusesTail(Call) {
  using Function = ucxx::RequestCallbackUserFunction;
  return std::is_invocable_v<Call, Object&> && !std::is_invocable_v<Call, Object&, bool> &&
         !std::is_invocable_v<Call, Object&, bool, Function> &&
         !std::is_invocable_v<Call, Object&, bool, Function, ucxx::RequestCallbackUserData>;
}

static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail)
        -> std::void_t<decltype(object.tagSendBuilder(nullptr, 1u, ucxx::Tag{0}, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail)
        -> std::void_t<decltype(object.tagRecvBuilder(nullptr, 1u, ucxx::Tag{0}, ucxx::TagMaskFull,
                                                      tail...))> {}));
static_assert(refusesTail<ucxx::Worker>(
    [](auto& object, auto... tail)
        -> std::void_t<decltype(object.tagRecvBuilder(nullptr, 1u, ucxx::Tag{0}, ucxx::TagMaskFull,
                                                      tail...))> {}));
static_assert(refusesTail<ucxx::Worker>(
    [](auto& object, auto... tail) -> std::void_t<decltype(object.tagRecvWithHandleBuilder(
                                       nullptr, Ptr<ucxx::TagProbeInfo>{}, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail)
        -> std::void_t<decltype(object.amSendBuilder(nullptr, 1u, UCS_MEMORY_TYPE_HOST, tail...))> {
    }));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail)
        -> std::void_t<decltype(object.amSendBuilder(nullptr, 1u, ucxx::AmSendParams{}, tail...))> {
    }));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object,
       auto... tail) -> std::void_t<decltype(object.streamSendBuilder(nullptr, 1u, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object,
       auto... tail) -> std::void_t<decltype(object.streamRecvBuilder(nullptr, 1u, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail) -> std::void_t<decltype(object.tagMultiRecvBuilder(
                                       ucxx::Tag{0}, ucxx::TagMaskFull, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail) -> std::void_t<decltype(object.tagMultiSendBuilder(
                                       std::vector<const void*>{}, std::vector<std::size_t>{},
                                       std::vector<int>{}, ucxx::Tag{0}, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail)
        -> std::void_t<decltype(object.amSendBuilder(std::vector<ucp_dt_iov_t>{},
                                                     ucxx::AmSendParams{}, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail) -> std::void_t<decltype(object.amRecvBuilder(tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail) -> std::void_t<decltype(object.memPutBuilder(
                                       nullptr, 1u, Ptr<ucxx::RemoteKey>{}, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object,
       auto... tail) -> std::void_t<decltype(object.memPutBuilder(nullptr, 1u, std::uint64_t{1},
                                                                  ucp_rkey_h{}, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail) -> std::void_t<decltype(object.memGetBuilder(
                                       nullptr, 1u, Ptr<ucxx::RemoteKey>{}, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object,
       auto... tail) -> std::void_t<decltype(object.memGetBuilder(nullptr, 1u, std::uint64_t{1},
                                                                  ucp_rkey_h{}, tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail) -> std::void_t<decltype(object.flushBuilder(tail...))> {}));
static_assert(refusesTail<ucxx::Endpoint>(
    [](auto& object, auto... tail) -> std::void_t<decltype(object.closeBuilder(tail...))> {}));
static_assert(refusesTail<ucxx::Worker>(
    [](auto& object, auto... tail) -> std::void_t<decltype(object.flushBuilder(tail...))> {}));

// Tags: enums that convert to integers and nothing converts to.
static_assert(std::is_enum_v<ucxx::Tag> && std::is_enum_v<ucxx::TagMask>);
static_assert(std::is_convertible_v<ucxx::Tag, std::uint64_t>);
static_assert(!std::is_convertible_v<int, ucxx::Tag>);
static_assert((ucxx::Tag{std::uint64_t{5} << 32} >> 32) == 5);
static_assert(ucxx::TagMaskFull == ~std::uint64_t{0});
constexpr ucxx::Tag kConstantTag{7};
static_assert(ucxx::Tag(7) == kConstantTag && static_cast<ucxx::Tag>(7) == kConstantTag);

// Transfers give exactly the base class.
template <class Expected, class Actual>
constexpr bool kGives = std::is_same_v<Ptr<Expected>, Actual>;
static_assert(kGives<ucxx::Request,
                     decltype(std::declval<ucxx::Endpoint&>().tagSend(nullptr, 0, ucxx::Tag{0}))>);
static_assert(kGives<ucxx::Request, decltype(std::declval<ucxx::Endpoint&>().amRecv())>);
static_assert(
    kGives<ucxx::Request, decltype(std::declval<ucxx::Endpoint&>().streamSend(nullptr, 0, 0))>);

// Taken by address: not overloaded.
using ProgressFunction = bool (ucxx::Worker::*)();
static_assert(std::is_same_v<decltype(&ucxx::Worker::progress), ProgressFunction>);
static_assert(std::is_same_v<decltype(&ucxx::Worker::progressOnce), ProgressFunction>);
static_assert(std::is_same_v<decltype(&ucxx::Worker::waitProgress), ProgressFunction>);
static_assert(
    std::is_same_v<decltype(&ucxx::Worker::progressWorkerEvent), bool (ucxx::Worker::*)(int)>);

// Types whose members other programs name.
static_assert(std::is_same_v<ucxx::AmReceiverCallbackIdType, std::uint64_t>);
static_assert(sizeof(ucxx::AmReceiverCallbackOwnerType) == 64);
static_assert(std::is_convertible_v<const char*, ucxx::AmReceiverCallbackOwnerType>);
static_assert(std::is_convertible_v<std::string, ucxx::AmReceiverCallbackOwnerType>);
static_assert(!std::is_default_constructible_v<ucxx::AmReceiverCallbackInfo>);
static_assert(std::is_copy_constructible_v<ucxx::AmReceiverCallbackInfo>);
static_assert(
    std::is_same_v<ucxx::EndpointCloseCallbackUserFunction, ucxx::RequestCallbackUserFunction>);
static_assert(ucxx::Context::defaultFeatureFlags ==
              (UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP | UCP_FEATURE_STREAM | UCP_FEATURE_AM |
               UCP_FEATURE_RMA));
static_assert(ucxx::HeaderFramesSize == 100);
static_assert(std::is_base_of_v<ucxx::Component, ucxx::Context> &&
              std::is_base_of_v<ucxx::Component, ucxx::Worker> &&
              std::is_base_of_v<ucxx::Component, ucxx::Endpoint> &&
              std::is_base_of_v<ucxx::Component, ucxx::Listener> &&
              std::is_base_of_v<ucxx::Component, ucxx::Address> &&
              std::is_base_of_v<ucxx::Component, ucxx::MemoryHandle> &&
              std::is_base_of_v<ucxx::Component, ucxx::RemoteKey> &&
              std::is_base_of_v<ucxx::Component, ucxx::Request>);
static_assert(!std::is_copy_constructible_v<ucxx::Context> &&
              !std::is_move_constructible_v<ucxx::Context>);
static_assert(std::is_base_of_v<std::exception, ucxx::Error> &&
              std::is_constructible_v<ucxx::Error, const std::string&>);

}  // namespace compat
