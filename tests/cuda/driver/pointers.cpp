// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Whose an address is. These answer without a context, and after an error that stays.

#include "cuda/driver/blocks.h"
#include "cuda/driver/call.h"

namespace stand_in {
namespace {

// CUpointer_attribute
constexpr int kDevicePointer = 3, kHostPointer = 4, kBufferId = 7, kRangeBegin = 11,
              kRangeSize = 12;

template <class Value>
Result write(void* place, Value value) {
  *static_cast<Value*>(place) = value;
  return kSuccess;
}

/// An attribute of memory that the driver knows, or zeros.
Result tell(void* place, int attribute, Address address, const std::optional<Block>& block) {
  const auto known = block.value_or(Block{});
  const bool is_known = block.has_value();
  const Address offset = !is_known                            ? 0
                         : address - known.begin < known.size ? address - known.begin
                                                              : address - known.device;
  switch (attribute) {
    case gpu::kContextOf:
      return write(place, known.context);
    case gpu::kMemoryType:
      return write(place, !is_known              ? 0u
                          : known.isPageLocked() ? gpu::kHostMemory
                                                 : gpu::kDeviceMemory);
    case kDevicePointer:
      return write(place, is_known ? known.device + offset : 0);
    case kHostPointer:
      return write(place,
                   is_known && !known.isOfDevice() ? pointerTo(known.begin + offset) : nullptr);
    case kBufferId:
      return write(place, known.id);
    case gpu::kIsManaged:  // more than the byte of a bool, as the driver may
      return write(place, is_known && known.isManaged() ? 1u : 0u);
    case gpu::kOrdinalOf:
      return write(place, is_known ? known.ordinal : -2);
    case gpu::kHasIpcHandle:
      return write(place, known.is_exported ? 1 : 0);
    case kRangeBegin:
      return write(place, is_known ? known.device : Address{0});
    case kRangeSize:
      return write(place, is_known ? known.size : std::size_t{0});
    default:
      return kInvalidValue;
  }
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the driver's names
/// Of memory that it does not know this one makes an error.
UCXX_CUDA_API Result cuPointerGetAttribute(void* place, int attribute, Address address) {
  return call("cuPointerGetAttribute", kInitialised, [&] {
    const auto block = blockAt(address);
    if (place == nullptr || !block.has_value()) return kInvalidValue;
    return tell(place, attribute, address, block);
  });
}

/// ... and this one says zeros.
UCXX_CUDA_API Result cuPointerGetAttributes(unsigned count, const int* attributes, void** places,
                                            Address address) {
  return call("cuPointerGetAttributes", kInitialised, [&] {
    const auto block = blockAt(address);
    for (unsigned index = 0; index < count; ++index)
      if (const Result result = tell(places[index], attributes[index], address, block);
          result != kSuccess)
        return result;
    return kSuccess;
  });
}

/// Of memory that a device may have: not of what is page-locked.
UCXX_CUDA_API Result cuMemGetAddressRange_v2(Address* begin, std::size_t* size, Address address) {
  return call("cuMemGetAddressRange", kInContext, [&] {
    const auto block = blockAt(address);
    if (!block.has_value() || block->isPageLocked()) return kNotFound;
    if (begin != nullptr) *begin = block->device;
    if (size != nullptr) *size = block->size;
    return kSuccess;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
