// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/faults/everything.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include <unistd.h>

#include <ucxx/api.h>

#include "peers/faults/asked.h"

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;
using Requests = std::vector<std::shared_ptr<Request>>;

constexpr auto kComes = 5s;  // a door that is out of descriptors lets its caller come again
constexpr Tag kTag{1};
constexpr std::size_t kSmall = 8, kLarge = 100'000;

[[noreturn]] void end(Harm harm) { ::_exit(static_cast<int>(harm)); }

/// What requests use: their worker owns it until they have ended, which may be later.
struct Bytes {
  std::vector<char> sent = std::vector<char>(kLarge), received = std::vector<char>(kLarge);
  std::vector<char> memory = std::vector<char>(kLarge), streamed = std::vector<char>(kLarge);
  std::uint64_t word = 0;
  HostBuffer mapped{kLarge};  // by the peer
  Bytes() { std::iota(sent.begin(), sent.end(), '\0'); }
  void requireSame(const void* came, std::size_t size) const {
    if (!std::equal(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(size),
                    static_cast<const char*>(came)))
      end(Harm::Wrong);
  }
};

Bytes& bytes() {
  static Bytes& all = *new Bytes;
  return all;
}

/// The end that a listener makes.
struct Accepted {
  void accept(ucp_conn_request_h request) {
    auto made = listener->createEndpointFromConnRequest(request);
    const std::lock_guard lock(mutex);
    endpoint = std::move(made);
  }
  std::shared_ptr<Endpoint> get() {
    const std::lock_guard lock(mutex);
    return endpoint;
  }
  std::mutex mutex;
  std::shared_ptr<Listener> listener;
  std::shared_ptr<Endpoint> endpoint;
};

class Use {
 public:
  /// A request of ours is never lost for want of room.
  explicit Use(bool in_threads) : in_threads_(in_threads) { posted_.reserve(16); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  void all() {
    meet();
    for (const std::size_t size : {kSmall, kLarge}) {
      tags(size);
      activeMessages(size);
      streams(size);
    }
    multi();
    receiveLate(kSmall);
    receiveLate(kLarge);
    oneSided();
    prepared(bytes().received.data(), kSmall);
    prepared(bytes().received.data(), kLarge);
    prepared(static_cast<char*>(bytes().mapped.data()), kLarge);
    for (const bool repeats : {false, true}) conditions(repeats);
    await({keep(left_->flush())});
    close(endpoint_);
  }
  /// Closes and cancels what is left, and waits for its end.
  void endAll() {
    for (const auto& endpoint : {endpoint_, accepted_.get()}) {
      if (endpoint != nullptr) keep(endpoint->close());
    }
    for (const auto& request : posted_) request->cancel();
    const auto deadline = Clock::now() + kComes;
    while (!haveEnded(posted_)) {
      if (Clock::now() > deadline) end(Harm::Hangs);
      progress();
    }
    for (const auto& worker : {left_, right_}) {
      // The last of it may be another thread's.
      while (worker != nullptr && worker->stats().pending_requests != 0) {
        if (Clock::now() > deadline) end(Harm::Kept);
        progress();
      }
    }
  }

 private:
  static bool haveEnded(const Requests& requests) {
    return std::all_of(requests.begin(), requests.end(),
                       [](const auto& request) { return request->isCompleted(); });
  }
  std::shared_ptr<Request> keep(std::shared_ptr<Request> request) {
    if (request != nullptr) posted_.push_back(request);
    return request;
  }
  void progress() {
    if (in_threads_) return std::this_thread::sleep_for(50us);
    for (const auto& worker : {left_, right_}) {
      try {
        if (worker != nullptr) worker->progress();
      } catch (const std::exception&) {
        end(Harm::Throws);
      }
    }
  }
  void requireAlive() {
    for (const auto& endpoint : {endpoint_, accepted_.get()}) {
      if (endpoint != nullptr && !endpoint->isAlive()) endpoint->raiseOnError();
    }
  }
  template <class Done>
  void awaitThat(const Done& done) {
    const auto deadline = Clock::now() + kComes;
    while (!done()) {
      progress();
      for (const auto& request : posted_) {
        if (request->isCompleted()) request->checkError();
      }
      requireAlive();
      if (Clock::now() > deadline) end(Harm::Silent);
    }
  }
  void await(const Requests& requests) {
    awaitThat([&] { return haveEnded(requests); });
    for (const auto& request : requests) request->checkError();
    posted_.clear();
  }

  void meet() {
    context_ = createContext();
    WorkerOptions options;
    options.connect_timeout = 1s;
    options.stall_report = 1ms;  // tells, too
    left_ = context_->createWorker(options);
    right_ = context_->createWorker(options);
    if (in_threads_) {
      left_->startProgressThread();
      right_->startProgressThread();
    }
    accepted_.listener = right_->createListener(
        0,
        [](ucp_conn_request_h request, void* to) { static_cast<Accepted*>(to)->accept(request); },
        &accepted_, "127.0.0.1");
    endpoint_ = left_->createEndpointFromHostname("127.0.0.1", accepted_.listener->getPort());
    awaitThat([&] { return accepted_.get() != nullptr; });
  }
  void tags(std::size_t size) {
    auto receive = keep(right_->tagRecv(bytes().received.data(), size, kTag));
    await({receive, keep(endpoint_->tagSend(bytes().sent.data(), size, kTag))});
    bytes().requireSame(bytes().received.data(), size);
  }
  void activeMessages(std::size_t size) {
    auto receive = keep(accepted_.get()->amRecv());
    await({receive, keep(endpoint_->amSend(bytes().sent.data(), size, UCS_MEMORY_TYPE_HOST))});
    bytes().requireSame(receive->getRecvBuffer()->data(), size);
  }
  void streams(std::size_t size) {
    auto receive = keep(accepted_.get()->streamRecv(bytes().received.data(), size, false));
    await({receive, keep(endpoint_->streamSend(bytes().sent.data(), size, false))});
    bytes().requireSame(bytes().received.data(), size);
  }
  void multi() {
    const void* const sent = bytes().sent.data();
    auto receive = keep(accepted_.get()->tagMultiRecv(kTag, TagMaskFull));
    await({receive, keep(endpoint_->tagMultiSend(std::vector{sent, sent, sent},
                                                 {kSmall, kLarge, kLarge / 2}, {0, 0, 0}, kTag))});
    for (const auto& frame : static_cast<RequestTagMulti&>(*receive)._bufferRequests)
      bytes().requireSame(frame->buffer->data(), frame->buffer->getSize());
  }
  /// What has come before anybody waits for it.
  void receiveLate(std::size_t size) {
    const char* const sent = bytes().sent.data();
    const std::uint64_t before = right_->stats().unexpected_messages;
    Requests all;
    all.reserve(8);
    all.push_back(keep(endpoint_->tagSend(sent, size, kTag)));
    all.push_back(keep(endpoint_->amSend(sent, size, UCS_MEMORY_TYPE_HOST)));
    all.push_back(keep(endpoint_->streamSend(sent, size, false)));
    all.push_back(keep(
        endpoint_->tagMultiSend(std::vector<const void*>{sent, sent}, {size, size}, {0, 0}, kTag)));
    awaitThat([&] { return right_->stats().unexpected_messages == before + all.size(); });
    const auto accepted = accepted_.get();
    all.push_back(keep(right_->tagRecv(bytes().received.data(), size, kTag)));
    all.push_back(keep(accepted->amRecv()));
    all.push_back(keep(accepted->streamRecv(bytes().streamed.data(), size, false)));
    all.push_back(keep(accepted->tagMultiRecv(kTag, TagMaskFull)));
    await(all);
    bytes().requireSame(bytes().received.data(), size);
    bytes().requireSame(bytes().streamed.data(), size);
  }
  void oneSided() {
    Bytes& b = bytes();
    const auto memory = createMemoryHandle(context_, kLarge, b.memory.data());
    const auto key =
        createRemoteKeyFromSerialized(endpoint_, memory->createRemoteKey()->serialize());
    for (const std::size_t size : {kSmall, kLarge}) {
      await({keep(endpoint_->memPut(b.sent.data(), size, key)), keep(endpoint_->flush())});
      await({keep(endpoint_->memGet(b.received.data(), size, key))});
      b.requireSame(b.received.data(), size);
    }
    const std::uint64_t one = 1;
    await({keep(endpoint_->atomicPost(AtomicOperation::Add, one, key))});
    await({keep(endpoint_->atomicFetch(AtomicOperation::Add, one, &b.word, key))});
    await({keep(endpoint_->atomicCompareSwap(one, one, &b.word, key)), keep(endpoint_->flush())});
  }
  void prepared(char* to, std::size_t size) {
    constexpr std::size_t parts = 4;
    const auto receive = accepted_.get()->prepareRecv(to, size, kTag, {parts});
    const auto send = endpoint_->prepareSend(bytes().sent.data(), size, kTag, {parts});
    for (int iteration = 1; iteration <= 2; ++iteration) {
      std::fill_n(to, size, '\0');
      send->start();
      send->ready(parts - 1);
      receive->start();
      const auto received = keep(receive->request());
      progress();
      send->ready(0, parts - 1);
      await({received, keep(send->request())});
      bytes().requireSame(to, size);
    }
    await({keep(send->close()), keep(receive->close())});
  }
  void conditions(bool repeats) {
    ConditionOptions options;
    options.repeat = repeats;
    options.start_timeout = options.transfer_timeout = kComes;
    const auto filled = Condition::host(options), emptied = Condition::host();
    char* const to = bytes().received.data();
    auto send = keep(
        endpoint_->tagSendBuilder(bytes().sent.data(), kSmall, kTag).condition(filled).build());
    auto receive =
        keep(right_->tagRecvBuilder(to, kSmall, kTag, TagMaskFull).condition(emptied).build());
    emptied.trigger();
    filled.trigger();
    awaitThat([&] { return receive->isCompleted(); });
    if (repeats) {
      receive = keep(right_->tagRecv(to, kSmall, kTag));
      filled.trigger();
      awaitThat([&] { return receive->isCompleted(); });
      filled.close();
    }
    await({receive, send});
    awaitThat([&] { return filled.isOver() && emptied.isOver(); });
    bytes().requireSame(to, kSmall);
  }
  void close(const std::shared_ptr<Endpoint>& endpoint) {
    const auto request = keep(endpoint->close());
    const auto deadline = Clock::now() + kComes;
    while (!request->isCompleted()) {
      progress();
      if (Clock::now() > deadline) end(Harm::Hangs);
    }
    request->checkError();
  }

  const bool in_threads_;
  std::shared_ptr<Context> context_;
  Accepted accepted_;
  std::shared_ptr<Worker> left_, right_;
  std::shared_ptr<Endpoint> endpoint_;
  Requests posted_;
};

}  // namespace

void useEverything(bool in_threads) {
  bytes();  // before anything fails
  setLogSink([](LogLevel, auto, auto) {});
  Use use(in_threads);
  try {
    use.all();
  } catch (...) {
    use.endAll();
    throw;
  }
}

}  // namespace ucxx::faults
