// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/job.h"

#include <algorithm>
#include <climits>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shmem/oshrun/refusal.h"
#include "shmem/oshrun/report.h"
#include "shmem/oshrun/stops.h"

namespace ucxx::shmem::oshrun {
namespace {

/// What is sent to the PEs' group, as by a terminal, comes to the guard as well, which passes it
/// on.
constexpr int kSignalDelayMs = 200;
/// A signal that comes again within this time is the same one.
constexpr auto kSameSignal = std::chrono::milliseconds(300);

int millisecondsUntil(base::TimePoint when) {
  if (when == base::TimePoint::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - base::Clock::now());
  return static_cast<int>(std::clamp<long long>(left.count(), 0, INT_MAX));
}

/// What kills or stops the group of the guard and the PEs leaves this process alone. Another group
/// of the same session would not do: its children, the PEs, would keep an orphaned group from being
/// one, and the kernel hangs up a group that becomes orphaned while any process in it is stopped,
/// also one of the user's (_exit(2)).
void leaveSession() noexcept { ::setsid(); }

bool mayBeOfGroup(int end) {
  if (!WIFSIGNALED(end)) return false;
  const int number = WTERMSIG(end);
  return number == SIGINT || number == SIGQUIT || number == SIGHUP || number == SIGTERM;
}

}  // namespace

Job::Job(const Options& options, GuardLink guard, Signals& signals, Spawner& spawner)
    : options_(options),
      guard_(std::move(guard)),
      signals_(signals),
      spawner_(spawner),
      outputs_(poller_),
      reception_(options.pes),
      ending_(pes_),
      outcome_(options, pes_, reception_.memory(), outputs_, ending_),
      guard_watch_(poller_, [this] { onGuard(); }),
      signal_watch_(poller_, [this] { onSignals(); }) {
  guard_watch_.start(guard_.signals.get());
  signal_watch_.start(signals.descriptor());
}

int Job::run() {
  start();
  while (!isOver()) {
    outputs_.watchWhatWaits();
    poller_.dispatch(millisecondsUntil(next()));
    onTime();
  }
  const bool is_lost = outputs_.tellLoss();
  return ending_.status() == 0 && is_lost ? kJobFailed : ending_.status();
}

void Job::start() {
  describe();
  try {
    for (int number = 0; number < options_.pes; ++number) startPe(number);
    reportBindings();
  } catch (const Refusal& refusal) {
    outcome_.onRefused(refusal.what(), refusal.status);
  }
  leaveSession();
}

void Job::describe() {
  if (options_.verbose) {
    for (const std::string& text : descriptionOf(options_, spawner_.program(), spawner_.places()))
      outputs_.say(text);
  }
  for (const std::string& option : options_.unset_variables)
    warn(fmt::format("{}: it is not set here, so the PEs do not get it", option));
  const std::string sharing = sharingOf(options_, spawner_.places());
  if (!sharing.empty()) warn(sharing);
}

void Job::reportBindings() {
  if (!options_.report_bindings) return;
  for (const Pe& pe : pes_) outputs_.say(bindingOf(pe, spawner_.places()));
}

void Job::warn(const std::string& text) {
  if (!options_.quiet) outputs_.say(text);
}

void Job::startPe(int number) {
  Started started = spawner_.start(number);
  Pe& pe = pes_.emplace_back();
  pe.number = number;
  pe.pid = started.pid;
  pe.socket = std::move(started.socket);
  outputs_.add(number, started);
  mail_watches_.emplace_back(poller_, [this, &pe] { onMail(pe); }).start(pe.socket.get());
}

void Job::onMail(Pe& pe) {
  while (pe.socket) {
    const News news = reception_.read(pe);
    if (news.kind == News::Kind::None) return;
    onNews(pe, news);
  }
}

void Job::onNews(Pe& pe, const News& news) {
  switch (news.kind) {
    case News::Kind::Closed:
      mail_watches_[static_cast<std::size_t>(pe.number)].stop();
      pe.socket.reset();
      break;
    case News::Kind::Refused:
      outcome_.onRefused(news.reason, kJobFailed);
      Reception::refuse(pe, news.reason);
      break;
    case News::Kind::GlobalExit:
      outcome_.onGlobalExit(pe, news.status);
      break;
    default:
      break;
  }
}

void Job::onGuard() {
  unsigned char number = 0;
  ssize_t got = 0;
  while ((got = ::read(guard_.signals.get(), &number, sizeof number)) > 0) hear(number);
  if (got != 0) return;
  guard_watch_.stop();
  outcome_.onGuardKilled(guard_.pid);
}

void Job::onSignals() {
  for (const int number : signals_.take()) hear(number);
  reap();
}

/// timeout(1), for one, sends its signal to the process and then to the process's group.
void Job::hear(int number) {
  if (isForPes(number)) return passOn(pes_, number);
  const base::TimePoint now = base::Clock::now();
  if (number == heard_ && now < heard_until_) return;
  heard_ = number;
  heard_until_ = now + kSameSignal;
  outcome_.onSignal(number);
}

/// Children that are no PEs are what PEs have left behind.
void Job::reap() {
  int change = 0;
  for (pid_t pid = 0; (pid = ::waitpid(-1, &change, WNOHANG | WUNTRACED | WCONTINUED)) > 0;) {
    const auto pe = std::find_if(pes_.begin(), pes_.end(),
                                 [pid](const Pe& it) { return it.pid == pid && !it.end; });
    if (pe != pes_.end()) onChange(*pe, change);
    if (WIFEXITED(change) || WIFSIGNALED(change)) ending_.onEnd(pid);
  }
}

void Job::onChange(Pe& pe, int change) {
  if (WIFEXITED(change) || WIFSIGNALED(change)) {
    onEnd(pe, change);
  } else {
    noteStop(pe, change);
  }
}

void Job::onEnd(Pe& pe, int end) {
  pe.end = end;
  outputs_.drain(pe.number);
  if (!ending_.hasBegun() && hasFailed(end)) hearAll();
  if (!ending_.hasBegun() && mayBeOfGroup(end)) waitForGuard();
  outcome_.onEnd(pe);
}

/// A PE may have failed because another one has called shmem_global_exit.
void Job::hearAll() {
  for (Pe& pe : pes_) onMail(pe);
}

/// The signal that a PE has died of is the reason, if oshrun has it as well.
void Job::waitForGuard() {
  pollfd entry{guard_.signals.get(), POLLIN, 0};
  if (::poll(&entry, 1, kSignalDelayMs) > 0) onGuard();
}

base::TimePoint Job::next() const noexcept {
  if (is_finished_) return base::TimePoint::max();
  return std::min({outcome_.next(), ending_.next(), nextStopToTell(pes_)});
}

void Job::onTime() {
  const base::TimePoint now = base::Clock::now();
  outcome_.onTime(now);
  ending_.onTime(now);
  for (const std::string& text : stopsToTell(pes_, now)) warn(text);
}

/// What the PEs have written goes out, however long it takes.
bool Job::isOver() {
  if (!is_finished_ && ending_.isDone()) {
    is_finished_ = true;
    outputs_.finish();
  }
  return is_finished_ && outputs_.areEmpty();
}

}  // namespace ucxx::shmem::oshrun
