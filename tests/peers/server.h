// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <mutex>

#include "peers/process.h"
#include "peers/traffic.h"

namespace ucxx::core::test {

/// The test's own side: a worker with a listener that accepts everybody.
class Server {
 public:
  explicit Server(
      Mode mode, std::string host = "127.0.0.1", std::string device = "-",
      std::size_t unexpected_bytes = 1 << 20,  // so that what is left of a flood is soon received
      ConfigMap config = {})
      : host_(std::move(host)), device_(std::move(device)) {
    if (device_ != "-") config["NET_DEVICES"] = device_;
    WorkerOptions options;
    options.unexpected_bytes = unexpected_bytes;
    worker = createContext(config)->createWorker(options);
    listener =
        worker->createListener(0, &Server::accept, this, host_);  // before any thread uses it
    if (mode == Mode::Event) event_ = std::make_unique<EventThread>(worker);
    if (mode == Mode::Polling) worker->startProgressThread({ProgressMode::Polling, {}});
    if (mode == Mode::Blocking) worker->startProgressThread({ProgressMode::Blocking, {}});
    if (mode == Mode::Adaptive) worker->startProgressThread(ProgressOptions{});
    moves_ = mode == Mode::Caller;
  }
  ~Server() {
    event_ = nullptr;
    worker->stopProgressThread();  // nobody accepts any more
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The command line of a peer that calls it.
  std::vector<std::string> caller(const Flow& flow) const {
    std::vector<std::string> words{"flow", host_, std::to_string(listener->getPort()),
                                   device_ == "-" ? "-" : "veth1"};
    for (const std::string& word : flow.words()) words.push_back(word);
    return words;
  }
  /// The endpoint of the next peer that has called; null: not in time.
  std::shared_ptr<Endpoint> next() {
    std::shared_ptr<Endpoint> endpoint;
    (void)until([&] {
      const std::lock_guard lock(mutex_);
      if (accepted_.empty()) return false;
      endpoint = accepted_.front();
      accepted_.pop_front();
      return true;
    });
    return endpoint;
  }
  template <class Done>
  [[nodiscard]] bool until(Done done, std::chrono::milliseconds limit = compat::kDeadline) {
    const auto end = Clock::now() + limit;
    while (!done()) {
      if (Clock::now() > end) return false;
      if (moves_)
        worker->progress();
      else
        std::this_thread::yield();
    }
    return true;
  }

  std::shared_ptr<Worker> worker;
  std::shared_ptr<Listener> listener;

 private:
  static void accept(ucp_conn_request_h request, void* self) {
    auto& server = *static_cast<Server*>(self);
    auto endpoint = server.listener->createEndpointFromConnRequest(request);
    const std::lock_guard lock(server.mutex_);
    server.accepted_.push_back(std::move(endpoint));
  }
  std::string host_, device_;
  bool moves_ = false;
  std::mutex mutex_;
  std::deque<std::shared_ptr<Endpoint>> accepted_;
  std::unique_ptr<EventThread> event_;
};

}  // namespace ucxx::core::test
