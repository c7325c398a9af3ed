// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/helps.h"

#include <algorithm>

#include "base/object_pool.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/channel/port.h"
#include "local/channel.h"
#include "local/choices.h"
#include "local/peer_memory.h"

namespace ucxx::core {

bool Helps::add(std::uint64_t number, std::span<const std::byte> payload, const HelpTerms& terms) {
  if (port_.local == nullptr || terms.slot >= local::EndMemory::kChunkWords || terms.round == 0 ||
      terms.chunk_bytes < local::choices::kLeastChunk ||
      terms.chunk_bytes > local::choices::kMostChunk ||
      chunksOf(payload.size(), terms.chunk_bytes) > local::kMostChunks || find(number) != nullptr)
    return false;
  const auto chunks = static_cast<std::uint32_t>(chunksOf(payload.size(), terms.chunk_bytes));
  auto* help = new (base::PoolAllocator<Help>().allocate(1))
      Help{number, payload, terms,
           local::ChunkHelper(port_.local->peerEnd().chunks[terms.slot], terms.round, chunks)};
  helps_.pushBack(*help);
  port_.beginCopying();
  return true;
}

std::size_t Helps::work() noexcept {
  Help* help = helps_.front();
  if (help == nullptr) return 0;
  if (const auto chunk = help->chunks.take()) {
    copyChunk(*help, *chunk);
    return help->terms.chunk_bytes;
  }
  if (help->chunks.hasTaken()) port_.local->wake();  // the receiver may wait for it
  erase(*help);
  return 1;
}

/// Not before it is known that the peer is still there: another program may have its memory, or its
/// number.
void Helps::copyChunk(Help& help, std::uint32_t chunk) noexcept {
  const std::size_t offset = std::size_t{chunk} * help.terms.chunk_bytes;
  const std::size_t size =
      std::min<std::size_t>(help.terms.chunk_bytes, help.payload.size() - offset);
  base::reached(base::Phase::HelpTaken);
  const bool copied =
      port_.local->isPeerThere() &&
      port_.local->memory().write(help.terms.to + offset, help.payload.data() + offset, size,
                                  help.payload.size());
  base::reached(base::Phase::HelpCopied);
  copied ? help.chunks.done() : help.chunks.fail();
}

void Helps::turn() noexcept {
  if (Help* help = helps_.popFront()) helps_.pushBack(*help);
}

Helps::Help* Helps::find(std::uint64_t number) noexcept {
  Help* help = helps_.front();
  while (help != nullptr && help->number != number) help = helps_.after(*help);
  return help;
}

void Helps::remove(std::uint64_t number) noexcept {
  if (Help* help = find(number)) erase(*help);
}

void Helps::erase(Help& help) noexcept {
  helps_.remove(help);
  base::PoolAllocator<Help>().deallocate(&help, 1);
}

void Helps::clear() noexcept {
  while (Help* help = helps_.front()) erase(*help);
}

}  // namespace ucxx::core
