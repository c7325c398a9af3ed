// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/condition/repetition.h"

#include <ucxx/request_am.h>
#include <ucxx/request_flush.h>
#include <ucxx/request_mem.h>
#include <ucxx/request_stream.h>
#include <ucxx/request_tag.h>
#include <ucxx/request_tag_multi.h>

#include "core/request/continuations.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/posted_receive.h"

namespace ucxx::core {
namespace {

std::shared_ptr<Request> makeSame(OperationKind kind) {
  switch (kind) {
    case OperationKind::TagSend:
    case OperationKind::TagRecv:
    case OperationKind::ScatterRecv:
    case OperationKind::PreparedEnd:
    case OperationKind::PreparedStart:
    case OperationKind::PreparedReady:
    case OperationKind::PreparedGroup:
      return makeRequest<RequestTag>(nullptr, kind);
    case OperationKind::AmSend:
    case OperationKind::AmRecv:
      return makeRequest<RequestAm>(nullptr, kind);
    case OperationKind::StreamSend:
    case OperationKind::StreamRecv:
      return makeRequest<RequestStream>(nullptr, kind);
    case OperationKind::MultiSend:
    case OperationKind::MultiRecv:
      return makeRequest<RequestTagMulti>(nullptr, kind);
    case OperationKind::MemPut:
    case OperationKind::MemGet:
    case OperationKind::Atomic:
      return makeRequest<RequestMem>(nullptr, kind);
    case OperationKind::Flush:
      return makeRequest<RequestFlush>(nullptr, kind);
    case OperationKind::PreparedSend:
    case OperationKind::PreparedRecv:
    case OperationKind::Close:
      break;  // these take no condition
  }
  return nullptr;
}

}  // namespace

Operation& makeRepetition(const Operation& armed, Continuation& at_end) {
  const std::shared_ptr<Request> request = makeSame(armed.kind);
  Operation& op = request->operation();
  if (armed.extra != nullptr) op.extra = armed.extra->again();
  op.loop = armed.loop;
  op.endpoint = armed.endpoint;
  op.buffer = armed.buffer;
  op.length = armed.length;
  op.tag = armed.tag;
  op.mask = armed.mask;
  op.on_device = armed.on_device;
  op.synchronous = armed.synchronous;
  op.takes_some = armed.takes_some;
  if (void* const own = op.extra != nullptr ? op.extra->ownBuffer() : nullptr) op.buffer = own;
  op.outcome.holdAlone();  // the loop's; that of `request` goes with it
  op.outcome.watch();
  op.continuations.add(at_end);
  return op;
}

}  // namespace ucxx::core
