// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>

#include <ucxx/endpoint.h>

#include "core/condition/posting.h"
#include "core/match/endpoint_state.h"
#include "core/request/buffer_checks.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"

namespace ucxx {

/// A request of this endpoint; `Public` is what the caller of a builder gets.
template <class Public, class Returned>
std::shared_ptr<Returned> Endpoint::makeRequest(core::OperationKind kind) {
  // Two threads may close at once: the second one's request ends with the first's.
  if (kind != core::OperationKind::Close) core::requireOpen(*state_, kind);
  auto request = core::makeRequest<Public, Returned>(shared_from_this(), kind);
  request->operation().endpoint = state_;
  return request;
}

template <class Public>
std::shared_ptr<Public> Endpoint::makeRequest(core::OperationKind kind,
                                              RequestCallbackUserFunction&& callback,
                                              RequestCallbackUserData&& data) {
  auto request = makeRequest<Public>(kind);
  core::Operation& op = request->operation();
  if (callback) op.callback = std::move(callback);
  op.callback_data = std::move(data);
  return request;
}

template <class Public>
std::shared_ptr<Public> Endpoint::makeRequest(core::OperationKind kind,
                                              const core::Posting& posting) {
  return makeRequest<Public>(kind, std::move(posting.callback), std::move(posting.data));
}

}  // namespace ucxx
