// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "peers/kills/parting.h"

#include "core/link/link.h"
#include "core/loop/loop.h"
#include "core/meet/links.h"

namespace ucxx::kills {

void partAtOnce(Worker& worker) {
  const auto part = [&worker] {
    for (const auto& link : linksOf(worker.loop()).all()) link->goodbye.stopLingering();
  };
  if (worker.isProgressThreadRunning())
    (void)worker.registerGenericPre(part);
  else
    part();
}

}  // namespace ucxx::kills
