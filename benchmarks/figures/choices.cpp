// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// For `choices`: how quickly payloads go from one process to another in the ways that the local
// channel has, for sizes of pieces and of chunks beside the ones that were chosen. Only the
// copying: nothing is matched, nothing else is looked at meanwhile.

#include "local/choices.h"

#include <array>
#include <atomic>
#include <cstring>
#include <iterator>
#include <optional>

#include <sys/mman.h>

#include "core/bulk/help_terms.h"
#include "core/channel/link_types.h"
#include "figures.h"
#include "local/chunks.h"
#include "local/peer_memory.h"
#include "local/ring.h"

namespace {

namespace local = ucxx::local;

constexpr std::size_t kSizes[] = {32 << 10, 64 << 10, 128 << 10, 256 << 10,
                                  1 << 20,  4 << 20,  16 << 20,  64 << 20};
constexpr std::size_t kPieces[] = {4 << 10, 8 << 10, 16 << 10, 24 << 10, 31 << 10};
constexpr std::size_t kChunks[] = {16 << 10,  32 << 10,  64 << 10, 128 << 10,
                                   256 << 10, 512 << 10, 1 << 20,  4 << 20};
constexpr std::size_t kMostBytes = 64 << 20;
constexpr std::array<std::byte, 40> kHeader{};

int roundsOf(std::size_t size) {
  return static_cast<int>(std::clamp<std::size_t>((256 << 20) / size, 7, 301));
}

/// What the two processes share.
struct Shared {
  alignas(local::kLineBytes) std::atomic<std::uint64_t> asked;  // rounds that may begin
  std::uint64_t proof_addresses[2];
  local::Proof::Bytes proofs[2];
  std::uint64_t buffer_addresses[2];
  pid_t pids[2];
  local::ChunkMemory chunks;
  alignas(local::kLineBytes)
      std::byte ring[local::RingMemory::bytesFor(local::RingMemory::kDefaultLines)];
};

/// One of the two processes: 0 receives and measures, 1 sends.
class Side {
 public:
  Side(Shared& shared, int number)
      : shared_(shared), number_(number), buffer_(kMostBytes, static_cast<std::byte>(number)) {
    figures::pinTo(number);
    shared.proof_addresses[number] = proof_.address();
    shared.proofs[number] = proof_.bytes();
    shared.buffer_addresses[number] = reinterpret_cast<std::uintptr_t>(buffer_.data());
    shared.pids[number] = ::getpid();
  }
  /// The other side is there, too.
  bool meet() {
    const int other = 1 - number_;
    memory_.emplace(shared_.pids[other], shared_.proof_addresses[other], shared_.proofs[other]);
    return memory_->isOpen();
  }

  std::byte* buffer() noexcept { return buffer_.data(); }
  std::uint64_t peersBuffer() const noexcept { return shared_.buffer_addresses[1 - number_]; }
  local::PeerMemory& memory() noexcept { return *memory_; }
  /// Both sides count alike.
  void ask() noexcept { shared_.asked.store(++round_, std::memory_order_release); }
  void wait() noexcept {
    for (++round_; shared_.asked.load(std::memory_order_acquire) < round_;) {
    }
  }
  /// Of the round that comes, as the word of the chunks has it.
  std::uint16_t nextChunkRound() const noexcept {
    return static_cast<std::uint16_t>(round_ % UINT16_MAX + 1);
  }

 private:
  Shared& shared_;
  const int number_;
  std::vector<std::byte> buffer_;
  const local::Proof proof_;
  std::optional<local::PeerMemory> memory_;
  std::uint64_t round_ = 0;
};

std::uint32_t chunksOf(std::size_t size, std::size_t chunk) {
  return static_cast<std::uint32_t>(ucxx::core::chunksOf(size, chunk));
}

void requireCopied(bool copied) {
  if (!copied) throw std::runtime_error("the kernel refuses to copy between the processes");
}

// The ring: pieces that are copied into it and out of it.

void sendPieces(Side& side, local::Producer& ring, std::size_t size, std::size_t piece) {
  side.wait();
  for (std::size_t at = 0; at < size; at += piece) {
    while (!ring.put(kHeader, side.buffer() + at, std::min(piece, size - at))) {
    }
  }
}

void receivePieces(Side& side, local::Consumer& ring, std::size_t size) {
  side.ask();
  for (std::size_t got = 0; got < size;) {
    const auto record = ring.peek();
    if (!record) {
      (void)ring.release();
      continue;
    }
    std::memcpy(side.buffer() + got, record->payload.data(), record->payload.size());
    got += record->payload.size();
    ring.pop();
  }
}

// The kernel: chunks, from both ends.

void helpToCopy(Side& side, local::ChunkMemory& word, std::size_t size, std::size_t chunk) {
  local::ChunkHelper chunks(word, side.nextChunkRound(), chunksOf(size, chunk));
  side.wait();
  while (const auto one = chunks.take()) {
    const std::size_t at = *one * chunk;
    requireCopied(side.memory().write(side.peersBuffer() + at, side.buffer() + at,
                                      std::min(chunk, size - at), size));
    chunks.done();
  }
}

void copyChunks(Side& side, local::ChunkOwner& chunks, std::size_t size, std::size_t chunk) {
  while (const auto one = chunks.take()) {
    const std::size_t at = *one * chunk;
    requireCopied(side.memory().read(side.buffer() + at, side.peersBuffer() + at,
                                     std::min(chunk, size - at), size));
  }
}

void copyWithHelp(Side& side, local::ChunkMemory& word, std::size_t size, std::size_t chunk) {
  local::ChunkOwner chunks(chunksOf(size, chunk));
  chunks.lend(word, side.nextChunkRound());
  side.ask();
  copyChunks(side, chunks, size, chunk);
  while (!chunks.isHelperIdle()) {
  }
}

void copyAlone(Side& side, std::size_t size) {
  local::ChunkOwner chunks(chunksOf(size, local::choices::kMostChunk));
  copyChunks(side, chunks, size, local::choices::kMostChunk);
}

/// GB/s of `size` bytes.
template <class Round>
nlohmann::json measured(std::size_t size, Round round) {
  std::vector<double> rates;
  round();  // pages are there from now on
  for (int i = 0; i < roundsOf(size); ++i) {
    const auto start = figures::Clock::now();
    round();
    rates.push_back(static_cast<double>(size) / figures::nanosecondsSince(start));
  }
  return figures::middleOf(rates);
}

/// What `measured` asks the other side for.
template <class Round>
void answered(std::size_t size, Round round) {
  for (int i = 0; i < roundsOf(size) + 1; ++i) round();
}

void send(figures::Peer& parent, Shared& shared) {
  Side side(shared, 1);
  local::Producer ring(shared.ring);
  parent.tell(0);
  const bool copies = parent.hear() != 0;
  if (copies && !side.meet()) throw std::runtime_error("only one of the two can copy");
  for (const std::size_t size : kSizes) {
    for (const std::size_t piece : kPieces)
      answered(size, [&] { sendPieces(side, ring, size, piece); });
    for (const std::size_t chunk : kChunks)
      if (copies) answered(size, [&] { helpToCopy(side, shared.chunks, size, chunk); });
  }
  parent.hear();  // until then it copies from us
}

nlohmann::json figure() {
  auto* memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
  auto& shared = *static_cast<Shared*>(memory);
  const figures::Peer sender([&](figures::Peer& parent) { send(parent, shared); });
  Side side(shared, 0);
  local::Consumer ring(shared.ring);
  sender.hear();
  const bool copies = side.meet();
  sender.tell(copies ? 1 : 0);

  nlohmann::json result{{"kernel_copies", copies},
                        {"piece", ucxx::core::kPieceBytes},
                        {"sizes", nlohmann::json::array()}};
  for (const std::size_t size : kSizes) {
    nlohmann::json row{{"size", size}, {"chunk", ucxx::core::chunkBytesFor(size)}};
    for (const std::size_t piece : kPieces)
      row["pieces"][std::to_string(piece)] =
          measured(size, [&] { receivePieces(side, ring, size); });
    for (const std::size_t chunk : kChunks)
      if (copies)
        row["chunks"][std::to_string(chunk)] =
            measured(size, [&] { copyWithHelp(side, shared.chunks, size, chunk); });
    if (copies) row["alone"] = measured(size, [&] { copyAlone(side, size); });
    result["sizes"].push_back(row);
  }
  sender.tell(0);
  return result;
}

}  // namespace

int main() { return figures::print(figure); }
