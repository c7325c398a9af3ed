// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/calls.h"

namespace ucxx::door {

Call& Calls::start(std::vector<SocketAddress> addresses, Hello hello, Descriptors descriptors,
                   void* context, base::TimePoint deadline) {
  auto owned = std::make_unique<Call>(door_, std::move(addresses), std::move(hello),
                                      std::move(descriptors), context, deadline);
  Call& call = *owned;
  all_.emplace(&call, std::move(owned));
  try {
    reschedule(call);
    call.dial();
  } catch (...) {
    take(call);
    throw;
  }
  reschedule(call);
  return call;
}

std::unique_ptr<Call> Calls::take(Call& call) {
  const auto found = all_.find(&call);
  if (found == all_.end()) return nullptr;
  auto taken = std::move(found->second);
  all_.erase(found);
  agenda_.erase({call.scheduled, &call});
  return taken;
}

void Calls::reschedule(Call& call) {
  auto entry = agenda_.extract({call.scheduled, &call});
  call.scheduled = call.due();
  if (entry.empty()) {
    agenda_.emplace(call.scheduled, &call);
  } else {  // without memory for another
    entry.value() = {call.scheduled, &call};
    agenda_.insert(std::move(entry));
  }
}

void Calls::endForWantOfMemory(Call& call) {
  if (all_.count(&call) != 0) call.end(UCS_ERR_NO_MEMORY);
}

base::TimePoint Calls::nextDeadline() const noexcept {
  return agenda_.empty() ? base::TimePoint::max() : agenda_.begin()->first;
}

void Calls::onTime(base::TimePoint now) {
  // Each step ends the call, or dials again: that may fail at once, but then waits for the next
  // round.
  for (std::size_t left = agenda_.size(); left > 0 && nextDeadline() <= now; --left) {
    Call& call = *agenda_.begin()->second;
    orEnd(call, [&] { call.onTime(); });
  }
}

}  // namespace ucxx::door
