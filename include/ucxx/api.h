// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// Programs of the established API take these from it.
#include <atomic>
#include <iostream>
#include <map>
#include <queue>
#include <set>
#include <sstream>
#include <unordered_set>

// Everything but `request_helper.h`: programs have functions of those names of their own, which an
// unqualified call must not be ambiguous with.

#include <ucxx/address.h>
#include <ucxx/address_builder.h>
#include <ucxx/am_types.h>
#include <ucxx/atomic_operation.h>
#include <ucxx/buffer.h>
#include <ucxx/component.h>
#include <ucxx/config.h>
#include <ucxx/constructors.h>
#include <ucxx/context.h>
#include <ucxx/context_builder.h>
#include <ucxx/endpoint.h>
#include <ucxx/endpoint_builder.h>
#include <ucxx/exception.h>
#include <ucxx/explanation.h>
#include <ucxx/header.h>
#include <ucxx/listener.h>
#include <ucxx/listener_builder.h>
#include <ucxx/log.h>
#include <ucxx/memory_handle.h>
#include <ucxx/memory_handle_builder.h>
#include <ucxx/options.h>
#include <ucxx/remote_key.h>
#include <ucxx/remote_key_builder.h>
#include <ucxx/request.h>
#include <ucxx/request_am.h>
#include <ucxx/request_am_builder.h>
#include <ucxx/request_data.h>
#include <ucxx/request_endpoint_close.h>
#include <ucxx/request_endpoint_close_builder.h>
#include <ucxx/request_flush.h>
#include <ucxx/request_flush_builder.h>
#include <ucxx/request_mem.h>
#include <ucxx/request_mem_builder.h>
#include <ucxx/request_stream.h>
#include <ucxx/request_stream_builder.h>
#include <ucxx/request_tag.h>
#include <ucxx/request_tag_builder.h>
#include <ucxx/request_tag_multi.h>
#include <ucxx/request_tag_multi_builder.h>
#include <ucxx/stats.h>
#include <ucxx/tag_probe.h>
#include <ucxx/tag_probe_builder.h>
#include <ucxx/typedefs.h>
#include <ucxx/ucp_calls.h>
#include <ucxx/utils/callback_notifier.h>
#include <ucxx/utils/sockaddr.h>
#include <ucxx/utils/ucx.h>
#include <ucxx/version.h>
#include <ucxx/worker.h>
#include <ucxx/worker_builder.h>
