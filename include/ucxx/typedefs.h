// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <ucp/api/ucp.h>

#include <ucxx/am_types.h>
#include <ucxx/export.h>

namespace ucxx {

class Address;
class Buffer;
class Context;
class Endpoint;
class Listener;
class MemoryHandle;
class RemoteKey;
class Request;
class TagProbeInfo;
class Worker;

/// A message's tag and the bits of it that must agree. Unscoped, so that they convert to integers
/// (`info.senderTag >> 32`); an integer becomes one by `Tag{n}`.
enum Tag : ucp_tag_t {};
enum TagMask : ucp_tag_t {};
static constexpr TagMask TagMaskFull{~ucp_tag_t{0}};

/// A tag, or a mask, as an argument: also an integer or enumerator, as UCX's functions take it.
template <class Exact>
class TagArgument {
 public:
  constexpr TagArgument(Exact value) noexcept : value_(value) {}  // NOLINT(google-explicit-*)
  template <
      class Number,
      std::enable_if_t<(std::is_integral_v<Number> ||
                        (std::is_enum_v<Number> && std::is_convertible_v<Number, ucp_tag_t>)) &&
                           !std::is_same_v<Number, bool> && !std::is_same_v<Number, Tag> &&
                           !std::is_same_v<Number, TagMask>,
                       int> = 0>
  constexpr TagArgument(Number value) noexcept  // NOLINT(google-explicit-*)
      : value_{static_cast<ucp_tag_t>(value)} {}
  constexpr operator Exact() const noexcept { return value_; }  // NOLINT(google-explicit-*)

 private:
  Exact value_;
};
using AnyTag = TagArgument<Tag>;
using AnyTagMask = TagArgument<TagMask>;

/// UCX settings, keys without the prefix `UCX_`.
using ConfigMap = std::unordered_map<std::string, std::string>;

/// Called once when a request ends, with its final status, before other threads see the completion:
/// on the caller's thread if the operation completes inline, else on the thread that progresses the
/// worker. May post further transfers; must not progress, wait or throw (what it throws is logged).
using RequestCallbackUserFunction = std::function<void(ucs_status_t, std::shared_ptr<void>)>;
using RequestCallbackUserData = std::shared_ptr<void>;

using EndpointCloseCallbackUserFunction = RequestCallbackUserFunction;
using EndpointCloseCallbackUserData = RequestCallbackUserData;

using ProgressThreadStartCallback = std::function<void(void*)>;
using ProgressThreadStartCallbackArg = void*;
using DelayedSubmissionCallbackType = std::function<void()>;
using ItemIdType = std::uint64_t;

/// A RemoteKey as bytes, for the program that is to reach its memory.
using SerializedRemoteKey = const std::string;
using SerializedRemoteKeyHash = std::size_t;

/// What a probed or received message was.
struct TagRecvInfo {
  TagRecvInfo(Tag sender_tag, std::size_t size_bytes) : senderTag(sender_tag), length(size_bytes) {}
  explicit TagRecvInfo(const ucp_tag_recv_info_t& info)
      : TagRecvInfo(Tag{info.sender_tag}, info.length) {}
  const Tag senderTag;
  const std::size_t length;
};

}  // namespace ucxx
