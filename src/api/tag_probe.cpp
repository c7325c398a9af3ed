// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <mutex>
#include <stdexcept>
#include <utility>

#include <ucxx/tag_probe.h>
#include <ucxx/worker.h>

#include "base/log.h"
#include "core/match/probed.h"

namespace ucxx {
namespace {

[[noreturn]] void throwConsumed() {
  throw std::runtime_error("the probed message was received already");
}

/// Two threads may ask one probe for its handle.
std::mutex first_handle;

}  // namespace

TagProbeInfo::TagProbeInfo(const TagRecvInfo& info, ucp_tag_message_h handle)
    : handle_(handle), worker_(core::workerOfProbed(handle)), owner_(worker_.get()) {
  info_.emplace(info);
}

TagProbeInfo::~TagProbeInfo() {
  const core::Probed probed = take();
  if (probed.message == nullptr) return;
  base::log(LogLevel::Warn, "worker",
            "a message that was probed and removed is dropped without being received");
  core::dropProbed(probed);
}

core::Probed TagProbeInfo::take() const {
  if (!hasMessage() || consumed_.exchange(true)) return {};
  const std::shared_ptr<Worker> worker = std::move(worker_);  // kept for the message alone
  return handle_ != nullptr ? core::takeProbed(handle_) : core::Probed{worker, message_};
}

const TagRecvInfo& TagProbeInfo::getInfo() const {
  if (!info_) throw std::runtime_error("no message matched the probe");
  return *info_;
}

ucp_tag_message_h TagProbeInfo::getHandle() const {
  (void)getInfo();
  if (!hasMessage())
    throw std::runtime_error("the probe did not remove the message: it has no handle");
  if (consumed_) throwConsumed();
  const std::lock_guard lock(first_handle);
  if (handle_ == nullptr) handle_ = core::enlistProbed({worker_, message_});
  return handle_;
}

ucp_tag_message_h TagProbeInfo::releaseHandle() const {
  const ucp_tag_message_h handle = getHandle();
  if (consumed_.exchange(true)) throwConsumed();
  worker_.reset();
  return handle;
}

}  // namespace ucxx
