// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/meeting.h"

#include <utility>

namespace ucxx::kills {

Reception::Reception(Worker& worker) {
  const std::lock_guard lock(mutex_);  // until `listener_` is there
  listener_ = worker.createListener(0, &Reception::onCall, this, "127.0.0.1");
}

void Reception::onCall(ucp_conn_request_h call, void* self) {
  auto& reception = *static_cast<Reception*>(self);
  const std::lock_guard lock(reception.mutex_);
  auto endpoint = reception.listener_->createEndpointFromConnRequest(call);
  if (reception.accepted_ == nullptr) reception.accepted_ = std::move(endpoint);
}

std::shared_ptr<Endpoint> Reception::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(accepted_, nullptr);
}

}  // namespace ucxx::kills
