// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "core/match/endpoint_state.h"
#include "core/request/operation.h"

namespace ucxx::core {

/// An endpoint with what its link does for it. Every endpoint is one; rooms below know less of it.
class LinkedEndpoint final : public EndpointState {
 public:
  using EndpointState::EndpointState;
  ~LinkedEndpoint() override { discardMessages(*this); }  // their ends may tell it

  /// @name flush_close.cpp
  /// @{
  void resumeFlushes() override;
  /// What is still in flight over UCX ends with the connection, when nothing else needs that and
  /// nothing moves any more.
  void closeByForce() override;
  void giveUp() override;
  /// @}
  void countLoss(const Operation& op) noexcept override;  // untaken.cpp

 private:
  void onRecallUnanswered() noexcept override;
  void onConnectLate() noexcept override;
  void onReviewDue() override;
};

}  // namespace ucxx::core
