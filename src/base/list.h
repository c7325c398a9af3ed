// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

namespace ucxx::base {

/// A place in a List; a member of what is listed.
struct ListNode {
  ListNode* next = nullptr;
  ListNode* previous = nullptr;
  bool linked() const noexcept { return next != nullptr; }
};

/// A doubly linked list through the member `Node` of T: no allocation, removal from anywhere in
/// constant time. Owns nothing. Touched by one thread at a time.
template <class T, ListNode T::*Node>
class List {
 public:
  List() noexcept { end_.next = end_.previous = &end_; }
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  T* front() const noexcept { return empty() ? nullptr : owner(end_.next); }
  /// The one behind `item`, or null.
  T* after(const T& item) const noexcept {
    ListNode* next = (item.*Node).next;
    return next == &end_ ? nullptr : owner(next);
  }

  void pushBack(T& item) noexcept { insertBefore(end_, item.*Node); }
  /// Before `place`; null: at the end.
  void insert(T* place, T& item) noexcept {
    insertBefore(place == nullptr ? end_ : place->*Node, item.*Node);
  }
  void remove(T& item) noexcept {
    ListNode& node = item.*Node;
    node.previous->next = node.next;
    node.next->previous = node.previous;
    node.next = node.previous = nullptr;
    --size_;
  }
  T* popFront() noexcept {
    T* item = front();
    if (item != nullptr) remove(*item);
    return item;
  }

 private:
  void insertBefore(ListNode& place, ListNode& node) noexcept {
    node.previous = place.previous;
    node.next = &place;
    place.previous->next = &node;
    place.previous = &node;
    ++size_;
  }
  static T* owner(ListNode* node) noexcept {
    alignas(T) static constexpr char kProbe[sizeof(T)] = {};
    const auto* probe = reinterpret_cast<const T*>(kProbe);
    const auto offset = reinterpret_cast<const char*>(&(probe->*Node)) - kProbe;
    return reinterpret_cast<T*>(reinterpret_cast<char*>(node) - offset);
  }

  ListNode end_;
  std::size_t size_ = 0;
};

}  // namespace ucxx::base
