// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Who moves the data: a thread of the library, the program's own loop, or its event loop. And what
// happens at the end: callbacks, cancel, close.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>

#include <poll.h>

#include <ucxx/api.h>

namespace {

constexpr ucxx::Tag kTag{1};

/// A progress thread: it spins while messages come, then sleeps. Callbacks run on it.
int receiveWithCallback(ucxx::Worker& worker, ucxx::Endpoint& endpoint) {
  worker.startProgressThread(ucxx::ProgressOptions{ucxx::ProgressMode::Adaptive});
  std::atomic<int> received{0};
  int in = 0;
  const int out = 42;
  auto receive = endpoint.tagRecvBuilder(&in, sizeof in, kTag)
                     .callbackFunction([&](ucs_status_t status, std::shared_ptr<void>) {
                       received = status == UCS_OK ? in : -1;
                     })
                     .build();
  auto send = endpoint.tagSend(&out, sizeof out, kTag);
  send->wait();
  receive->wait();
  worker.stopProgressThread();
  return received;
}

/// The program's own event loop: sleep on the worker's descriptor beside others.
void moveBy(ucxx::Worker& worker, const ucxx::Request& request) {
  pollfd descriptor{worker.getEpollFileDescriptor(), POLLIN, 0};
  while (!request.isCompleted()) {
    if (!worker.progress() && worker.arm()) poll(&descriptor, 1, -1);
  }
}

}  // namespace

int main() {
  auto worker = ucxx::createContext()->createWorker();
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  endpoint->setCloseCallback(
      [](ucs_status_t status, std::shared_ptr<void>) { std::printf("closed: %d\n", status); },
      nullptr);
  const int by_thread = receiveWithCallback(*worker, *endpoint);

  int in = 0;
  const int out = 43;
  auto receive = endpoint->tagRecv(&in, sizeof in, kTag);
  auto send = endpoint->tagSend(&out, sizeof out, kTag);
  moveBy(*worker, *receive);

  // Nobody will send this one: it is given up after 10 ms.
  auto never = worker->tagRecv(&in, sizeof in, ucxx::Tag{2});
  if (!never->wait(std::chrono::milliseconds(10))) never->cancel();
  std::printf("by a thread %d, by descriptor %d, cancelled: %s\n", by_thread, in,
              never->getStatus() == UCS_ERR_CANCELED ? "yes" : "no");

  if (auto closing = endpoint->close()) closing->wait();  // null: it had failed
  return by_thread == 42 && in == 43 && never->getStatus() == UCS_ERR_CANCELED ? 0 : 1;
}
