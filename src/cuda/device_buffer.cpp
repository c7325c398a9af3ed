// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <fmt/format.h>

#include <ucxx/buffer.h>
#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "cuda/device_blocks.h"
#include "cuda/driver_calls.h"

namespace ucxx {

CCCLBuffer::CCCLBuffer(std::size_t size_bytes)
    : Buffer(BufferType::CCCL, size_bytes),
      block_(cuda::takeDeviceBlock(size_bytes, "CCCLBuffer")) {}

CCCLBuffer::~CCCLBuffer() = default;

void* CCCLBuffer::data() { return block_.get(); }

int CCCLBuffer::device() const {
  constexpr const char* kWhat = "CCCLBuffer::device";
  base::requireNotForked();
  unsigned type = 0;
  int ordinal = 0;
  int asked[]{base::cuda::kMemoryType, base::cuda::kOrdinalOf};
  void* answers[]{&type, &ordinal};
  const auto address = reinterpret_cast<cuda::Address>(block_.get());
  cuda::check(cuda::requireDriver(kWhat).pointerAttributes(2, asked, answers, address),
              "cuPointerGetAttributes", kWhat);
  if (type != base::cuda::kDeviceMemory)
    throw IOError(fmt::format("{}: the memory at {} has gone, with its context", kWhat,
                              static_cast<const void*>(block_.get())));
  return ordinal;
}

}  // namespace ucxx
