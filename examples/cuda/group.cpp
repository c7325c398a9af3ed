// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "group.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include <ucxx/api.h>

namespace {

struct Member {
  std::shared_ptr<ucxx::Worker> worker;
  ucp_worker_h handle = nullptr;
  std::vector<std::shared_ptr<ucxx::Endpoint>> endpoints;  // to all
};
std::shared_ptr<ucxx::Context> context;
std::vector<Member> members;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming, concurrency-mt-unsafe): names of C; one thread
void group_open(int count) {
  try {
    context = ucxx::createContext();
    members.resize(static_cast<std::size_t>(count));
    for (Member& member : members) {
      member.worker = context->createWorker();
      member.worker->startProgressThread();
      member.handle = member.worker->getHandle();
    }
    for (Member& from : members)
      for (Member& to : members)
        from.endpoints.push_back(
            from.worker->createEndpointFromWorkerAddress(to.worker->getAddress()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(1);
  }
}

ucp_context_h group_context(void) { return context->getHandle(); }

ucp_worker_h group_worker(int member) { return members.at(member).handle; }

ucp_ep_h group_endpoint(int from, int to) { return members.at(from).endpoints.at(to)->getHandle(); }

void group_close(void) {
  members.clear();
  context = nullptr;
}

void check(ucs_status_t status, const char* what) {
  if (status == UCS_OK) return;
  std::fprintf(stderr, "%s: %s\n", what, ucs_status_string(status));
  std::exit(1);
}

void finish(int member, ucs_status_ptr_t request, const char* what) {
  if (UCS_PTR_IS_ERR(request)) return check(UCS_PTR_STATUS(request), what);
  while (ucp_request_check_status(request) == UCS_INPROGRESS)
    if (ucp_worker_progress(group_worker(member)) == 0) std::this_thread::yield();
  check(ucp_request_check_status(request), what);
  ucp_request_free(request);
}
// NOLINTEND(readability-identifier-naming, concurrency-mt-unsafe)
