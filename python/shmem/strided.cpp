// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "strided.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "rma.h"

namespace ucxx::python::shmem {
namespace {

/// One dimension that both sides have: how many steps, and how far apart in bytes.
struct Axis {
  std::ptrdiff_t count, to, from;
};

/// Blocks that are contiguous on both sides, and the axes along which they repeat, the innermost
/// first.
struct Blocks {
  std::ptrdiff_t bytes;
  std::vector<Axis> axes;
};

/// Axes of one step are left out, and those that continue a smaller one are merged with it.
Blocks merged(std::vector<Axis> axes, std::ptrdiff_t item_bytes) {
  std::erase_if(axes, [](const Axis& axis) { return axis.count == 1; });
  std::stable_sort(axes.begin(), axes.end(), [](const Axis& one, const Axis& other) {
    return std::abs(one.to) < std::abs(other.to);
  });
  Blocks blocks{item_bytes, {}};
  for (const Axis& axis : axes) {
    if (blocks.axes.empty() && axis.to == blocks.bytes && axis.from == blocks.bytes) {
      blocks.bytes *= axis.count;
      continue;
    }
    Axis* const last = blocks.axes.empty() ? nullptr : &blocks.axes.back();
    if (last != nullptr && axis.to == last->to * last->count &&
        axis.from == last->from * last->count)
      last->count *= axis.count;
    else
      blocks.axes.push_back(axis);
  }
  return blocks;
}

/// Moves blocks at addresses of this PE.
class Mover {
 public:
  Mover(Direction direction, Remote remote) noexcept
      : is_put_(direction == Direction::Put), remote_(remote) {}

  void moveOne(char* to, const char* from, std::ptrdiff_t bytes) const {
    (is_put_ ? functions.ctx_putmem : functions.ctx_getmem)(
        remote_.ctx, to, from, static_cast<std::size_t>(bytes), remote_.pe);
  }
  /// Along one axis.
  void moveRow(char* to, const char* from, std::ptrdiff_t bytes, const Axis& axis) const {
    const Unit unit = unitOf(bytes | axis.to | axis.from);
    if (axis.to < bytes || axis.from < bytes) return moveEach(to, from, bytes, axis);
    const StridedFunctions& of_unit = functions.strided[unit.index];
    const auto count = static_cast<std::size_t>(axis.count);
    const std::ptrdiff_t to_stride = axis.to / unit.bytes, from_stride = axis.from / unit.bytes;
    if (bytes == unit.bytes) {
      (is_put_ ? of_unit.iput : of_unit.iget)(remote_.ctx, to, from, to_stride, from_stride, count,
                                              remote_.pe);
    } else {
      (is_put_ ? of_unit.ibput : of_unit.ibget)(remote_.ctx, to, from, to_stride, from_stride,
                                                static_cast<std::size_t>(bytes / unit.bytes), count,
                                                remote_.pe);
    }
  }

 private:
  /// Strides that the strided functions do not take: backwards, or all at one place.
  void moveEach(char* to, const char* from, std::ptrdiff_t bytes, const Axis& axis) const {
    for (std::ptrdiff_t i = 0; i < axis.count; ++i)
      moveOne(to + i * axis.to, from + i * axis.from, bytes);
  }

  const bool is_put_;
  const Remote remote_;
};

void moveAlong(const Mover& mover, const Blocks& blocks, std::size_t outer, char* to,
               const char* from) {
  if (outer == 0) return mover.moveOne(to, from, blocks.bytes);
  const Axis& axis = blocks.axes[outer - 1];
  if (outer == 1) return mover.moveRow(to, from, blocks.bytes, axis);
  for (std::ptrdiff_t i = 0; i < axis.count; ++i)
    moveAlong(mover, blocks, outer - 1, to + i * axis.to, from + i * axis.from);
}

/// The strides of an array of that shape that is contiguous in C's order.
std::vector<std::ptrdiff_t> cStrides(PyArrayObject* shape, std::ptrdiff_t item_bytes) {
  std::vector<std::ptrdiff_t> strides(static_cast<std::size_t>(PyArray_NDIM(shape)));
  for (int i = PyArray_NDIM(shape) - 1; i >= 0; --i) {
    strides[static_cast<std::size_t>(i)] = item_bytes;
    item_bytes *= PyArray_DIM(shape, i);
  }
  return strides;
}
std::vector<std::ptrdiff_t> stridesOf(PyArrayObject* array) {
  return {PyArray_STRIDES(array), PyArray_STRIDES(array) + PyArray_NDIM(array)};
}

bool isInCOrder(const Array& array) noexcept {
  return (PyArray_FLAGS(array.object) & NPY_ARRAY_C_CONTIGUOUS) != 0;
}
bool haveSameShape(const Array& one, const Array& other) noexcept {
  return PyArray_SAMESHAPE(one.object, other.object);
}

/// Element by element: whatever the shapes.
void moveElements(const Mover& mover, const Array& target, const Array& source,
                  std::ptrdiff_t count) {
  const auto address_of = [](const Array& array, std::ptrdiff_t number) {
    char* address = array.data;
    for (int i = PyArray_NDIM(array.object) - 1; i >= 0; --i) {
      const std::ptrdiff_t steps = PyArray_DIM(array.object, i);
      address += number % steps * PyArray_STRIDE(array.object, i);
      number /= steps;
    }
    return address;
  };
  for (std::ptrdiff_t i = 0; i < count; ++i)
    mover.moveOne(address_of(target, i), address_of(source, i), target.item_bytes);
}

/// An array whose shape the elements of both sides can be given; null: there is none.
PyArrayObject* commonShape(const Array& target, const Array& source, std::ptrdiff_t count) {
  if (haveSameShape(target, source) && count == target.count) return target.object;
  if (count == target.count && isInCOrder(source)) return target.object;
  if (count == source.count && isInCOrder(target)) return source.object;
  return nullptr;
}

std::vector<Axis> axesOf(PyArrayObject* shape, const Array& target, const Array& source) {
  const bool is_of_both = haveSameShape(target, source);
  const auto strides = [&](const Array& side) {
    return is_of_both || side.object == shape ? stridesOf(side.object)
                                              : cStrides(shape, side.item_bytes);
  };
  const auto to = strides(target), from = strides(source);
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < to.size(); ++i)
    axes.push_back({PyArray_DIM(shape, static_cast<int>(i)), to[i], from[i]});
  return axes;
}

}  // namespace

Unit unitOf(std::ptrdiff_t bytes) noexcept {
  for (int index = 4; index > 0; --index) {
    const std::ptrdiff_t unit = std::ptrdiff_t{1} << index;
    if (bytes % unit == 0) return {index, unit};
  }
  return {0, 1};
}

void moveStrided(Direction direction, const Array& target, const Array& source,
                 std::ptrdiff_t count, Remote remote) {
  if (count == 0) return;
  const Mover mover(direction, remote);
  const auto bytes = static_cast<std::size_t>(count * target.item_bytes);
  PyArrayObject* const shape = commonShape(target, source, count);
  if (shape == nullptr)
    return withoutGilIfLong(bytes, [&] { moveElements(mover, target, source, count); });
  const Blocks blocks = merged(axesOf(shape, target, source), target.item_bytes);
  withoutGilIfLong(bytes,
                   [&] { moveAlong(mover, blocks, blocks.axes.size(), target.data, source.data); });
}

}  // namespace ucxx::python::shmem
