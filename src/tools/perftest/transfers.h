// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <ucxx/api.h>

#include "tools/perftest/memory.h"
#include "tools/perftest/session.h"
#include "tools/perftest/traffic.h"

/// How each kind of message is sent and received: `send` and `receive` post one, `look` tells in
/// which kind of memory one came, if it has the bytes of the one that goes.
namespace ucxx::tools {

inline constexpr Tag kDataTag{1};
inline constexpr Tag kDoneTag{2};

inline MemoryKind kindOf(const Buffer& buffer) {
  return buffer.getType() == BufferType::Host ? MemoryKind::Host : MemoryKind::Cuda;
}

class TagTransfers {
 public:
  TagTransfers(const Session& session, const Plan& plan)
      : endpoint_(session.endpoint()),
        buffers_(session, plan),
        received_in_(session.memory().receive) {}
  std::shared_ptr<Request> send() {
    return endpoint_.tagSend(buffers_.out.data(), buffers_.size, kDataTag);
  }
  std::shared_ptr<Request> receive() {
    return endpoint_.tagRecv(buffers_.in.data(), buffers_.size, kDataTag);
  }
  std::optional<MemoryKind> look(const Request&) const {
    return buffers_.look(buffers_.in.data(), received_in_);
  }

 private:
  Endpoint& endpoint_;
  const Buffers buffers_;
  const MemoryKind received_in_;
};

class StreamTransfers {
 public:
  StreamTransfers(const Session& session, const Plan& plan)
      : endpoint_(session.endpoint()),
        buffers_(session, plan),
        received_in_(session.memory().receive) {}
  std::shared_ptr<Request> send() {
    return endpoint_.streamSend(buffers_.out.data(), buffers_.size, false);
  }
  std::shared_ptr<Request> receive() {
    return endpoint_.streamRecv(buffers_.in.data(), buffers_.size, false);
  }
  std::optional<MemoryKind> look(const Request&) const {
    return buffers_.look(buffers_.in.data(), received_in_);
  }

 private:
  Endpoint& endpoint_;
  const Buffers buffers_;
  const MemoryKind received_in_;
};

class AmTransfers {
 public:
  AmTransfers(const Session& session, const Plan& plan)
      : endpoint_(session.endpoint()),
        buffers_(session, plan),
        sent_from_(session.memory().send == MemoryKind::Cuda ? UCS_MEMORY_TYPE_CUDA
                                                             : UCS_MEMORY_TYPE_HOST) {}
  std::shared_ptr<Request> send() {
    return endpoint_.amSend(buffers_.out.data(), buffers_.size, sent_from_);
  }
  std::shared_ptr<Request> receive() { return endpoint_.amRecv(); }
  /// The library has allocated what it came in.
  std::optional<MemoryKind> look(const Request& came) const {
    const auto buffer = const_cast<Request&>(came).getRecvBuffer();
    if (buffer == nullptr || buffer->getSize() != buffers_.size) return std::nullopt;
    return buffers_.look(buffer->data(), kindOf(*buffer));
  }

 private:
  Endpoint& endpoint_;
  const Buffers buffers_;
  const ucs_memory_type_t sent_from_;
};

class MultiTransfers {
 public:
  MultiTransfers(const Session& session, const Plan& plan)
      : endpoint_(session.endpoint()),
        buffers_(session, plan),
        frames_(plan.frames, buffers_.out.data()),
        sizes_(plan.frames, plan.size),
        is_cuda_(plan.frames, session.memory().send == MemoryKind::Cuda) {}
  std::shared_ptr<Request> send() {
    return endpoint_.tagMultiSend(frames_, sizes_, is_cuda_, kDataTag);
  }
  std::shared_ptr<Request> receive() { return endpoint_.tagMultiRecv(kDataTag, TagMaskFull); }
  std::optional<MemoryKind> look(const Request& came) const {
    const auto& frames = dynamic_cast<const RequestTagMulti&>(came)._bufferRequests;
    if (frames.size() != frames_.size()) return std::nullopt;
    for (const auto& frame : frames)
      if (frame->buffer->getSize() != buffers_.size ||
          !buffers_.look(frame->buffer->data(), kindOf(*frame->buffer)))
        return std::nullopt;
    return kindOf(*frames.front()->buffer);
  }

 private:
  Endpoint& endpoint_;
  const Buffers buffers_;
  const std::vector<const void*> frames_;
  const std::vector<std::size_t> sizes_;
  const std::vector<int> is_cuda_;
};

}  // namespace ucxx::tools
