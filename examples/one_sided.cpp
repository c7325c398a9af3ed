// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Two workers: the owner registers memory and goes on to do nothing at all; its peer counts in it,
// and puts and gets bytes.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include <ucxx/api.h>

int main() {
  auto context = ucxx::createContext();
  auto owner = context->createWorker();
  owner->startProgressThread();  // it serves peers that cannot map its memory

  // The owner's part: memory of the library's, and a key for whoever may reach it. The bytes go to
  // the peer by any way there is.
  auto memory = ucxx::createMemoryHandle(context, 1 << 20);
  auto* counter = reinterpret_cast<std::uint64_t*>(memory->getBaseAddress());
  *counter = 40;
  const std::string bytes = memory->createRemoteKey()->serialize();

  // The peer's part.
  auto worker = context->createWorker();
  auto endpoint = worker->createEndpointFromWorkerAddress(owner->getAddress());
  auto key = ucxx::createRemoteKeyFromSerialized(endpoint, bytes);
  std::uint64_t before = 0;
  const std::string put = "put";
  std::string got = "???";
  ucxx::waitSingleRequest(
      worker, endpoint->atomicFetch<std::uint64_t>(ucxx::AtomicOperation::Add, 2, &before, key));
  ucxx::waitSingleRequest(worker, endpoint->memPut(put.data(), put.size(), key, 64));
  ucxx::waitSingleRequest(worker, endpoint->flush());  // now it is there
  ucxx::waitSingleRequest(worker, endpoint->memGet(got.data(), got.size(), key, 64));

  std::printf("%llu and 2 are %llu; got \"%s\"\n", static_cast<unsigned long long>(before),
              static_cast<unsigned long long>(*counter), got.c_str());
  return *counter == 42 && got == put ? 0 : 1;
}
