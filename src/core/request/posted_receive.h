// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

namespace ucxx::core {

class Matcher;
class TagRing;
class TagTable;

inline constexpr std::uint64_t kTagMaskFull = ~std::uint64_t{0};

/// What posted receives and arrived messages have in common: their place in a Matcher (room
/// match). Nobody else touches that.
class TagNode {
 public:
  TagNode() = default;
  explicit TagNode(std::uint64_t tag_) : tag(tag_) {}
  TagNode(const TagNode&) = delete;
  TagNode& operator=(const TagNode&) = delete;

  std::uint64_t tag = 0;  // fixed while it waits in a matcher
  // Grows with each message that arrives and each receive that starts to wait. A message keeps its
  // number when it is taken, and a receive that has matched has the number of its message.
  std::uint64_t number = 0;
  bool isWaiting() const { return next_ != nullptr; }

 private:
  friend class Matcher;
  friend class TagRing;
  friend class TagTable;
  TagNode* next_ = nullptr;  // ring of nodes of the same tag, or of wildcards, oldest first
  TagNode* prev_ = nullptr;
  TagNode* bucket_next_ = nullptr;   // only the oldest node of a tag hangs in a bucket
  TagNode** bucket_link_ = nullptr;  // the pointer in the table that points here
};

/// A receive without a message; base class of an operation.
struct PostedReceive : TagNode {
  PostedReceive() = default;
  PostedReceive(std::uint64_t tag_, std::uint64_t mask_) : TagNode(tag_), mask(mask_) {}

  std::uint64_t mask = kTagMaskFull;
  // The number of its post, by which the receives that wait are in order; 0: not posted.
  std::uint64_t posted = 0;
};

}  // namespace ucxx::core
