// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/session.h"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>

#include "tools/hex.h"

namespace ucxx::tools {
namespace {

constexpr std::chrono::milliseconds kLook{100};  // how often a sleeper looks up

ProgressMode threadMode(Progress progress) {
  if (progress == Progress::ThreadPolling) return ProgressMode::Polling;
  return progress == Progress::ThreadBlocking ? ProgressMode::Blocking : ProgressMode::Adaptive;
}

bool hasThread(Progress progress) {
  return progress != Progress::Polling && progress != Progress::Blocking;
}

}  // namespace

/// What is looked at now and then while a request is waited for: is the peer there, has it been
/// long?
class Session::Watch {
 public:
  explicit Watch(Session& session) : session_(session) {}

  template <class Done>
  void look(Done done) {
    session_.dumps_.look(*session_.worker_);
    if (session_.control_ != nullptr) session_.control_->look();
    if (session_.stopping_) throw std::runtime_error("another thread has failed");
    if (Clock::now() - since_ < session_.timeout_ || done()) return;
    throw std::runtime_error(fmt::format("nothing came for {} s\n{}", session_.timeout_.count(),
                                         session_.worker_->dump()));
  }

 private:
  Session& session_;
  const Clock::time_point since_ = Clock::now();
};

Session::Session(const Options& options, Control* control, const std::atomic<bool>& stopping,
                 std::shared_ptr<const Cuda> cuda)
    : control_(control),
      stopping_(stopping),
      progress_(options.progress),
      timeout_(options.timeout),
      memory_(options.memory),
      cuda_(std::move(cuda)) {
  WorkerOptions worker_options;
  worker_options.single_thread = options.single_thread;
  worker_options.cuda_buffer_type = BufferType::Host;  // all that the library allocates for frames
  if (cuda_ != nullptr) cuda_->makeCurrent();          // UCX looks for it when it starts
  context_ = createContext(options.ucx);
  if (cuda_ != nullptr) requireUcxForCuda(*context_);
  worker_ = context_->createWorker(worker_options);
  if (cuda_ != nullptr) setUpCuda();
  if (progress_ == Progress::Blocking) worker_->initBlockingProgressMode();
  if (hasThread(progress_)) worker_->startProgressThread(ProgressOptions{threadMode(progress_)});
}

void Session::setUpCuda() {
  worker_->setProgressThreadStartCallback([cuda = cuda_](void*) { cuda->makeCurrent(); }, nullptr);
  if (memory_.receive != MemoryKind::Cuda) return;
  worker_->registerAmAllocator(UCS_MEMORY_TYPE_CUDA,
                               [buffers = std::make_shared<CudaBuffers>(cuda_)](std::size_t size) {
                                 return buffers->take(size);
                               });
}

Session::~Session() {
  abandon();
  endpoint_.reset();
  worker_->stopProgressThread();
}

std::string Session::address() const { return toHex(worker_->getAddress()->getStringView()); }

void Session::connect(const std::string& address) {
  endpoint_ = worker_->createEndpointFromWorkerAddress(createAddressFromString(fromHex(address)));
}

std::string Session::describeTransports() const {
  std::string text;
  for (const TransportInfo& info : endpoint_->getTransports()) {
    const std::string name = info.transport + '/' + info.device;
    if (text.find(name) == text.npos) text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

void Session::wait(const Request& request) {
  dumps_.look(*worker_);
  if (progress_ == Progress::Polling)
    pollUntilEnded(request);
  else
    sleepUntilEnded(request);
  request.checkError();
}

void Session::abandon() noexcept {
  if (endpoint_ != nullptr) endpoint_->closeBlocking();
}

void Session::pollUntilEnded(const Request& request) {
  std::optional<Watch> watch;
  for (unsigned round = 1; !request.isCompleted(); ++round) {
    worker_->progress();
    if (round % 65536 != 0) continue;
    if (!watch) watch.emplace(*this);
    watch->look([&] { return request.isCompleted(); });
  }
}

void Session::sleepUntilEnded(const Request& request) {
  std::optional<Watch> watch;
  for (unsigned round = 1; !request.isCompleted(); ++round) {
    if (progress_ == Progress::Blocking)
      worker_->progressWorkerEvent(static_cast<int>(kLook.count()));
    else if (const_cast<Request&>(request).wait(kLook))
      return;
    dumps_.look(*worker_);
    if (progress_ == Progress::Blocking && round % 64 != 0) continue;
    if (!watch) watch.emplace(*this);
    watch->look([&] { return request.isCompleted(); });
  }
}

void Session::poll(const std::function<bool()>& done) {
  std::optional<Watch> watch;
  const bool own = !hasThread(progress_);
  for (unsigned round = 1; !done(); ++round) {
    if (own) worker_->progress();
    if (round % 65536 != 0) continue;
    if (!watch) watch.emplace(*this);
    watch->look(done);
  }
}

std::shared_ptr<MemoryHandle> Session::createMemory(std::size_t size_bytes) const {
  return createMemoryHandle(context_, size_bytes);
}

void Session::progressUntilQuiet() {
  do {
    while (worker_->progress()) {
    }
  } while (!worker_->arm());
}

bool Session::awaitReadable(int fd, Clock::time_point deadline) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(1);
  const bool own = !hasThread(progress_);
  for (;;) {
    dumps_.look(*worker_);
    if (own) progressUntilQuiet();
    pollfd entries[] = {{fd, POLLIN, 0}, {own ? worker_->getEpollFileDescriptor() : -1, POLLIN, 0}};
    const auto now = Clock::now();
    const auto left = deadline - now > kLongest
                          ? kLongest
                          : std::chrono::ceil<std::chrono::milliseconds>(deadline - now);
    ::poll(entries, 2, static_cast<int>(std::max(left.count(), 0L)));
    if (entries[0].revents != 0) return true;
    if (Clock::now() >= deadline) return false;
  }
}

nlohmann::json Session::receive(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  awaitReadable(control_->fd(), deadline);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return control_->receive(std::max(left, std::chrono::milliseconds{1}));
}

}  // namespace ucxx::tools
