// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/match/probed.h"

#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include <ucxx/request_tag.h>
#include <ucxx/worker.h>

#include "base/immortal.h"
#include "core/condition/posting.h"
#include "core/loop/loop.h"
#include "core/loop/posts.h"
#include "core/match/matcher.h"
#include "core/match/transfers.h"
#include "core/request/buffer_checks.h"
#include "core/request/handles.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/posted_receive.h"

namespace ucxx::core {
namespace {

struct ProbedTable {
  struct Entry {
    std::weak_ptr<Worker> worker;
    Message* message;
  };
  std::mutex mutex;
  std::unordered_map<std::uint64_t, Entry> entries;
  std::size_t sweep_at = 64;

  /// Handles that nobody used before their worker ended.
  void sweep() {
    if (entries.size() < sweep_at) return;
    std::erase_if(entries, [](const auto& entry) { return entry.second.worker.expired(); });
    sweep_at = 64 + 2 * entries.size();
  }
};

ProbedTable& probedTable() {
  static base::Immortal<ProbedTable> table;
  return *table;
}

}  // namespace

ucp_tag_message_h enlistProbed(const Probed& probed) {
  const std::uint64_t id = nextId();
  const auto handle = handleOf<ucp_tag_message_h>(id);
  putProbedBack(handle, probed);
  return handle;
}

void putProbedBack(ucp_tag_message_h handle, const Probed& probed) {
  ProbedTable& table = probedTable();
  const std::lock_guard lock(table.mutex);
  table.sweep();
  table.entries.insert_or_assign(idOf(handle), ProbedTable::Entry{probed.worker, probed.message});
}

Probed takeProbed(ucp_tag_message_h handle) {
  if (!isOurs(handle)) return {};
  ProbedTable& table = probedTable();
  const std::lock_guard lock(table.mutex);
  const auto found = table.entries.extract(idOf(handle));
  if (!found) return {};
  std::shared_ptr<Worker> worker = found.mapped().worker.lock();
  if (worker == nullptr) return {};  // and with it the message
  return {std::move(worker), found.mapped().message};
}

std::shared_ptr<Worker> workerOfProbed(ucp_tag_message_h handle) {
  if (!isOurs(handle)) return nullptr;
  ProbedTable& table = probedTable();
  const std::lock_guard lock(table.mutex);
  const auto found = table.entries.find(idOf(handle));
  return found == table.entries.end() ? nullptr : found->second.worker.lock();
}

std::shared_ptr<Request> receiveProbed(const Probed& probed, void* buffer, bool into_device,
                                       RequestCallbackUserFunction callback,
                                       RequestCallbackUserData data) {
  const auto kind = into_device ? OperationKind::ScatterRecv : OperationKind::TagRecv;
  auto request = makeRequest<RequestTag>(probed.worker, kind, std::move(callback), std::move(data));
  Operation& op = request->operation();
  const auto [size, tag] = std::pair(probed.message->size, probed.message->tag);
  if (into_device)
    setBlocks(op, {{{buffer, size}}, {true}, size}, tag, kTagMaskFull);
  else
    setTagReceive(op, buffer, size, Tag{tag}, TagMaskFull);
  op.loop = &probed.worker->loop();
  op.outcome.holdAlone();
  op.loop->posts.execute([&op, message = probed.message] { startTagRecvOf(op, message); });
  return request;
}

void dropProbed(const Probed& probed) noexcept {
  try {
    Loop& loop = probed.worker->loop();
    loop.posts.execute([&loop, message = probed.message] { discardProbed(loop, message); });
  } catch (const std::bad_alloc&) {  // it stays as long as the worker
  }
}

}  // namespace ucxx::core
