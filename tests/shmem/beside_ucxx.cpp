// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// libucxx_shmem and libucxx in one process. Both have objects of src/base; neither sees the
// other's. It is linked twice, with either library first (CMakeLists.txt).
#include <ucxx/api.h>

#include "shmem/check.h"

namespace {

void testTransferOnOneWorker() {
  const auto context = ucxx::createContext({}, ucxx::Context::defaultFeatureFlags);
  const auto worker = context->createWorker();
  const auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  int sent = 42, received = 0;
  const auto send = endpoint->tagSend(&sent, sizeof sent, ucxx::Tag{1});
  const auto receive =
      endpoint->tagRecv(&received, sizeof received, ucxx::Tag{1}, ucxx::TagMaskFull);
  while (!send->isCompleted() || !receive->isCompleted()) worker->progress();
  CHECK_EQ(received, 42);
}

void testErrorsOfTheLibrary() {
  bool is_caught = false;
  try {
    const auto context = ucxx::createContext({{"NO_SUCH", "1"}}, 0);
    (void)context->createWorker()->createEndpointFromHostname("127.0.0.1", 0);
  } catch (const std::exception&) {
    is_caught = true;
  }
  CHECK(is_caught);
}

int a_static = 0;

}  // namespace

int main() {
  shmem_init();
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  shmem_int_p(&a_static, 7, next);
  shmem_barrier_all();
  CHECK_EQ(a_static, 7);
  testTransferOnOneWorker();
  testErrorsOfTheLibrary();
  shmem_finalize();
}
