// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/request/endpoint_core.h"

#include "core/loop/loop.h"

namespace ucxx::core {

EndpointCore::EndpointCore(Loop& its_loop, bool is_own_opened)
    : loop(its_loop),
      key(nextId()),
      own_opened(is_own_opened),
      review(loop.reviews, *this, [](EndpointCore& it) { it.onReviewDue(); }) {
  enlistHandle(key, loop.user());
}

EndpointCore::~EndpointCore() { delistHandle(key); }

}  // namespace ucxx::core
