// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/id128.h"

namespace ucxx::door {

/// Appends little-endian fields.
class WireWriter {
 public:
  explicit WireWriter(std::vector<std::byte>& out) : out_(out) {}

  template <class Integer>
  void put(Integer value) {
    for (std::size_t i = 0; i < sizeof value; ++i) {
      out_.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
    }
  }
  void put(const base::Id128& id) {
    put(id.high);
    put(id.low);
  }
  void put(std::span<const std::byte> bytes) {
    out_.insert(out_.end(), bytes.begin(), bytes.end());
  }

 private:
  std::vector<std::byte>& out_;
};

/// Reads little-endian fields; past the end it yields zeros and is no longer `ok`.
class WireReader {
 public:
  explicit WireReader(std::span<const std::byte> in) : in_(in) {}

  bool ok() const { return ok_; }
  std::size_t left() const { return in_.size(); }

  std::span<const std::byte> bytes(std::size_t count) {
    if (count > in_.size()) {
      ok_ = false;
      count = 0;
    }
    const auto taken = in_.first(count);
    in_ = in_.subspan(count);
    return taken;
  }
  template <class Integer>
  Integer get() {
    Integer value = 0;
    std::size_t shift = 0;
    for (const std::byte byte : bytes(sizeof value)) {
      value = static_cast<Integer>(value | std::to_integer<Integer>(byte) << shift);
      shift += 8;
    }
    return value;
  }
  base::Id128 id() {
    base::Id128 id;
    id.high = get<std::uint64_t>();
    id.low = get<std::uint64_t>();
    return id;
  }

 private:
  std::span<const std::byte> in_;
  bool ok_ = true;
};

}  // namespace ucxx::door
