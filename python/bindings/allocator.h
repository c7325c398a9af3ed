// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/buffer.h>

#include "completions.h"
#include "python.h"
#include "view.h"

namespace ucxx::python {

/// What a function of Python's gave to receive into: its object, pinned.
class PythonBuffer final : public Buffer {
 public:
  /// With the GIL. Takes `view`, of `object`.
  PythonBuffer(nb::handle object, View& view, std::shared_ptr<Completions> completions);
  /// With the GIL, or without it: then the completions end the pin.
  ~PythonBuffer() override;
  void* data() override;
  nb::handle object() const noexcept;

 private:
  struct Pin;
  std::unique_ptr<Pin> pin_;
  const std::shared_ptr<Completions> completions_;
};

/// Has large messages from memory of the host or of a device received into what
/// `worker._allocate(kind, nbytes)` gives. Whoever moves the worker takes the GIL for it.
void useAllocator(nb::handle worker, bool of_device);

}  // namespace ucxx::python
