// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "python.h"

namespace ucxx::python {

/// Around what moves a worker, with the GIL: as soon as much has been copied, and to the end of
/// this object, other threads of Python run. Small messages do not pay: where another thread
/// computes, to get the GIL back takes 5 ms (`sys.getswitchinterval`). Nothing of Python may be
/// touched meanwhile.
class CopiesWithoutGil {
 public:
  CopiesWithoutGil() noexcept;
  ~CopiesWithoutGil();
  CopiesWithoutGil(const CopiesWithoutGil&) = delete;
  CopiesWithoutGil& operator=(const CopiesWithoutGil&) = delete;

  /// From now on, whatever is copied. Does nothing the second time.
  void release() noexcept;
  bool isReleased() const noexcept { return state_ != nullptr; }

  /// Python is called by the core meanwhile, with the GIL, and keeps it.
  class Interrupted {
   public:
    Interrupted() noexcept;
    ~Interrupted();
    Interrupted(const Interrupted&) = delete;
    Interrupted& operator=(const Interrupted&) = delete;

   private:
    CopiesWithoutGil* const inner_;
  };

  /// Another thread computes, as it seems: who lets go of the GIL waits for it. With the GIL.
  static bool isContended() noexcept;

  /// This thread moves a worker, and may lose the GIL.
  static bool isUnderWay() noexcept;

  /// Once, when the extension is loaded: the core tells of its copies.
  static void listen() noexcept;

 private:
  static void aboutToCopy(std::size_t bytes) noexcept;

  CopiesWithoutGil* const outer_;
  std::size_t left_;
  PyThreadState* state_ = nullptr;
};

}  // namespace ucxx::python
