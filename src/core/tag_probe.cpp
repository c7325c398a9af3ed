// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <stdexcept>

#include <ucxx/tag_probe.h>
#include <ucxx/worker.h>

#include "base/log.h"
#include "core/loop.h"
#include "core/transfers.h"

namespace ucxx {
namespace {

[[noreturn]] void throwConsumed() {
  throw std::runtime_error("the probed message was received already");
}

}  // namespace

TagProbeInfo::TagProbeInfo(const TagRecvInfo& info, ucp_tag_message_h handle,
                           std::weak_ptr<Worker> worker)
    : handle_(handle), worker_(std::move(worker)) {
  info_.emplace(info);
}

TagProbeInfo::~TagProbeInfo() {
  if (handle_ == nullptr || consumed_) return;
  base::log(LogLevel::Warn, "worker",
            "a message that was probed and removed is dropped without being received");
  const std::shared_ptr<Worker> worker = worker_.lock();
  if (worker == nullptr) return;
  auto* message = reinterpret_cast<core::Message*>(handle_);
  core::Loop& loop = worker->loop();
  try {
    loop.execute([&loop, message] { core::discardProbed(loop, message); });
  } catch (const std::bad_alloc&) {  // it stays as long as the worker
  }
}

const TagRecvInfo& TagProbeInfo::getInfo() const {
  if (!info_) throw std::runtime_error("no message matched the probe");
  return *info_;
}

ucp_tag_message_h TagProbeInfo::getHandle() const {
  (void)getInfo();
  if (handle_ == nullptr)
    throw std::runtime_error("the probe did not remove the message: it has no handle");
  if (consumed_) throwConsumed();
  return handle_;
}

ucp_tag_message_h TagProbeInfo::releaseHandle() const {
  const ucp_tag_message_h handle = getHandle();
  if (consumed_.exchange(true)) throwConsumed();
  return handle;
}

}  // namespace ucxx
