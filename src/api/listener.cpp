// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <ucxx/endpoint.h>
#include <ucxx/listener.h>
#include <ucxx/worker.h>

#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/log.h"
#include "core/link/socket_ends.h"
#include "core/loop/loop.h"
#include "core/loop/post.h"
#include "core/loop/posts.h"
#include "core/match/endpoint_state.h"
#include "core/meet/listeners.h"
#include "core/request/handles.h"
#include "door/door.h"

namespace ucxx {

/// Stops a listener that could not wait for it.
struct core::StopPost final : Post {
  explicit StopPost(std::uint64_t listener_) noexcept : listener(listener_) {
    run = [](Loop& loop, Post& self) {
      const std::unique_ptr<StopPost> post(static_cast<StopPost*>(&self));
      listenersOf(loop).stop(post->listener);
    };
  }
  const std::uint64_t listener;
};

Listener::Listener(std::shared_ptr<Worker> worker, std::uint64_t id, std::string ip,
                   std::uint16_t port)
    : Component(worker),
      worker_(std::move(worker)),
      stop_(std::make_unique<core::StopPost>(id)),
      id_(id),
      ip_(std::move(ip)),
      port_(port) {}

Listener::~Listener() {
  if (base::isForkedChild()) return;
  try {
    stop();
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "listener", "it stops later: {}", error.what());
    worker_->loop().posts.execute(*stop_.release());
  }
}

void Listener::stop() {
  core::Loop& loop = worker_->loop();
  loop.posts.run([&] { listenersOf(loop).stop(id_); });  // waits
}

ucp_listener_h Listener::getHandle() const noexcept { return core::handleOf<ucp_listener_h>(id_); }

std::shared_ptr<Endpoint> Listener::createEndpointFromConnRequest(ucp_conn_request_h request,
                                                                  bool endpoint_error_handling) {
  core::Loop& loop = worker_->loop();
  core::EndpointState* state = nullptr;
  loop.posts.run([&] {
    state = &listenersOf(loop).accept(request);
    state->giveToUser(endpoint_error_handling);
  });
  return Endpoint::make(shared_from_this(), *state);
}

void Listener::reject(ucp_conn_request_h request) {
  core::Loop& loop = worker_->loop();
  loop.posts.run([&] { listenersOf(loop).reject(request); });
}

ConnectionRequestInfo Listener::queryConnRequest(ucp_conn_request_h request) const {
  core::Loop& loop = worker_->loop();
  ConnectionRequestInfo info;
  loop.posts.run([&] {
    const core::ConnectionRequest& known = listenersOf(loop).request(request);
    info.worker = toString(known.peer);
    const auto ends = core::socketEnds(*known.endpoint);
    if (!ends) return;  // it is gone meanwhile
    info.ip = ends->peer.ip();
    info.port = ends->peer.port();
  });
  return info;
}

}  // namespace ucxx
