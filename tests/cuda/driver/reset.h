// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

namespace stand_in {

/// How often the context was reset.
unsigned resets() noexcept;

/// The calling thread runs entries of streams that a reset has taken.
bool isOfBefore() noexcept;
void belongTo(unsigned reset) noexcept;
/// After how many resets what the calling thread does has begun.
unsigned resetsBefore() noexcept;

}  // namespace stand_in
