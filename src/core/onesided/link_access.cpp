// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Messages of one-sided operations: ours on the peer's memory (accesses.h), the peer's on ours
// (served.h).

#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/onesided/accesses.h"
#include "core/onesided/served.h"
#include "core/wire/wire.h"

namespace ucxx::core {

void Link::onAccess(const Incoming& message) {
  const WireHeader& header = message.header;
  const bool is_valid = header.kind == MessageKind::Answer
                            ? accesses_.take(statusFrom(header.argument, UCS_ERR_IO_ERROR),
                                             message.bytes, message.size)
                            : served_.take(message);
  if (!is_valid) fail(UCS_ERR_INVALID_PARAM);
}

}  // namespace ucxx::core
