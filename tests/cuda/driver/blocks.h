// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cuda/driver/types.h"

namespace stand_in {

enum class Kind { Device, Pool, Managed, Host, Registered, Opened, Taken, TakenManaged, Made };

/// Memory that the driver knows.
struct Block {
  Kind kind = Kind::Device;
  Address begin = 0;  // as the host sees it
  std::size_t size = 0;
  Address device = 0;  // as the device sees it
  Address shadow = 0;  // where the stand-in touches it; 0: where the host does
  int file = -1;       // that has its bytes, for other processes
  std::size_t offset = 0;
  gpu::Context context = nullptr;  // null: of a pool
  int ordinal = 0;                 // of the device
  bool is_exported = false;        // by IPC handles, if anybody asks
  std::uint64_t id = 0;            // no other block of the process ever has it; given by addBlock

  bool isOfDevice() const { return kind != Kind::Host && kind != Kind::Registered && !isManaged(); }
  bool isOfArena() const {
    return kind == Kind::Device || kind == Kind::Pool || kind == Kind::Managed;
  }
  bool isManaged() const { return kind == Kind::Managed || kind == Kind::TakenManaged; }
  bool isPageLocked() const { return kind == Kind::Host || kind == Kind::Registered; }
};

/// All blocks, by either address. Blocks do not overlap.
void addBlock(const Block& block);
/// By its first byte, as the host sees it, and if `is_wanted`.
std::optional<Block> takeBlock(Address begin, const std::function<bool(const Block&)>& is_wanted);
void replaceTaken(std::optional<Block> block);  // the only one of kind Taken

/// All that a context has given out or registered: not of pools, and not what tests have made a
/// device's.
std::vector<Block> takeBlocksOf(gpu::Context context);

/// The block in which an address lies.
std::optional<Block> blockAt(Address address);
bool overlapsBlock(Address begin, std::size_t size);

/// Where the stand-in may touch what lies at an address, be it the shadow of a block.
Address reached(Address address);

/// The block in which all of these bytes lie, as the device sees them.
std::optional<Block> blockOfDevice(Address begin, std::size_t size);

/// Where it was another than the host's.
void forgetDeviceAddress(const Block& block);

/// Told at the end, with what is left.
void countWrongFree();

struct Left {
  std::size_t blocks = 0, wrong_frees = 0;
};
Left leftBlocks();

}  // namespace stand_in
