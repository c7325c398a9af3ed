// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Two counters, each on a page of its own, so that nothing brings both at once.

#pragma once

enum { PAGE = 4096 };

// The two are the coordinates of a point, or two counts.
union counter {
  double coordinate;
  long count;
};

struct page {
  union counter counter;
  char rest[PAGE - sizeof(union counter)];
};
