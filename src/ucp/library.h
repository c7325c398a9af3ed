// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ucs/type/status.h>
#include <ucs/type/thread_mode.h>

namespace ucxx::ucp {

/// Makes UCX quiet and polite, once per process: its log lines go to our sink, it installs no error
/// signal handlers and gives back SIGHUP. Throws `Error` naming the files when two UCX are mapped.
void initialiseLibrary();

struct LibraryInfo {
  std::string version;  ///< "1.22.0"
  std::string path;     ///< of libucp
};
LibraryInfo libraryInfo();
unsigned libraryVersion();  ///< major << 16 | minor << 8 | release

/// Throws `NoResourceError` unless the process may open some more descriptors: UCX aborts the
/// process when it meets the limit at the wrong place (ucs_async_thread_start). `more`: what others
/// may open until it is done.
void requireDescriptors(const std::string& what, std::size_t more = 0);

/// False for UCX before 1.14: its TCP transport asserts when the answer to a flush comes after the
/// endpoint was closed. There a flush means that UCX has taken all sends.
bool flushes();

/// The most threads at once that UCX was built for.
ucs_thread_mode_t mostThreads();

/// False: no transport of UCX moves CUDA memory, for the driver's library is not there. Needs no
/// UCX context. True says nothing yet.
bool mayHaveCuda();

/// UCX's text for a status.
const char* statusText(ucs_status_t status);
/// Throws the class of `status` with "`what`: UCX's text" unless it is OK.
void check(ucs_status_t status, const std::string& what);

}  // namespace ucxx::ucp
