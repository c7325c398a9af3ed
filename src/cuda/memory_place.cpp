// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/memory_place.h"

#include <iterator>

namespace ucxx::cuda {

MemoryPlace placeOf(const void* address) {
  const Driver* const driver = base::cuda::driver();
  if (driver == nullptr) return {};
  MemoryPlace place;
  unsigned type = 0, is_managed = 0;  // a bool, of which the driver may write more than a byte
  int asked[]{base::cuda::kMemoryType, base::cuda::kIsManaged, base::cuda::kContextOf,
              base::cuda::kOrdinalOf};
  void* answers[]{&type, &is_managed, &place.context, &place.device};
  const Result result = driver->pointerAttributes(std::size(asked), asked, answers,
                                                  reinterpret_cast<Address>(address));
  if (result == base::cuda::kNotInitialized || result == base::cuda::kDeinitialized) return {};
  check(result, "cuPointerGetAttributes", "copy");
  const bool is_for_processor = (is_managed & 0xff) != 0;
  place.is_on_device = type == base::cuda::kDeviceMemory && !is_for_processor;
  place.is_page_locked = type == base::cuda::kHostMemory;
  return place;
}

}  // namespace ucxx::cuda
