// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A worker in an epoll loop, beside a timer, and a coroutine that awaits its requests: it echoes
// what a client sends until that leaves.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <ucxx/api.h>
#include <ucxx/coroutine.h>

namespace {

/// A coroutine that nobody waits for.
struct Detached {
  struct promise_type {
    Detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

struct Server {
  std::shared_ptr<ucxx::Listener> listener;
  bool is_over = false;
};

Detached echo(std::shared_ptr<ucxx::Endpoint> endpoint, Server& server) {
  try {
    for (;;) {
      auto message = endpoint->amRecv();
      co_await message;
      auto bytes = message->getRecvBuffer();
      co_await endpoint->amSend(bytes->data(), bytes->getSize(), UCS_MEMORY_TYPE_HOST);
    }
  } catch (const ucxx::Error& error) {
    std::printf("the client has left: %s\n", error.what());
  }
  server.is_over = true;
}

void accept(ucp_conn_request_h request, void* argument) {
  auto& server = *static_cast<Server*>(argument);
  echo(server.listener->createEndpointFromConnRequest(request), server);
}

void watch(int events, int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event);
}

std::uint64_t run(ucxx::Worker& worker, int timer, const Server& server) {
  std::uint64_t ticks = 0;
  const int events = epoll_create1(EPOLL_CLOEXEC);
  watch(events, worker.getEpollFileDescriptor());
  watch(events, timer);
  for (;;) {
    const bool moved = worker.progress();
    if (server.is_over) break;  // what progress did may be what the program waits for
    const bool is_quiet = !moved && worker.arm();
    epoll_event event{};
    const int count = epoll_wait(events, &event, 1, is_quiet ? -1 : 0);
    std::uint64_t times = 0;
    if (count == 1 && event.data.fd == timer && read(timer, &times, sizeof times) > 0)
      ticks += times;
  }
  close(events);
  return ticks;
}

/// Another thread, with a worker of its own.
bool talk(std::uint16_t port) {
  auto worker = ucxx::createContext()->createWorker();
  auto endpoint = worker->createEndpointFromHostname("127.0.0.1", port);
  bool is_right = true;
  for (int i = 0; i < 100; ++i) {
    const std::string text = "message " + std::to_string(i);
    auto send = endpoint->amSend(text.data(), text.size(), UCS_MEMORY_TYPE_HOST);
    auto answer = endpoint->amRecv();
    answer->wait();
    send->wait();
    answer->checkError();
    is_right = is_right && answer->getRecvBuffer()->getSize() == text.size();
  }
  if (auto closing = endpoint->close()) closing->wait();  // null: the server was first
  return is_right;
}

}  // namespace

int main() {
  auto worker = ucxx::createContext()->createWorker();
  Server server;
  server.listener = worker->createListener(0, accept, &server, "127.0.0.1");
  bool is_right = false;
  std::thread client([&] { is_right = talk(server.listener->getPort()); });

  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  const itimerspec each_ms{{0, 1'000'000}, {0, 1'000'000}};
  timerfd_settime(timer, 0, &each_ms, nullptr);
  const std::uint64_t ticks = run(*worker, timer, server);
  close(timer);
  client.join();
  std::printf("100 answers, %s; %lu ms\n", is_right ? "all right" : "not all right",
              static_cast<unsigned long>(ticks));
  return is_right ? 0 : 1;
}
