// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Handlers of active messages, for C.

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/request_am.h>
#include <ucxx/ucp_active_messages.h>
#include <ucxx/worker.h>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "core/loop/loop.h"
#include "ucp_c/am_data.h"
#include "ucp_c/am_id.h"
#include "ucp_c/calls.h"
#include "ucp_c/handles.h"

namespace ucxx::ucp_c {
namespace {

struct Handler {
  ucp_am_recv_callback_t callback = nullptr;  // null: what comes is dropped
  void* argument = nullptr;
};

/// The handler of one id at one worker, which is registered once and may change.
class Receiver {
 public:
  void set(const Handler& handler) {
    const std::lock_guard lock(mutex_);
    handler_ = handler;
  }
  /// On the thread that moves the worker.
  void receive(Request& message, ucp_ep_h from) const;

 private:
  Handler handler() const {
    const std::lock_guard lock(mutex_);
    return handler_;
  }

  mutable std::mutex mutex_;
  Handler handler_;
};

void Receiver::receive(Request& message, ucp_ep_h from) const {
  const Handler its = handler();
  if (its.callback == nullptr || message.getStatus() != UCS_OK) return;
  const std::string header = message.getRecvHeader();
  const auto data = std::make_shared<AmData>(message.getRecvBuffer(), message.getReceivedLength());
  ucp_am_recv_param_t param{.recv_attr = UCP_AM_RECV_ATTR_FLAG_DATA, .reply_ep = from};
  if (core::endpointNamed(from) != nullptr) param.recv_attr |= UCP_AM_RECV_ATTR_FIELD_REPLY_EP;
  HandleTable<AmData>& table = HandleTable<AmData>::all();
  table.add(data->address(), data);
  const ucs_status_t status = its.callback(its.argument, header.empty() ? nullptr : header.data(),
                                           header.size(), data->address(), data->length, &param);
  if (status != UCS_INPROGRESS) table.take(data->address());
}

/// Those of all workers: a worker keeps its own, as long as it lives.
struct Receivers {
  using Key = std::pair<const Worker*, unsigned>;
  std::mutex mutex;
  std::map<Key, std::weak_ptr<Receiver>> by_id;

  static Receivers& all() {
    static base::Immortal<Receivers> only;
    return *only;
  }
  /// The receiver, and whether it is new.
  std::pair<std::shared_ptr<Receiver>, bool> of(const Key& key) {
    const std::lock_guard lock(mutex);
    std::erase_if(by_id, [](const auto& one) { return one.second.expired(); });
    std::weak_ptr<Receiver>& place = by_id[key];
    if (auto found = place.lock()) return {std::move(found), false};
    auto made = std::make_shared<Receiver>();
    place = made;
    return {std::move(made), true};
  }
};

void enlist(Worker& worker, unsigned id, const std::shared_ptr<Receiver>& receiver) try {
  worker.registerAmReceiverCallback(
      callbackOf(id), [receiver](const std::shared_ptr<Request>& message, ucp_ep_h from) {
        receiver->receive(*message, from);
      });
} catch (const Error&) {
  throw;
} catch (const std::runtime_error&) {  // as a pair that is taken throws
  throw InvalidParamError(fmt::format(
      "the id {} is taken: C++ has registered the receiver callback (\"ucp\", {})", id, id));
}

ucs_status_t setHandler(Worker& worker, const ucp_am_handler_param_t& param) {
  base::requireNotForked();
  const auto has = [&](std::uint64_t field) { return (param.field_mask & field) != 0; };
  if (!has(UCP_AM_HANDLER_PARAM_FIELD_ID))
    throw InvalidParamError("the id is missing; set UCP_AM_HANDLER_PARAM_FIELD_ID");
  Handler handler;
  if (has(UCP_AM_HANDLER_PARAM_FIELD_CB)) handler.callback = param.cb;
  if (has(UCP_AM_HANDLER_PARAM_FIELD_ARG)) handler.argument = param.arg;
  worker.loop().posts.run([&] {  // so that they come one by one
    const auto [receiver, is_new] = Receivers::all().of({&worker, param.id});
    receiver->set(handler);
    if (is_new) enlist(worker, param.id, receiver);
  });
  return UCS_OK;
}

}  // namespace
}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_t ucxx_worker_set_am_recv_handler(ucp_worker_h worker,
                                             const ucp_am_handler_param_t* param) {
  return asStatus("ucp_worker_set_am_recv_handler", [&] {
    const std::shared_ptr<ucxx::Worker> its = libraryWorkerOf(worker);
    if (its == nullptr) return ucp_worker_set_am_recv_handler(worker, param);
    if (param == nullptr) throw ucxx::InvalidParamError("param is null");
    return setHandler(*its, *param);
  });
}
// NOLINTEND(readability-identifier-naming)
