// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include <ucp/api/ucp.h>

#include <ucxx/export.h>
#include <ucxx/tag_probe.h>
#include <ucxx/typedefs.h>

namespace ucxx {

/// A probe's result made by hand: nothing matched, or this. Reusable.
class TagProbeInfoBuilder {
 public:
  TagProbeInfoBuilder() = default;
  TagProbeInfoBuilder(const TagRecvInfo& info, ucp_tag_message_h handle) : handle_(handle) {
    info_.emplace(info);
  }
  TagProbeInfoBuilder(const ucp_tag_recv_info_t& info, ucp_tag_message_h handle)
      : TagProbeInfoBuilder(TagRecvInfo(info), handle) {}

  std::shared_ptr<TagProbeInfo> build() {
    return info_ ? std::make_shared<TagProbeInfo>(*info_, handle_)
                 : std::make_shared<TagProbeInfo>();
  }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator std::shared_ptr<TagProbeInfo>() { return build(); }

 private:
  std::optional<TagRecvInfo> info_;
  ucp_tag_message_h handle_ = nullptr;
};

}  // namespace ucxx
