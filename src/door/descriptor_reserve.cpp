// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/descriptor_reserve.h"

#include <algorithm>
#include <cstddef>

#include <sys/eventfd.h>

namespace ucxx::door {
namespace {

base::FileDescriptor openPlaceholder() noexcept {
  const base::ForkBarrier barrier;
  return base::FileDescriptor(::eventfd(0, EFD_CLOEXEC));
}

}  // namespace

std::shared_ptr<DescriptorReserve> DescriptorReserve::shared(int size) {
  static std::mutex mutex;
  static std::weak_ptr<DescriptorReserve> current;
  const std::lock_guard lock(mutex);
  auto reserve = current.lock();
  if (!reserve) current = reserve = std::make_shared<DescriptorReserve>(size);
  return reserve;
}

DescriptorReserve::DescriptorReserve(int size)
    : held_(static_cast<std::size_t>(std::max(size, 0))) {
  refill();
}

bool DescriptorReserve::giveUpOne() noexcept {
  const std::lock_guard lock(mutex_);
  const auto held = std::find_if(held_.begin(), held_.end(), [](const auto& fd) { return !!fd; });
  if (held == held_.end()) return false;
  held->reset();
  return true;
}

void DescriptorReserve::refill() noexcept {
  const std::lock_guard lock(mutex_);
  for (auto& fd : held_) {
    if (!fd) fd = openPlaceholder();
  }
}

}  // namespace ucxx::door
