// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/condition.h>

#include "core/request/operation.h"
#include "cuda/stream.h"

namespace ucxx::core {
class Loop;
}

namespace ucxx::cuda {

/// Posts `op`, which was checked, into the graph that is made of what is put into `stream`: into
/// the node of the stream's last post, where nothing has come after that and nothing waits for it,
/// so that two ends may post receive and send in any order; else into a node of its own, which
/// comes next. The stream's context is current.
void postInCapture(const Stream& stream, const ConditionOptions& options, core::Loop& loop,
                   core::Operation& op);

/// What is put into `stream` next, which is captured, comes after the transfer of `op`. False: that
/// is of no graph, or of another one.
bool comeAfter(const Stream& stream, const core::Operation& op, const char* what);
/// The same, which throws `UnsupportedError` instead.
void awaitInCapture(const Stream& stream, const core::Operation& op, const char* what);

}  // namespace ucxx::cuda
