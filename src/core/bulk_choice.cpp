// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk_choice.h"

#include "local/choices.h"
#include "local/copy_speed.h"

namespace ucxx::core {

bool BulkChoice::copies(LocalBulk wanted, Copies::Way way) noexcept {
  if (way == Copies::Way::None) return false;
  if (wanted != LocalBulk::Auto) return wanted == LocalBulk::Copy;
  if (way == Copies::Way::Mapped) return true;
  if (local::kernelCopySpeed().beats_rings) return true;
  if (copies_left_ == 0) return false;
  --copies_left_;
  return true;
}

void BulkChoice::pieceFetchBegins() noexcept {
  if (fetches_++ != 0) return;
  bytes_ = 0;
  since_ = base::Clock::now();
}

/// Over several fetches that are under way at once, since they share the ring.
void BulkChoice::pieceFetchEnds(std::size_t bytes) noexcept {
  --fetches_;
  bytes_ += bytes;
  if (bytes_ < local::choices::kBytesOfAVerdict) return;
  const base::TimePoint now = base::Clock::now();
  const double seconds = std::chrono::duration<double>(now - since_).count();
  if (static_cast<double>(bytes_) < seconds * local::kernelCopySpeed().bytes_per_second)
    copies_left_ = local::choices::kCopiesInstead;
  bytes_ = 0;
  since_ = now;
}

}  // namespace ucxx::core
