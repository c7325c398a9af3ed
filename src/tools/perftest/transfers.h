// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <ucxx/api.h>

#include "tools/perftest/traffic.h"

/// How each kind of message is sent and received: `send` and `receive` post one, `intact` looks at
/// one that came. A message that comes has the bytes of the one that goes.
namespace ucxx::tools {

inline constexpr Tag kDataTag{1};
inline constexpr Tag kDoneTag{2};

/// Whole pages: alignment is the same in every run.
class Memory {
 public:
  Memory(std::size_t size_bytes, bool is_librarys)
      : block_(is_librarys ? takeFromLibrary(size_bytes) : allocate(size_bytes)) {
    std::memset(block_.get(), 0, size_bytes);
  }
  unsigned char* data() const noexcept { return static_cast<unsigned char*>(block_.get()); }

 private:
  static std::shared_ptr<void> allocate(std::size_t size_bytes) {
    void* block = std::aligned_alloc(4096, (size_bytes + 4096) / 4096 * 4096);
    if (block == nullptr) throw std::bad_alloc();
    return {block, std::free};
  }
  static std::shared_ptr<void> takeFromLibrary(std::size_t size_bytes) {
    const auto buffer = std::make_shared<HostBuffer>(size_bytes);
    return {buffer, buffer->data()};
  }
  std::shared_ptr<void> block_;
};

class Buffers {
 public:
  explicit Buffers(const Plan& plan)
      : size(plan.size), out(plan.size, plan.library_memory), in(plan.size, plan.library_memory) {
    for (std::size_t i = 0; i < size; ++i)
      out.data()[i] = static_cast<unsigned char>(i * 31 + i / 251);
  }
  bool isIntact(const void* came) const { return std::memcmp(came, out.data(), size) == 0; }

  const std::size_t size;
  const Memory out, in;
};

class TagTransfers {
 public:
  TagTransfers(Endpoint& endpoint, const Plan& plan) : endpoint_(endpoint), buffers_(plan) {}
  std::shared_ptr<Request> send() {
    return endpoint_.tagSend(buffers_.out.data(), buffers_.size, kDataTag);
  }
  std::shared_ptr<Request> receive() {
    return endpoint_.tagRecv(buffers_.in.data(), buffers_.size, kDataTag);
  }
  bool isIntact(const Request&) const { return buffers_.isIntact(buffers_.in.data()); }

 private:
  Endpoint& endpoint_;
  const Buffers buffers_;
};

class StreamTransfers {
 public:
  StreamTransfers(Endpoint& endpoint, const Plan& plan) : endpoint_(endpoint), buffers_(plan) {}
  std::shared_ptr<Request> send() {
    return endpoint_.streamSend(buffers_.out.data(), buffers_.size, false);
  }
  std::shared_ptr<Request> receive() {
    return endpoint_.streamRecv(buffers_.in.data(), buffers_.size, false);
  }
  bool isIntact(const Request&) const { return buffers_.isIntact(buffers_.in.data()); }

 private:
  Endpoint& endpoint_;
  const Buffers buffers_;
};

class AmTransfers {
 public:
  AmTransfers(Endpoint& endpoint, const Plan& plan) : endpoint_(endpoint), buffers_(plan) {}
  std::shared_ptr<Request> send() {
    return endpoint_.amSend(buffers_.out.data(), buffers_.size, UCS_MEMORY_TYPE_HOST);
  }
  std::shared_ptr<Request> receive() { return endpoint_.amRecv(); }
  bool isIntact(const Request& came) const {
    const auto buffer = const_cast<Request&>(came).getRecvBuffer();
    return buffer != nullptr && buffer->getSize() == buffers_.size &&
           buffers_.isIntact(buffer->data());
  }

 private:
  Endpoint& endpoint_;
  const Buffers buffers_;
};

class MultiTransfers {
 public:
  MultiTransfers(Endpoint& endpoint, const Plan& plan)
      : endpoint_(endpoint),
        buffers_(plan),
        frames_(plan.frames, buffers_.out.data()),
        sizes_(plan.frames, plan.size),
        is_cuda_(plan.frames, 0) {}
  std::shared_ptr<Request> send() {
    return endpoint_.tagMultiSend(frames_, sizes_, is_cuda_, kDataTag);
  }
  std::shared_ptr<Request> receive() { return endpoint_.tagMultiRecv(kDataTag, TagMaskFull); }
  bool isIntact(const Request& came) const {
    const auto& frames = dynamic_cast<const RequestTagMulti&>(came)._bufferRequests;
    if (frames.size() != frames_.size()) return false;
    for (const auto& frame : frames)
      if (frame->buffer->getSize() != buffers_.size || !buffers_.isIntact(frame->buffer->data()))
        return false;
    return true;
  }

 private:
  Endpoint& endpoint_;
  const Buffers buffers_;
  const std::vector<const void*> frames_;
  const std::vector<std::size_t> sizes_;
  const std::vector<int> is_cuda_;
};

}  // namespace ucxx::tools
