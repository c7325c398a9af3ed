// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/match/matcher.h"

#include <algorithm>
#include <new>
#include <utility>

namespace ucxx::core {

namespace {
constexpr unsigned kFirstBits = 8;
}  // namespace

void TagRing::append(TagNode& node) {
  if (first_ != nullptr) return appendTo(*first_, node);
  node.next_ = node.prev_ = first_ = &node;
}

void TagRing::insertByNumber(TagNode& node) {
  TagNode* newer = first_;
  while (newer != nullptr && newer->number < node.number) newer = after(newer);
  if (newer == nullptr) return append(node);
  appendTo(*newer, node);  // in a circle, the place before it
  if (newer == first_) first_ = &node;
}

void TagRing::remove(TagNode& node) {
  if (first_ == &node) first_ = after(&node);
  unlink(node);
}

TagTable::TagTable() : buckets_(std::size_t{1} << kFirstBits), shift_(64 - kFirstBits) {}

void TagTable::insertByNumber(TagNode& node) {
  TagNode* const first = find(node.tag);
  if (first == nullptr) return insert(node);
  if (node.number < first->number) {
    hang(*unhang(*first), node);
    return TagRing::appendTo(*first, node);  // in a circle, the place before the oldest
  }
  TagNode* newer = first->next_;
  while (newer != first && newer->number < node.number) newer = newer->next_;
  node.bucket_link_ = nullptr;
  TagRing::appendTo(*newer, node);
}

void TagTable::collect(std::vector<TagNode*>& nodes) const {
  for (TagNode* first : buckets_) {
    for (; first != nullptr; first = first->bucket_next_) {
      TagNode* node = first;
      do {
        nodes.push_back(node);
        node = node->next_;
      } while (node != first);
    }
  }
}

void TagTable::grow() try {
  std::vector<TagNode*> old(buckets_.size() * 2);
  old.swap(buckets_);
  --shift_;
  for (TagNode* node : old) {
    while (node != nullptr) {
      TagNode* next = node->bucket_next_;
      hang(buckets_[bucketOf(node->tag)], *node);
      node = next;
    }
  }
} catch (const std::bad_alloc&) {
  // A table that cannot grow is slower, not wrong; a message must not be lost for it.
}

// The oldest message that matches, no longer waiting.
ArrivedMessage* Matcher::takeFor(PostedReceive& receive) {
  ArrivedMessage* const message = arrived_count_ != 0 ? probe(receive.tag, receive.mask) : nullptr;
  if (message == nullptr) return nullptr;
  unlink(*message);
  receive.number = message->number;
  return message;
}

ArrivedMessage* Matcher::post(PostedReceive& receive) {
  receive.posted = ++last_number_;
  if (ArrivedMessage* message = takeFor(receive); message != nullptr) return message;
  list(receive);
  return nullptr;
}

ArrivedMessage* Matcher::repost(PostedReceive& receive) {
  if (ArrivedMessage* message = takeFor(receive); message != nullptr) return message;
  receive.number = receive.posted;
  ++posted_count_;
  receive.mask == kTagMaskFull ? exact_.insertByNumber(receive)
                               : wildcards_.insertByNumber(receive);
  return nullptr;
}

// The oldest wildcard receive for this tag that is older than `exact`.
PostedReceive* Matcher::oldestWildcard(std::uint64_t tag, const TagNode* exact) const {
  for (TagNode* node = wildcards_.first(); node != nullptr; node = wildcards_.after(node)) {
    if (exact != nullptr && node->number > exact->number) return nullptr;
    auto* receive = static_cast<PostedReceive*>(node);
    if (((tag ^ receive->tag) & receive->mask) == 0) return receive;
  }
  return nullptr;
}

void Matcher::keep(ArrivedMessage& message) {
  message.number = ++last_number_;
  messages_.insert(message);
  message.older_ = newest_;
  message.newer_ = nullptr;
  (newest_ != nullptr ? newest_->newer_ : oldest_) = &message;
  newest_ = &message;
  ++arrived_count_;
}

// Messages come back soon, and to one end of the queue or the other.
ArrivedMessage* Matcher::firstNewerThan(std::uint64_t number) const {
  ArrivedMessage* from_oldest = oldest_;
  ArrivedMessage* from_newest = newest_;
  while (from_oldest != nullptr && from_oldest->number < number) {
    if (from_newest->number < number) return from_newest->newer_;
    from_oldest = from_oldest->newer_;
    from_newest = from_newest->older_;
  }
  return from_oldest;
}

PostedReceive* Matcher::restore(ArrivedMessage& message) {
  // No message that waits has this receive: it takes this one, as if it came now.
  if (PostedReceive* receive = find(message.tag); receive != nullptr) {
    unlink(*receive);
    receive->number = message.number;
    return receive;
  }
  ArrivedMessage* const newer = firstNewerThan(message.number);
  messages_.insertByNumber(message);
  message.newer_ = newer;
  message.older_ = newer != nullptr ? newer->older_ : newest_;
  (message.older_ != nullptr ? message.older_->newer_ : oldest_) = &message;
  (newer != nullptr ? newer->older_ : newest_) = &message;
  ++arrived_count_;
  return nullptr;
}

bool Matcher::withdraw(PostedReceive& receive) {
  if (!receive.isWaiting()) return false;
  unlink(receive);
  return true;
}

bool Matcher::remove(ArrivedMessage& message) {
  if (!message.isWaiting()) return false;
  unlink(message);
  return true;
}

ArrivedMessage* Matcher::probe(std::uint64_t tag, std::uint64_t mask) const {
  if (mask == kTagMaskFull) return static_cast<ArrivedMessage*>(messages_.find(tag));
  ArrivedMessage* message = oldest_;
  while (message != nullptr && ((message->tag ^ tag) & mask) != 0) message = message->newer_;
  return message;
}

void Matcher::unlink(ArrivedMessage& message) {
  messages_.remove(message);
  (message.older_ != nullptr ? message.older_->newer_ : oldest_) = message.newer_;
  (message.newer_ != nullptr ? message.newer_->older_ : newest_) = message.older_;
  message.next_ = nullptr;
  --arrived_count_;
}

std::vector<PostedReceive*> Matcher::posted() const {
  std::vector<TagNode*> nodes;
  nodes.reserve(posted_count_);
  exact_.collect(nodes);
  for (TagNode* node = wildcards_.first(); node != nullptr; node = wildcards_.after(node)) {
    nodes.push_back(node);
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const TagNode* a, const TagNode* b) { return a->number < b->number; });
  std::vector<PostedReceive*> receives;
  receives.reserve(nodes.size());
  for (TagNode* node : nodes) receives.push_back(static_cast<PostedReceive*>(node));
  return receives;
}

ArrivedMessage* Matcher::newerOfTag(const ArrivedMessage& message) {
  TagNode* next = message.next_;
  return next->bucket_link_ != nullptr ? nullptr : static_cast<ArrivedMessage*>(next);
}

}  // namespace ucxx::core
