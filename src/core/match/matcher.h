// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/seeded_hash.h"
#include "core/request/posted_receive.h"

namespace ucxx::core {

// A message without a receive; base class of what core keeps of it.
struct ArrivedMessage : TagNode {
  ArrivedMessage() = default;
  ArrivedMessage(std::uint64_t tag_, std::size_t size_) : TagNode(tag_), size(size_) {}

  std::size_t size = 0;

 private:
  friend class Matcher;
  ArrivedMessage* newer_ = nullptr;  // all arrived messages in order
  ArrivedMessage* older_ = nullptr;
};

// Nodes in a circle, oldest first; none is owned.
class TagRing {
 public:
  TagNode* first() const { return first_; }
  TagNode* after(const TagNode* node) const {  // nullptr after the newest
    return node->next_ == first_ ? nullptr : node->next_;
  }
  void append(TagNode& node);
  // As `append`, of a node that is older than some.
  void insertByNumber(TagNode& node);
  void remove(TagNode& node);

  // As `append` and `remove`, on a ring that is known by its oldest node.
  static void appendTo(TagNode& first, TagNode& node);
  static void unlink(TagNode& node);

 private:
  TagNode* first_ = nullptr;
};

// Tag -> the nodes with this tag, oldest first. Its cost does not depend on how many tags there
// are, nor on how many nodes have the same one, nor on who chose them.
class TagTable {
 public:
  TagTable();

  TagNode* find(std::uint64_t tag) const;  // the oldest
  void insert(TagNode& node);
  // As `insert`, of a node that is older than some of its tag.
  void insertByNumber(TagNode& node);
  void remove(TagNode& node);
  void collect(std::vector<TagNode*>& nodes) const;  // in no order

 private:
  std::size_t bucketOf(std::uint64_t tag) const { return hash_(tag) >> shift_; }
  static TagNode* findIn(TagNode* bucket, std::uint64_t tag);
  static void hang(TagNode*& bucket, TagNode& node);
  static TagNode** unhang(TagNode& node);
  void grow();

  const base::SeededHash hash_;
  std::vector<TagNode*> buckets_;
  std::size_t tags_ = 0;
  unsigned shift_;
};

// Brings receives and messages together by tag: (message.tag & mask) == (receive.tag & mask).
// The oldest posted receive wins, exact and wildcard ones together, and the oldest message.
// A receive whose mask has all bits set costs the same among 10 and 10,000; one with another mask
// looks at the waiting messages in order, a message at the waiting wildcards in order.
//
// Owner: one per worker. Threads: the worker's loop only. Nodes are linked, not owned: a node
// must be withdrawn or removed before it dies; dropping the matcher forgets them.
// Nothing is allocated, but when a table grows.
class Matcher {
 public:
  // The oldest message that matches, no longer waiting; or nullptr: the receive now waits.
  ArrivedMessage* post(PostedReceive& receive);

  // As `post`, while no message waits.
  void wait(PostedReceive& receive);

  // As `post`, of a receive whose message is none any more: it waits at its old place, which is
  // looked for among those of its tag, or among the wildcards.
  ArrivedMessage* repost(PostedReceive& receive);

  // The oldest receive that matches an arriving message, no longer waiting; or nullptr.
  PostedReceive* match(std::uint64_t tag);
  // The receive that `match` would return; it still waits.
  PostedReceive* find(std::uint64_t tag) const;

  // For a message that match() found no receive for.
  void keep(ArrivedMessage& message);

  // A message that was taken, and is to be received again: the oldest receive that matches, no
  // longer waiting; or nullptr: the message waits at its old place, that of its number.
  PostedReceive* restore(ArrivedMessage& message);

  // False if the node does not wait (any more): it was matched. Must not be in another matcher.
  bool withdraw(PostedReceive& receive);
  bool remove(ArrivedMessage& message);

  // The oldest message that matches; it stays.
  ArrivedMessage* probe(std::uint64_t tag, std::uint64_t mask) const;

  std::size_t postedCount() const { return posted_count_; }
  std::size_t arrivedCount() const { return arrived_count_; }

  // The messages, oldest first. Nothing is allocated: a peer's end needs them, out of memory, too.
  ArrivedMessage* oldest() const { return oldest_; }
  static ArrivedMessage* newerThan(const ArrivedMessage& message) { return message.newer_; }
  // The next one of the same tag.
  static ArrivedMessage* newerOfTag(const ArrivedMessage& message);
  // A snapshot, oldest first, for tests.
  std::vector<PostedReceive*> posted() const;

 private:
  PostedReceive* oldestWildcard(std::uint64_t tag, const TagNode* exact) const;
  ArrivedMessage* takeFor(PostedReceive& receive);
  void list(PostedReceive& receive);
  void unlink(PostedReceive& receive);
  void unlink(ArrivedMessage& message);
  ArrivedMessage* firstNewerThan(std::uint64_t number) const;

  TagTable exact_;     // posted receives with a full mask
  TagRing wildcards_;  // the others
  TagTable messages_;  // arrived ones by tag, and by age:
  ArrivedMessage* oldest_ = nullptr;
  ArrivedMessage* newest_ = nullptr;
  std::size_t posted_count_ = 0;
  std::size_t arrived_count_ = 0;
  std::uint64_t last_number_ = 0;
};

// In line: each message and each receive comes through here.

inline void TagRing::appendTo(TagNode& first, TagNode& node) {
  node.next_ = &first;
  node.prev_ = first.prev_;
  first.prev_->next_ = &node;
  first.prev_ = &node;
}

inline void TagRing::unlink(TagNode& node) {
  node.prev_->next_ = node.next_;
  node.next_->prev_ = node.prev_;
}

inline TagNode* TagTable::findIn(TagNode* bucket, std::uint64_t tag) {
  while (bucket != nullptr && bucket->tag != tag) bucket = bucket->bucket_next_;
  return bucket;
}

inline TagNode* TagTable::find(std::uint64_t tag) const {
  return findIn(buckets_[bucketOf(tag)], tag);
}

inline void TagTable::hang(TagNode*& bucket, TagNode& node) {
  node.bucket_next_ = bucket;
  node.bucket_link_ = &bucket;
  if (bucket != nullptr) bucket->bucket_link_ = &node.bucket_next_;
  bucket = &node;
}

[[gnu::always_inline]] inline void TagTable::insert(TagNode& node) {
  TagNode** bucket = &buckets_[bucketOf(node.tag)];
  if (TagNode* first = findIn(*bucket, node.tag); first != nullptr) {
    node.bucket_link_ = nullptr;
    return TagRing::appendTo(*first, node);
  }
  if (tags_ == buckets_.size()) [[unlikely]] {
    grow();
    bucket = &buckets_[bucketOf(node.tag)];
  }
  node.next_ = node.prev_ = &node;
  hang(*bucket, node);
  ++tags_;
}

inline TagNode** TagTable::unhang(TagNode& node) {
  TagNode** link = std::exchange(node.bucket_link_, nullptr);
  *link = node.bucket_next_;
  if (node.bucket_next_ != nullptr) node.bucket_next_->bucket_link_ = link;
  return link;
}

[[gnu::always_inline]] inline void TagTable::remove(TagNode& node) {
  if (node.bucket_link_ == nullptr) return TagRing::unlink(node);
  TagNode** link = unhang(node);
  if (node.next_ == &node) {
    --tags_;
    return;
  }
  hang(*link, *node.next_);  // the next oldest of this tag takes the place
  TagRing::unlink(node);
}

[[gnu::always_inline]] inline PostedReceive* Matcher::find(std::uint64_t tag) const {
  auto* receive = static_cast<PostedReceive*>(exact_.find(tag));
  if (wildcards_.first() != nullptr) {
    PostedReceive* wildcard = oldestWildcard(tag, receive);
    if (wildcard != nullptr) receive = wildcard;
  }
  return receive;
}

[[gnu::always_inline]] inline PostedReceive* Matcher::match(std::uint64_t tag) {
  PostedReceive* receive = find(tag);
  if (receive == nullptr) return nullptr;
  unlink(*receive);
  receive->number = ++last_number_;
  return receive;
}

[[gnu::always_inline]] inline void Matcher::unlink(PostedReceive& receive) {
  if (receive.mask == kTagMaskFull) {
    exact_.remove(receive);
  } else {
    wildcards_.remove(receive);
  }
  receive.next_ = nullptr;
  --posted_count_;
}

[[gnu::always_inline]] inline void Matcher::list(PostedReceive& receive) {
  receive.number = receive.posted;
  ++posted_count_;
  receive.mask == kTagMaskFull ? exact_.insert(receive) : wildcards_.append(receive);
}

[[gnu::always_inline]] inline void Matcher::wait(PostedReceive& receive) {
  receive.posted = ++last_number_;
  list(receive);
}

}  // namespace ucxx::core
