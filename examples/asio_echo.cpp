// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Workers in the event loop of Asio (libasio-dev), moved by it when their descriptors say so: a
// server that echoes, and its client, as coroutines of one thread.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include <asio.hpp>
#include <unistd.h>

#include <ucxx/api.h>
#include <ucxx/coroutine.h>

namespace {

/// Moves a worker for as long as the loop runs. A post by another coroutine, too, makes the
/// descriptor of a worker that is armed readable.
asio::awaitable<void> drive(std::shared_ptr<ucxx::Worker> worker) {
  // A copy of the descriptor: Asio closes what it is given.
  asio::posix::stream_descriptor descriptor(co_await asio::this_coro::executor,
                                            dup(worker->getEpollFileDescriptor()));
  for (;;) {
    if (!worker->progress() && worker->arm())
      co_await descriptor.async_wait(descriptor.wait_read, asio::use_awaitable);
    else
      co_await asio::post(asio::use_awaitable);  // the others have their turn
  }
}

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

template <class Handler>
Detached callWhenEnded(std::shared_ptr<ucxx::Request> request, Handler handler) {
  (void)co_await ucxx::statusOf(request);
  asio::post(std::move(handler));
}

/// A request, for coroutines of Asio, which await nothing but Asio's. Throws when it fails.
asio::awaitable<void> end(std::shared_ptr<ucxx::Request> request) {
  if (!request->isCompleted()) {
    const auto begin = [&](auto handler) { callWhenEnded(request, std::move(handler)); };
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(begin,
                                                                         asio::use_awaitable);
  }
  request->checkError();
}

asio::awaitable<void> echo(std::shared_ptr<ucxx::Endpoint> endpoint) {
  try {
    for (;;) {
      auto message = endpoint->amRecv();
      co_await end(message);
      auto bytes = message->getRecvBuffer();
      co_await end(endpoint->amSend(bytes->data(), bytes->getSize(), UCS_MEMORY_TYPE_HOST));
    }
  } catch (const ucxx::Error& error) {
    std::printf("the client has left: %s\n", error.what());
  }
}

asio::awaitable<void> talk(std::shared_ptr<ucxx::Endpoint> endpoint, int& right) {
  for (int i = 0; i < 100; ++i) {
    const std::string text = "message " + std::to_string(i);
    auto answer = endpoint->amRecv();
    co_await end(endpoint->amSend(text.data(), text.size(), UCS_MEMORY_TYPE_HOST));
    co_await end(answer);
    if (answer->getRecvBuffer()->getSize() == text.size()) ++right;
  }
  if (auto closing = endpoint->close()) co_await end(closing);  // null: the server was first
}

/// Ends the loop when both sides are over: nothing of it may be awaited any more.
struct Program {
  asio::io_context io;
  std::shared_ptr<ucxx::Listener> listener;
  int sides = 2;

  void run(asio::awaitable<void> side) {
    asio::co_spawn(io, std::move(side), [this](const std::exception_ptr& error) {
      if (error != nullptr || --sides == 0) io.stop();
    });
  }
  static void accept(ucp_conn_request_h request, void* argument) {
    auto& program = *static_cast<Program*>(argument);
    program.run(echo(program.listener->createEndpointFromConnRequest(request)));
  }
};

}  // namespace

int main() {
  auto context = ucxx::createContext();
  auto server = context->createWorker(), client = context->createWorker();
  int right = 0;
  Program program;
  program.listener = server->createListener(0, &Program::accept, &program, "127.0.0.1");
  asio::co_spawn(program.io, drive(server), asio::detached);
  asio::co_spawn(program.io, drive(client), asio::detached);
  program.run(
      talk(client->createEndpointFromHostname("127.0.0.1", program.listener->getPort()), right));
  program.io.run();
  std::printf("%d of 100 answers are right\n", right);
  return right == 100 ? 0 : 1;
}
