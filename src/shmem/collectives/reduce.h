// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "shmem/access/copy.h"
#include "shmem/checks/arguments.h"
#include "shmem/collectives/exchange.h"
#include "shmem/memory/locate.h"

// Reductions and scans. Small ones travel in the arrivals, and each member computes the result.
// Of large ones each member computes a part, for all: it reads that part of each source and writes
// it into each dest. So no element of a source is overwritten before it has been read, in place
// too, and every member gets the same bits.

namespace ucxx::shmem {

struct And {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return static_cast<T>(a ^ b);
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return b < a ? b : a;
  }
};
/// Of integers as unsigned ones, so that they wrap.
struct Sum {
  template <class T>
  T operator()(T a, T b) const noexcept {
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
    } else {
      return a + b;
    }
  }
};
/// Narrow factors would be widened to int, which may overflow.
struct Product {
  template <class T>
  T operator()(T a, T b) const noexcept {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<unsigned long long>(a) *
                            static_cast<unsigned long long>(b));
    } else {
      return a * b;
    }
  }
};

/// Elements that a member works on at a time: they stay in the first-level cache.
template <class T>
inline constexpr std::size_t kPiece = (std::size_t{8} << 10) / sizeof(T);

template <class T>
struct Operands {
  Team& team;
  T* dest;
  const T* source;
  std::size_t count;
  const char* call;

  T* destOf(int member, std::size_t first, std::size_t length) const noexcept {
    return at(dest + first, member, length);
  }
  const T* sourceOf(int member, std::size_t first, std::size_t length) const noexcept {
    return at(const_cast<T*>(source) + first, member, length);
  }

 private:
  T* at(T* address, int member, std::size_t length) const noexcept {
    const Place place = locate(address, length * sizeof(T), team.peOf(member), call);
    return reinterpret_cast<T*>(place.address);
  }
};

/// Calls `work(first, length)` for pieces of the local member's part of the elements.
template <class T, class Work>
void forEachPiece(const Operands<T>& operands, const Work& work) noexcept {
  const auto size = static_cast<std::size_t>(operands.team.size);
  const auto me = static_cast<std::size_t>(operands.team.me);
  const std::size_t each = operands.count / size, more = operands.count % size;
  const std::size_t begin = me * each + std::min(me, more);
  const std::size_t end = begin + each + (me < more ? 1 : 0);
  for (std::size_t first = begin; first < end; first += kPiece<T>)
    work(first, std::min(kPiece<T>, end - first));
}

/// All have come before `work`, and all have done theirs after it.
template <class Work>
void between(Team& team, const char* call, const Work& work) noexcept {
  meet(team, call);
  work();
  meet(team, call);
}

template <class T>
void check(const Operands<T>& operands) noexcept {
  const std::size_t bytes = operands.count * sizeof(T);
  compareArguments(operands.team, {{"nreduce", operands.count}}, operands.call);
  checkBuffers(operands.team, {operands.dest, bytes, operands.source, bytes, true}, operands.call);
}

template <class T>
inline constexpr std::size_t kMostInArrival = Arrival::kRoom / sizeof(T);

/// Calls `take(member, elements)` with what each member has sent, in order.
template <class T, class Take>
void exchangeSmall(const Operands<T>& operands, const Take& take) noexcept {
  const Exchange exchange(operands.team, operands.call);
  const std::size_t bytes = operands.count * sizeof(T);
  exchange.arrive(operands.source, bytes);
  alignas(T) std::array<std::byte, Arrival::kRoom> elements;
  for (int member = 0; member < operands.team.size; ++member) {
    const void* const from = member == operands.team.me ? static_cast<const void*>(operands.source)
                                                        : exchange.await(member);
    if (bytes != 0) std::memcpy(elements.data(), from, bytes);
    take(member, reinterpret_cast<const T*>(elements.data()));
  }
}

template <class T>
using Piece = std::array<T, kPiece<T>>;

template <class Operator, class T>
void combine(T* result, const T* elements, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) result[i] = Operator()(result[i], elements[i]);
}

/// Takes a member's elements in, in the order of the members. Those of the first one are copied:
/// 0 + -0.0 would be 0.
template <class Operator, class T>
void accumulate(T* result, int member, const T* elements, std::size_t count) noexcept {
  if (member == 0) {
    std::copy_n(elements, count, result);
  } else {
    combine<Operator>(result, elements, count);
  }
}

template <class Operator, class T>
void reduceSmall(const Operands<T>& operands) noexcept {
  std::array<T, std::max<std::size_t>(kMostInArrival<T>, 1)> result;
  exchangeSmall(operands, [&](int member, const T* elements) {
    accumulate<Operator>(result.data(), member, elements, operands.count);
  });
  std::copy_n(result.data(), operands.count, operands.dest);
}

template <class Operator, class T>
void reducePiece(const Operands<T>& operands, std::size_t first, std::size_t length) noexcept {
  Piece<T> result;
  for (int member = 0; member < operands.team.size; ++member)
    accumulate<Operator>(result.data(), member, operands.sourceOf(member, first, length), length);
  for (int member = 0; member < operands.team.size; ++member)
    std::copy_n(result.data(), length, operands.destOf(member, first, length));
}

/// dest = source of member 0, Operator, source of member 1, ...
template <class Operator, class T>
void reduce(const Operands<T>& operands) noexcept {
  check(operands);
  if (operands.count <= kMostInArrival<T>) return reduceSmall<Operator>(operands);
  between(operands.team, operands.call, [&] {
    forEachPiece(operands, [&](std::size_t first, std::size_t length) {
      reducePiece<Operator>(operands, first, length);
    });
  });
}

enum class Scan : bool { Exclusive, Inclusive };

template <Scan Kind, class T>
void scanSmall(const Operands<T>& operands) noexcept {
  std::array<T, std::max<std::size_t>(kMostInArrival<T>, 1)> sum{};
  const int last = operands.team.me - (Kind == Scan::Exclusive ? 1 : 0);
  exchangeSmall(operands, [&](int member, const T* elements) {
    if (member <= last) accumulate<Sum>(sum.data(), member, elements, operands.count);
  });
  std::copy_n(sum.data(), operands.count, operands.dest);
}

template <Scan Kind, class T>
void scanPiece(const Operands<T>& operands, std::size_t first, std::size_t length) noexcept {
  Piece<T> sum{}, before;
  for (int member = 0; member < operands.team.size; ++member) {
    const T* const source = operands.sourceOf(member, first, length);
    if constexpr (Kind == Scan::Exclusive) std::copy_n(sum.data(), length, before.data());
    accumulate<Sum>(sum.data(), member, source, length);
    std::copy_n(Kind == Scan::Exclusive ? before.data() : sum.data(), length,
                operands.destOf(member, first, length));
  }
}

/// dest = the sum of the sources of the members up to the local one, or of those before it.
template <Scan Kind, class T>
void scan(const Operands<T>& operands) noexcept {
  check(operands);
  if (operands.count <= kMostInArrival<T>) return scanSmall<Kind>(operands);
  between(operands.team, operands.call, [&] {
    forEachPiece(operands, [&](std::size_t first, std::size_t length) {
      scanPiece<Kind>(operands, first, length);
    });
  });
}

}  // namespace ucxx::shmem
