// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/memory.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace ucxx::tools {
namespace {

std::shared_ptr<void> allocatePages(std::size_t size_bytes) {
  void* block = std::aligned_alloc(4096, (size_bytes + 4096) / 4096 * 4096);
  if (block == nullptr) throw std::bad_alloc();
  return {block, std::free};
}

std::shared_ptr<void> takeFromLibrary(std::size_t size_bytes) {
  const auto buffer = std::make_shared<HostBuffer>(size_bytes);
  return {buffer, buffer->data()};
}

Memory memoryOf(MemoryKind kind, const Session& session, const Plan& plan) {
  if (kind == MemoryKind::Cuda) return {plan.size, *session.cuda()};
  return {plan.size, plan.library_memory};
}

void fill(unsigned char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 31 + i / 251);
}

/// The bytes where the processor sees them; `copy` has them if they are elsewhere.
const void* seen(const void* bytes, std::size_t size, MemoryKind kind, const Cuda* cuda,
                 std::vector<unsigned char>& copy) {
  if (kind == MemoryKind::Host) return bytes;
  copy.resize(size);
  cuda->copyOut(copy.data(), bytes, size);
  return copy.data();
}

}  // namespace

Memory::Memory(std::size_t size_bytes, bool is_librarys)
    : block_(is_librarys ? takeFromLibrary(size_bytes) : allocatePages(size_bytes)) {
  std::memset(block_.get(), 0, size_bytes);
}

Buffers::Buffers(const Session& session, const Plan& plan)
    : size(plan.size),
      out(memoryOf(session.memory().send, session, plan)),
      in(memoryOf(session.memory().receive, session, plan)),
      sent_from_(session.memory().send),
      cuda_(session.cuda()) {
  if (sent_from_ == MemoryKind::Host) {
    fill(out.data(), size);
    return;
  }
  std::vector<unsigned char> content(size);
  fill(content.data(), size);
  cuda_->copyIn(out.data(), content.data(), size);
}

std::optional<MemoryKind> Buffers::look(const void* came, MemoryKind kind) const {
  if (size == 0) return kind;
  std::vector<unsigned char> copies[2];
  const void* const sent = seen(out.data(), size, sent_from_, cuda_.get(), copies[0]);
  const void* const received = seen(came, size, kind, cuda_.get(), copies[1]);
  return std::memcmp(received, sent, size) == 0 ? std::optional(kind) : std::nullopt;
}

}  // namespace ucxx::tools
