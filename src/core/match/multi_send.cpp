// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What a multi-buffer send makes of its frames: one message of a table and the small ones, and the
// large ones behind it.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

#include <ucxx/request_tag_multi.h>

#include "base/object_pool.h"
#include "core/channel/channels.h"
#include "core/link/at_once.h"
#include "core/loop/loop.h"
#include "core/loop/progress_thread.h"
#include "core/match/endpoint_state.h"
#include "core/match/multi_frames.h"
#include "core/match/transfers.h"
#include "core/request/endpoint_core.h"
#include "core/request/host_memory.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/wire/wire.h"
#include "local/choices.h"

namespace ucxx::core {
namespace {

/// Messages of more frames are not sent in the call that posts them.
constexpr std::size_t kMostFramesAtOnce = 32;

/// The request of a message that was sent in its call.
struct FilledRequest : RequestTagMulti {
  FilledRequest(std::shared_ptr<Component> parent, Operation& operation)
      : RequestTagMulti(std::move(parent), operation) {
    _isFilled = true;
  }
};

/// The table, and behind it the small frames.
void pack(std::span<const FrameInfo> frames, const void* const* sources, std::byte* out) noexcept {
  writeFrameTable(frames, out);
  out += frameTableBytes(frames.size());
  for (const FrameInfo& frame : frames) {
    const void* const source = *sources++;
    if (!frame.packed || frame.size == 0) continue;
    std::memcpy(out, source, frame.size);
    out += frame.size;
  }
}

void pack(const MultiSendExtra& extra) noexcept {
  pack(extra.frames, extra.sources.data(), static_cast<std::byte*>(extra.packed.get()));
}

}  // namespace

std::shared_ptr<void> allocatePacked(std::size_t size) {
  if (auto shared = allocateShared(size)) return shared;
  if (size <= base::kPoolMaxBytes) {
    const std::size_t bytes = std::max<std::size_t>(size, 1);
    return {base::poolAllocate(bytes), [bytes](void* block) { base::poolFree(block, bytes); },
            base::PoolAllocator<std::byte>()};
  }
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  return {block, std::free};
}

/// Packs the small frames again.
void MultiSendExtra::renew() noexcept { pack(*this); }

std::unique_ptr<OperationExtra> MultiSendExtra::again() const {
  auto extra = std::make_unique<MultiSendExtra>();
  extra->sources = sources;
  extra->frames = frames;
  extra->packed_bytes = packed_bytes;
  extra->packed = allocatePacked(packed_bytes);
  pack(*extra);
  return extra;
}

std::unique_ptr<MultiSendExtra> packFrames(const std::vector<const void*>& buffers,
                                           const std::vector<std::size_t>& sizes,
                                           const std::vector<int>& is_cuda) {
  auto extra = std::make_unique<MultiSendExtra>();
  extra->sources = buffers;
  extra->frames.reserve(sizes.size());
  std::size_t packed = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool pack =
        is_cuda[i] == 0 && sizes[i] <= kPackedFrameBytes && packed + sizes[i] <= kPackedTotalBytes;
    extra->frames.push_back({sizes[i], is_cuda[i] != 0, pack});
    if (pack) packed += sizes[i];
  }
  extra->packed_bytes = frameTableBytes(sizes.size()) + packed;
  extra->packed = allocatePacked(extra->packed_bytes);
  pack(*extra);
  return extra;
}

std::shared_ptr<Request> sendFramesAtOnce(EndpointState& endpoint,
                                          const std::vector<const void*>& buffers,
                                          const std::vector<std::size_t>& sizes,
                                          const std::vector<int>& is_cuda, std::uint64_t tag) {
  const std::size_t count = sizes.size();
  const bool is_left_to_others =
      channelsOf(endpoint.loop).hub() == nullptr || endpoint.loop.thread.isRunning();
  if (is_left_to_others || count > kMostFramesAtOnce) return nullptr;  // it would be packed twice
  std::array<FrameInfo, kMostFramesAtOnce> frames;
  std::size_t size = frameTableBytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (is_cuda[i] != 0 || sizes[i] > local::choices::kMostInRecord - size) return nullptr;
    frames[i] = {sizes[i], false, true};
    size += sizes[i];
  }
  std::byte packed[local::choices::kMostInRecord];
  pack(std::span(frames).first(count), buffers.data(), packed);
  if (!sendSmall<MessageKind::Multi>(endpoint, {packed, size, tag})) return nullptr;
  return ownerlessEndedRequest<FilledRequest, OperationKind::MultiSend, Request>();
}

}  // namespace ucxx::core
