// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/stranded.h"

#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include <poll.h>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "local/process.h"

namespace ucxx::core {
namespace {

struct Stranded {
  std::shared_ptr<void> block;
  base::FileDescriptor process;

  bool isOver() const noexcept {
    pollfd ended{process.get(), POLLIN, 0};
    return ::poll(&ended, 1, 0) == 1;
  }
};

struct Beach {
  std::mutex mutex;
  std::vector<Stranded> blocks;
};

}  // namespace

void strand(std::shared_ptr<void> block, const local::PeerProcess& process) noexcept try {
  static base::Immortal<Beach> beach;
  const std::lock_guard lock((*beach).mutex);
  std::erase_if((*beach).blocks, [](const Stranded& one) { return one.isOver(); });
  (*beach).blocks.push_back({block, base::duplicate(process.descriptor())});
} catch (const std::exception&) {  // no memory, or no descriptor
  if (block != nullptr) (void)new std::shared_ptr<void>(std::move(block));
}

}  // namespace ucxx::core
