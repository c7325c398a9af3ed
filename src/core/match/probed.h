// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucxx/typedefs.h>

#include "core/match/message.h"

namespace ucxx::core {

/// A message that a probe took out, and the worker that has it.
struct Probed {
  std::shared_ptr<Worker> worker;
  Message* message = nullptr;
};

/// @name Handles of probed messages, as programs hold them. Any thread.
/// A handle names its message until somebody takes that, or its worker ends; later it names
/// nothing, and never another one.
/// @{
ucp_tag_message_h enlistProbed(const Probed& probed);
/// The caller has the message now, to receive or to drop it. Null: nobody has, or somebody else.
Probed takeProbed(ucp_tag_message_h handle);
/// The caller of `takeProbed` has done nothing with it.
void putProbedBack(ucp_tag_message_h handle, const Probed& probed);
/// Null: there is no such message.
std::shared_ptr<Worker> workerOfProbed(ucp_tag_message_h handle);
/// @}

/// Posts the receive of a message that the caller has taken.
std::shared_ptr<Request> receiveProbed(const Probed& probed, void* buffer, bool into_device = false,
                                       RequestCallbackUserFunction callback = nullptr,
                                       RequestCallbackUserData data = nullptr);
/// Drops it.
void dropProbed(const Probed& probed) noexcept;

}  // namespace ucxx::core
