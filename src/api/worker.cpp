// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/worker.h"

#include <algorithm>

#include <ucxx/context.h>
#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/listener.h>
#include <ucxx/worker.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/list.h"
#include "base/log.h"
#include "core/channel/channels.h"
#include "core/condition/conditions.h"
#include "core/link/endpoints.h"
#include "core/loop/generic_callbacks.h"
#include "core/loop/loop.h"
#include "core/loop/owner.h"
#include "core/loop/patience.h"
#include "core/loop/posts.h"
#include "core/loop/progress_thread.h"
#include "core/loop/sleeper.h"
#include "core/loop/wake.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/receivers.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/meet/listeners.h"
#include "core/meet/worker_address.h"
#include "core/request/handles.h"
#include "core/request/posted_receive.h"
#include "core/worker/worker_state.h"
#include "door/door.h"

namespace ucxx {

using core::OperationKind;

Worker::Worker(std::shared_ptr<Context> context, const WorkerOptions& options)
    : Component(context), loop_(std::make_unique<core::WorkerState>(std::move(context), options)) {}

Worker::~Worker() {
  if (loop_->owner.isMine() && !base::isForkedChild()) core::Loop::endLater(std::move(loop_));
}

std::shared_ptr<Worker> createWorker(std::shared_ptr<Context> context,
                                     const WorkerOptions& options) {
  if (context == nullptr) throw std::invalid_argument("a worker needs a context, not null");
  std::shared_ptr<Worker> worker(new Worker(std::move(context), options));
  worker->loop().setUser(worker);
  return worker;
}

std::shared_ptr<Worker> createWorker(std::shared_ptr<Context> context, bool delayed_submission,
                                     bool future) {
  WorkerOptions options;
  options.delayed_submission = delayed_submission;
  options.future = future;
  return createWorker(std::move(context), options);
}

ucp_worker_h Worker::getHandle() const {
  ucp_worker_h handle = nullptr;
  loop_->posts.run([&] { handle = channelsOf(*loop_).ensureUcp().handle(); });
  core::enlistUcpWorker(handle, loop_->user());
  return handle;
}

std::string Worker::getInfo() const {
  std::string info;
  loop_->posts.run([&] { info = channelsOf(*loop_).ensureUcp().info(); });
  return info;
}

std::shared_ptr<Address> Worker::getAddress() {
  std::string bytes;
  loop_->posts.run([&] { bytes = listenersOf(*loop_).address(); });
  auto address = std::make_shared<Address>(std::move(bytes));
  address->setParent(shared_from_this());
  return address;
}

bool Worker::progress() { return loop_->progress(); }

bool Worker::progressOnce() { return loop_->progressOnce(); }

bool Worker::progressWorkerEvent(int timeout_ms) {
  const base::Duration at_most = std::chrono::milliseconds(timeout_ms);
  const bool unseen = loop_->sleeper.takeUnseenEnd();
  if (loop_->look() || unseen) {
    core::Patience::ofThisThread().begin();
    return true;
  }
  if (loop_->sleeper.is_blocking) return loop_->sleeper.sleepUnlessEnded(at_most);
  const base::Duration longest = core::Sleeper::kLongestNap;
  const base::Duration nap =
      loop_->sleeper.napOf(timeout_ms < 0 ? longest : std::min(at_most, longest));
  return nap.count() != 0 && loop_->sleeper.sleepUnlessEnded(nap);
}

bool Worker::waitProgress() {
  if (!loop_->can_sleep)
    throw UnsupportedError("waitProgress needs a context with UCP_FEATURE_WAKEUP");
  if (!loop_->sleeper.takeUnseenEnd())
    loop_->sleeper.sleepUnlessEnded(std::chrono::milliseconds(-1));
  return loop_->progress();
}

bool Worker::arm() {
  base::requireNotForked();
  if (!loop_->can_sleep) throw UnsupportedError("arm needs a context with UCP_FEATURE_WAKEUP");
  return loop_->sleeper.arm();
}

void Worker::signal() { loop_->wake.signal(); }

void Worker::warnOfUntaken() { workerOf(*loop_).warnOfUntaken(); }

void Worker::endDeviceConditions() {
  if (base::isForkedChild()) return;
  loop_->posts.execute([loop = loop_.get()] { conditionsOf(*loop).endThoseOfDevices(); });
}

void Worker::initBlockingProgressMode() {
  if (!loop_->can_sleep)
    throw UnsupportedError("blocking progress needs a context with UCP_FEATURE_WAKEUP");
  loop_->sleeper.is_blocking = true;
}

int Worker::getEpollFileDescriptor() {
  if (!loop_->can_sleep)
    throw UnsupportedError("a descriptor to wait on needs a context with UCP_FEATURE_WAKEUP");
  return loop_->sleeper.descriptor();
}

void Worker::startProgressThread(bool polling_mode, int) {
  ProgressOptions options;
  options.mode = polling_mode ? ProgressMode::Polling : ProgressMode::Adaptive;
  startProgressThread(options);
}

void Worker::startProgressThread(const ProgressOptions& options) {
  base::requireNotForked();
  if (options.mode != ProgressMode::Polling && !loop_->can_sleep)
    throw UnsupportedError(
        "a progress thread that sleeps needs a context with UCP_FEATURE_WAKEUP; without it only "
        "polling mode works");
  if (loop_->options.single_thread)
    throw UnsupportedError("a worker made for a single thread cannot have a progress thread");
  loop_->thread.start(options);
}

void Worker::stopProgressThread() {
  if (loop_->thread.isThisThread())
    throw Error("a progress thread cannot be stopped by its own callbacks", UCS_ERR_BUSY);
  loop_->thread.stop();
}

bool Worker::isProgressThreadRunning() const noexcept { return loop_->thread.isRunning(); }

std::thread::id Worker::getProgressThreadId() const noexcept { return loop_->thread.id(); }

void Worker::setProgressThreadStartCallback(std::function<void(void*)> callback, void* argument) {
  loop_->thread.onStart(std::move(callback), argument);
}

namespace {

bool runGeneric(core::Loop& loop, core::GenericCallbacks& callbacks,
                DelayedSubmissionCallbackType&& callback, std::uint64_t period) {
  if (callback == nullptr) throw std::invalid_argument("a generic callback must not be null");
  base::requireNotForked();
  if (loop.thread.isThisThread()) return callback(), true;
  const std::uint64_t longest = std::chrono::nanoseconds::max().count();
  return callbacks.runAndWait(std::move(callback),
                              std::chrono::nanoseconds(std::min(period, longest)), loop.wake);
}

}  // namespace

bool Worker::registerGenericPre(DelayedSubmissionCallbackType callback, std::uint64_t period) {
  return runGeneric(*loop_, loop_->thread.before_rounds, std::move(callback), period);
}

bool Worker::registerGenericPost(DelayedSubmissionCallbackType callback, std::uint64_t period) {
  return runGeneric(*loop_, loop_->thread.after_rounds, std::move(callback), period);
}

namespace {

void requireConnectTimeout(std::optional<std::chrono::milliseconds> timeout) {
  if (timeout && timeout->count() < 0)
    throw InvalidParamError(
        fmt::format("connect: a timeout of {} ms; 0 or more is needed", timeout->count()));
}

}  // namespace

std::shared_ptr<Endpoint> Worker::createEndpointFromHostname(std::string host, std::uint16_t port,
                                                             bool endpoint_error_handling,
                                                             ConnectTimeout timeout) {
  requireConnectTimeout(timeout);
  if (port == 0)
    throw InvalidParamError(
        fmt::format("cannot connect to port 0 of \"{}\": use the port of a listener", host));
  std::vector<door::SocketAddress> addresses = door::resolve(host, port, false);
  core::EndpointState* state = nullptr;
  loop_->posts.run([&] {
    linksOf(*loop_).requireWay(host, addresses);
    state = &workerOf(*loop_).openByName(std::move(addresses), endpoint_error_handling, timeout);
  });
  return Endpoint::make(shared_from_this(), *state);
}

std::shared_ptr<Endpoint> Worker::createEndpointFromWorkerAddress(std::shared_ptr<Address> address,
                                                                  bool endpoint_error_handling,
                                                                  ConnectTimeout timeout) {
  requireConnectTimeout(timeout);
  if (address == nullptr || address->getLength() == 0)
    throw std::invalid_argument("an endpoint needs a worker address, not an empty one");
  const auto parsed = core::readWorkerAddress(address->getStringView());
  if (!parsed)
    throw InvalidAddrError(
        fmt::format("these {} bytes are not the address of a worker", address->getLength()));
  core::EndpointState* state = nullptr;
  loop_->posts.run(
      [&] { state = &workerOf(*loop_).open(*parsed, endpoint_error_handling, timeout); });
  return Endpoint::make(shared_from_this(), *state);
}

std::shared_ptr<Listener> Worker::createListener(std::uint16_t port,
                                                 ucp_listener_conn_callback_t callback,
                                                 void* argument, const std::string& host,
                                                 int backlog) {
  if (callback == nullptr) throw std::invalid_argument("a listener needs a callback, not null");
  const std::vector<door::SocketAddress> addresses = door::resolve(host, port, true);
  door::SocketAddress bound;
  core::ListenerState state{core::nextId(), callback, argument, {}};
  loop_->posts.run([&] { bound = listenersOf(*loop_).listen(addresses, backlog, state); });
  try {
    return std::shared_ptr<Listener>(
        new Listener(shared_from_this(), state.id, bound.ip(), bound.port()));
  } catch (...) {
    loop_->posts.run([&] { listenersOf(*loop_).stop(state.id); });  // nobody else would
    throw;
  }
}

std::shared_ptr<TagProbeInfo> Worker::tagProbe(AnyTag tag, AnyTagMask mask, bool remove) {
  auto result = std::make_shared<TagProbeInfo>();
  loop_->posts.run([&] {
    core::Message* message = core::probeTag(*loop_, tag, mask, remove);
    if (message == nullptr) return;
    result->info_.emplace(Tag{message->tag}, message->size);
    if (!remove) return;
    result->message_ = message;
    result->worker_ = shared_from_this();
    result->owner_ = this;
  });
  return result;
}

bool Worker::amProbe(ucp_ep_h handle) const {
  bool waiting = false;
  loop_->posts.run([&] {
    const auto* endpoint = endpointsOf(*loop_).find(core::idOf(handle));
    waiting = endpoint != nullptr && !endpoint->am_messages.empty();
  });
  return waiting;
}

void Worker::registerAmAllocator(ucs_memory_type_t memory_type, AmAllocatorType allocator) {
  if (allocator == nullptr)
    throw std::invalid_argument("an active-message allocator must not be null");
  loop_->posts.run(
      [&] { inboxOf(*loop_).receivers.allocators[memory_type] = std::move(allocator); });
}

void Worker::registerAmReceiverCallback(AmReceiverCallbackInfo info,
                                        AmReceiverCallbackType callback) {
  if (info.owner == AmReceiverCallbackOwnerType("ucxx"))
    throw std::runtime_error("the owner \"ucxx\" is reserved for the library");
  if (callback == nullptr)
    throw std::invalid_argument(fmt::format(
        "the active-message callback {} of \"{}\" must not be null", info.id, info.owner.data()));
  loop_->posts.run([&] {
    const auto key = std::pair(std::string(info.owner), info.id);
    if (!inboxOf(*loop_).receivers.callbacks.emplace(key, std::move(callback)).second)
      throw std::runtime_error(fmt::format(
          "an active-message callback {} of \"{}\" is registered already", info.id, key.first));
  });
}

std::size_t Worker::cancelInflightRequests(std::uint64_t, std::uint64_t) {
  std::size_t cancelled = 0;
  loop_->posts.run([&] { cancelled = endpointsOf(*loop_).cancelFailed(); });
  return cancelled;
}

bool Worker::isDelayedRequestSubmissionEnabled() const noexcept {
  return loop_->options.delayed_submission;
}

bool Worker::isFutureEnabled() const noexcept { return loop_->options.future; }

bool Worker::isRequestAttributesEnabled() const noexcept {
  return loop_->options.request_attributes;
}

BufferType Worker::getCudaBufferType() const noexcept { return loop_->options.cuda_buffer_type; }

WorkerAttributes Worker::queryAttributes() const {
  return {channelsOf(*loop_).threadMode(), channelsOf(*loop_).maxHeaderBytes(),
          "ucxx-" + toString(loop_->id()), 256};
}

WorkerStats Worker::stats() const { return workerOf(*loop_).stats(); }

std::string Worker::describe() {
  std::string text;
  loop_->posts.run([&] { text = workerOf(*loop_).describe(); });
  return text;
}

std::string Worker::dump() {
  std::string text;
  loop_->posts.run([&] { text = workerOf(*loop_).dump(); });
  return text;
}

WorkerReport Worker::report() {
  WorkerReport report;
  loop_->posts.run([&] { report = workerOf(*loop_).report(); });
  return report;
}

}  // namespace ucxx
