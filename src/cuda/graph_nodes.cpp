// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/graph_nodes.h"

#include <mutex>
#include <unordered_map>

#include "base/file_descriptor.h"
#include "base/immortal.h"

namespace ucxx::cuda {
namespace {

using Destroy = void (*)(core::Operation&) noexcept;

struct Noted {
  GraphNode node;
  Destroy destroy;  // what the request has for that itself
};

struct Nodes {
  std::mutex mutex;
  std::unordered_map<const core::Operation*, Noted> by_operation;
};

Nodes& nodes() noexcept {
  static base::Immortal<Nodes> only;
  return *only;
}

/// In place of the request's own: another one may lie there next. In a forked child another thread
/// of the parent may have the lock for ever, and the request stays.
void forgetAndDestroy(core::Operation& op) noexcept {
  if (base::isForkedChild()) return;
  Destroy destroy = nullptr;
  {
    Nodes& all = nodes();
    const std::lock_guard lock(all.mutex);
    const auto noted = all.by_operation.find(&op);
    destroy = noted->second.destroy;
    all.by_operation.erase(noted);
  }
  destroy(op);
}

}  // namespace

GraphNode& noteNode(core::Operation& op) {
  Nodes& all = nodes();
  const std::lock_guard lock(all.mutex);
  Noted& noted = all.by_operation[&op];
  noted.destroy = std::exchange(op.destroy, forgetAndDestroy);
  return noted.node;
}

std::optional<GraphNode> nodeOf(const core::Operation& op) {
  Nodes& all = nodes();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_operation.find(&op);
  if (found == all.by_operation.end()) return std::nullopt;
  return found->second.node;
}

}  // namespace ucxx::cuda
