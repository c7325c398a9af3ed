// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/blocks.h"

#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace stand_in {
namespace {

struct Blocks {
  std::shared_mutex mutex;
  std::map<Address, Block> by_host, by_device;  // guarded by `mutex`, as is all
  std::optional<Address> taken;
  std::size_t wrong_frees = 0;
  std::atomic<std::size_t> shadows = 0;
};

Blocks& blocks() {
  static auto* const only = new Blocks;  // used to the very end
  return *only;
}

Address beginOf(const std::map<Address, Block>& all, const Block& block) {
  return &all == &blocks().by_host ? block.begin : block.device;
}

std::optional<Block> find(const std::map<Address, Block>& all, Address address) {
  auto next = all.upper_bound(address);
  if (next == all.begin()) return std::nullopt;
  const Block& block = (--next)->second;
  if (address - beginOf(all, block) >= block.size) return std::nullopt;
  return block;
}

void remove(const Block& block) {
  blocks().shadows -= block.shadow != 0;
  blocks().by_host.erase(block.begin);
  blocks().by_device.erase(block.device);
}

void insert(Block block) {
  static std::uint64_t last_id = 0;
  block.id = ++last_id;
  blocks().shadows += block.shadow != 0;
  blocks().by_host[block.begin] = block;
  blocks().by_device[block.device] = block;
}

}  // namespace

void addBlock(const Block& block) {
  const std::lock_guard lock(blocks().mutex);
  insert(block);
}

std::optional<Block> takeBlock(Address begin, const std::function<bool(const Block&)>& is_wanted) {
  const std::lock_guard lock(blocks().mutex);
  const auto found = blocks().by_host.find(begin);
  if (found == blocks().by_host.end() || !is_wanted(found->second)) return std::nullopt;
  const Block block = found->second;
  remove(block);
  return block;
}

void replaceTaken(std::optional<Block> block) {
  const std::lock_guard lock(blocks().mutex);
  if (blocks().taken.has_value()) {
    const Block before = blocks().by_host.at(*blocks().taken);
    remove(before);
  }
  blocks().taken.reset();
  if (!block.has_value()) return;
  insert(*block);
  blocks().taken = block->begin;
}

std::vector<Block> takeBlocksOf(gpu::Context context) {
  const std::lock_guard lock(blocks().mutex);
  std::vector<Block> taken;
  for (const auto& [begin, block] : blocks().by_host)
    if (block.context == context && (block.isOfArena() || block.isPageLocked()))
      taken.push_back(block);
  for (const Block& block : taken) remove(block);
  return taken;
}

std::optional<Block> blockAt(Address address) {
  const std::shared_lock lock(blocks().mutex);
  const auto block = find(blocks().by_host, address);
  return block.has_value() ? block : find(blocks().by_device, address);
}

Address reached(Address address) {
  if (blocks().shadows == 0) return address;
  const std::shared_lock lock(blocks().mutex);
  const auto block = find(blocks().by_host, address);
  const bool has_shadow = block.has_value() && block->shadow != 0;
  return has_shadow ? block->shadow + (address - block->begin) : address;
}

bool overlapsBlock(Address begin, std::size_t size) {
  const std::shared_lock lock(blocks().mutex);
  if (find(blocks().by_host, begin).has_value()) return true;
  const auto next = blocks().by_host.lower_bound(begin);
  return next != blocks().by_host.end() && next->first - begin < size;
}

std::optional<Block> blockOfDevice(Address begin, std::size_t size) {
  const std::shared_lock lock(blocks().mutex);
  const auto block = find(blocks().by_device, begin);
  if (!block.has_value() || size > block->size - (begin - block->device)) return std::nullopt;
  return block;
}

void countWrongFree() {
  const std::lock_guard lock(blocks().mutex);
  ++blocks().wrong_frees;
}

Left leftBlocks() {
  const std::shared_lock lock(blocks().mutex);
  Left left{.wrong_frees = blocks().wrong_frees};
  for (const auto& [begin, block] : blocks().by_host)
    left.blocks += block.kind == Kind::Device || block.kind == Kind::Pool ||
                   block.kind == Kind::Managed || block.kind == Kind::Host ||
                   block.kind == Kind::Opened;
  return left;
}

}  // namespace stand_in
