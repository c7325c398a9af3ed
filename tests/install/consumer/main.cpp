// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A program outside the clone: calls the library, and UCX itself beside it.

#include <cstdio>

#include <ucp/api/ucp.h>

#include <ucxx/api.h>
#include <ucxx/version.h>

int main() {
  const auto worker = ucxx::createContext()->createWorker();
  std::printf("ucxx %d.%d with UCX %s\n", UCXX_VERSION_MAJOR, UCXX_VERSION_MINOR,
              ucp_get_version_string());
  return worker->getAddress()->getLength() == 0 ? 1 : 0;
}
