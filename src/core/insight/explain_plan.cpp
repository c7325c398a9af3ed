// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// How the bytes of prepared transfers go, for people.

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/prepared.h>

#include "core/insight/explain.h"
#include "core/link/link.h"
#include "core/loop/loop.h"
#include "core/loop/posts.h"
#include "core/plan/plan.h"
#include "core/plan/recv_plan.h"
#include "core/plan/send_plan.h"
#include "core/request/endpoint_core.h"
#include "local/choices.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

using local::choices::kMostPushed;

constexpr char kNotShared[] =
    "pushed: needs both processes on one machine, and the receiver's buffer in memory of the "
    "library (MemoryHandle, or a HostBuffer of more than 16 KiB) that the sender maps";

}  // namespace

Explanation Plan::explain() {
  if (hasFailed() || isClosing())
    return {"none", fmt::format("none: {}{}", ucp::statusText(failure_), reason()), {}, {}};
  Link* const link = linkOf(*endpoint_);
  if (link == nullptr) return {"none", "kept until the endpoint has a link", {}, {}};
  Explanation said = explainMessage(*link, partitionBytes(), false);
  explainWay(said);
  return said;
}

void SendPlan::explainWay(Explanation& said) const {
  if (!is_answered_) {
    said.way = "kept until the peer has prepared a receive for it";
  } else if (target_.load(std::memory_order_relaxed) != nullptr) {
    said.way = fmt::format(
        "pushed: copied into the receiver's buffer by the thread that makes a partition ready, or "
        "by the loop when a kernel does; up to {} bytes at a time, more than that: {}",
        kMostPushed, said.way);
  } else if (!isPushed(1)) {
    said.remarks.push_back(
        fmt::format("pushed: a partition of {} bytes is more than {}; make more partitions",
                    partitionBytes(), kMostPushed));
  } else {
    said.remarks.emplace_back(kNotShared);
  }
}

void RecvPlan::explainWay(Explanation& said) const {
  if (!isMatched()) {
    said.way = "kept until the peer has prepared a send for it";
  } else if (is_shared_) {
    said.way = fmt::format(
        "pushed: written by the sender, if it maps this memory; up to {} bytes at a time, more "
        "than that: {}",
        kMostPushed, said.way);
  } else {
    said.remarks.emplace_back(kNotShared);
  }
}

}  // namespace ucxx::core

namespace ucxx {

Explanation Prepared::explain() const {
  Explanation said;
  endpoint_->state().loop.posts.run([&] { said = plan_->explain(); });
  return said;
}

}  // namespace ucxx
