// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <deque>

#include <poll.h>

#include <ucxx/api.h>

#include "peers/faults/asked.h"
#include "peers/faults/roles.h"
#include "peers/lines.h"

namespace ucxx::faults {
namespace {

/// Sends back what comes.
class Echo {
 public:
  explicit Echo(std::shared_ptr<Endpoint> endpoint)
      : endpoint_(std::move(endpoint)), receive_(endpoint_->amRecv()) {}

  /// False: the peer has gone.
  bool turn() {
    while (receive_->isCompleted()) {
      if (receive_->getStatus() != UCS_OK) return false;
      auto buffer = receive_->getRecvBuffer();
      try {
        auto send = endpoint_->amSend(buffer->data(), buffer->getSize(), UCS_MEMORY_TYPE_HOST);
        sends_.emplace_back(std::move(send), std::move(buffer));
        receive_ = endpoint_->amRecv();
      } catch (const Error&) {
        return false;  // it has closed meanwhile
      }
    }
    while (!sends_.empty() && sends_.front().first->isCompleted()) sends_.pop_front();
    return true;
  }

 private:
  std::shared_ptr<Endpoint> endpoint_;
  std::shared_ptr<Request> receive_;
  std::deque<std::pair<std::shared_ptr<Request>, std::shared_ptr<Buffer>>> sends_;
};

class Server {
 public:
  explicit Server(const std::string& host) : worker_(createContext()->createWorker()) {
    listener_ = worker_->createListener(0, accept, this, host);
  }

  void turn(int control_fd) {
    while (worker_->progress()) {
    }
    std::erase_if(echoes_, [](auto& echo) { return !echo->turn(); });
    if (!worker_->arm()) return;
    pollfd entries[] = {{control_fd, POLLIN, 0}, {worker_->getEpollFileDescriptor(), POLLIN, 0}};
    ::poll(entries, 2, 100);
  }
  std::uint16_t port() const { return listener_->getPort(); }
  std::size_t endpoints() const { return echoes_.size(); }

 private:
  static void accept(ucp_conn_request_h request, void* self) {
    auto& server = *static_cast<Server*>(self);
    auto endpoint = server.listener_->createEndpointFromConnRequest(request);
    server.echoes_.push_back(std::make_unique<Echo>(std::move(endpoint)));
  }

  std::shared_ptr<Worker> worker_;
  std::shared_ptr<Listener> listener_;
  std::deque<std::unique_ptr<Echo>> echoes_;
};

}  // namespace

int runServer(tools::Control& control) {
  const auto begin = control.receive(kPatience);
  Server server(begin.value("host", "127.0.0.1"));
  control.send({{"port", server.port()}});
  for (;;) {
    server.turn(control.fd());
    const auto line = peers::nextLine(control);
    if (!line) continue;
    if (line->at("do") == "bye") return 0;
    if (line->at("do") == "endpoints")
      control.send({{"endpoints", server.endpoints()}});
    else
      answerCommon(control, *line);
  }
}

}  // namespace ucxx::faults
