// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "local/hub.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <sys/epoll.h>

#include "base/phase.h"
#include "base/status.h"
#include "local/choices.h"

namespace ucxx::local {
namespace {

void eraseFrom(std::vector<Channel*>& list, const Channel* channel) noexcept {
  list.erase(std::remove(list.begin(), list.end(), channel), list.end());
}

}  // namespace

Hub::Hub(base::Poller& poller, const Events& events)
    : poller_(poller), events_(events), own_process_(openOwnPidfd()) {
  poller_.add(board_.eventFd(), EPOLLIN, *this);
}

Hub::~Hub() { poller_.remove(board_.eventFd(), *this); }

void Hub::onReady(std::uint32_t) {
  if (!events_.hasSleepers(events_.owner)) board_.clearRings();
}

std::vector<int> Hub::descriptors() const {
  return {board_.memoryFd(), board_.eventFd(), own_process_.get()};
}

std::uint32_t Hub::enter(Channel& channel) {
  auto free = std::find(slots_.begin(), slots_.end(), nullptr);
  if (free == slots_.end()) {
    if (slots_.size() == BoardMemory::kSlots)
      base::throwStatus(UCS_ERR_EXCEEDS_LIMIT, "a worker has at most " +
                                                   std::to_string(BoardMemory::kSlots) +
                                                   " peers on its own machine");
    free = slots_.insert(free, nullptr);
  }
  hot_.reserve(slots_.size());
  stuck_.reserve(slots_.size());
  *free = &channel;
  return static_cast<std::uint32_t>(free - slots_.begin());
}

void Hub::leave(Channel& channel) noexcept {
  slots_[channel.slot_] = nullptr;
  eraseFrom(hot_, &channel);
  eraseFrom(stuck_, &channel);
  stopWatching(channel);
}

void Hub::stopWatching(Channel& channel) noexcept {
  if (!std::exchange(channel.is_watched_, false)) return;
  poller_.remove(channel.process_->descriptor(), channel);
}

void Hub::processEnded(Channel& channel) {
  stopWatching(channel);
  events_.onDeath(events_.owner, channel.context);
}

void Hub::watch(Channel& channel) {
  // Without events that is silent but for a hang-up, which is told once.
  poller_.add(channel.process_->descriptor(), EPOLLET, channel);
  channel.is_watched_ = true;
}

void Hub::begin(Channel& channel) {
  poller_.modify(channel.process_->descriptor(), EPOLLIN, channel);
  channel.has_begun_ = true;
  warm(channel);
}

void Hub::stick(Channel& channel) noexcept {
  if (std::exchange(channel.is_stuck_, true)) return;
  stuck_.push_back(&channel);
}

bool Hub::progress() {
  bool moved = false;
  // Those that callbacks add come behind.
  for (std::size_t i = 0; i < hot_.size(); ++i) moved |= poll(*hot_[i]);
  // Who waits for what has come does not wait for a look at the board; but others are not kept from
  // theirs for ever.
  if (!moved || ++busy_rounds_ % kLookAfter == 0) moved |= takeRaised();
  if (!stuck_.empty()) moved |= sendWaiting();
  if (hot_.size() > choices::kAlwaysHot) coolIdle();
  if (moved) {
    noteMove();
  } else if (idle_rounds_ < kBusyRounds) {
    ++idle_rounds_;
  }
  return moved;
}

bool Hub::takeSeen() {
  bool moved = false;
  for (std::size_t i = 0; i < hot_.size(); ++i) {
    if (hot_[i]->hasCome()) moved |= poll(*hot_[i]);
  }
  if (moved) noteMove();
  return moved;
}

void Hub::noteMove() noexcept {
  idle_rounds_ = 0;
  next_look_ = base::TimePoint::max();
}

bool Hub::poll(Channel& channel) {
  int taken = 0;
  std::size_t bytes = 0;
  for (; taken < choices::kTakenAtOnce && bytes < choices::kBytesTakenAtOnce; ++taken) {
    const auto record = channel.peek();
    if (!record) break;
    base::reached(base::Phase::RecordPeeked);
    if (taken == 0)
      channel.expectAnswer();
    else
      channel.expectMore();
    bytes += events_.onMessage(events_.owner, channel.context, record->header, record->payload);
    if (base::isForkedChild()) [[unlikely]]
      base::requireNotForked();  // a callback has: the rings are not the child's
    base::reached(base::Phase::RecordHandled);
    channel.pop();
  }
  if (taken != 0 ? channel.releaseQuarter() : channel.release()) channel.bell_->ringIfAsleep();
  if (taken != 0) {  // whoever waits for what has come need not wait for what is left to do here
    channel.idle_polls_ = 0;
    return true;
  }
  ++channel.idle_polls_;
  checkWhole(channel);
  return false;
}

void Hub::checkWhole(Channel& channel) {
  if (!channel.isNewlyBroken()) [[likely]]
    return;
  channel.is_broken_ = true;
  events_.onBroken(events_.owner, channel.context);
}

/// Those that have raised their bit are polled from now on. True: there were any.
bool Hub::takeRaised() {
  constexpr std::size_t kPerWord = BoardMemory::kSlotsPerWord;
  bool any = false;
  for (std::size_t first = 0; first < slots_.size(); first += kPerWord) {
    std::uint64_t raised = board_.takeSummary(first / kPerWord);
    for (; raised != 0; raised &= raised - 1) {
      const std::size_t slot = first + static_cast<std::size_t>(std::countr_zero(raised));
      Channel* channel = slot < slots_.size() ? slots_[slot] : nullptr;
      if (channel == nullptr || !channel->has_begun_)
        continue;  // of the one before it in this slot
      warm(*channel);
      any = true;
    }
  }
  return any;
}

bool Hub::sendWaiting() {
  bool moved = false;
  for (std::size_t i = 0; i < stuck_.size();) {
    Channel& channel = *stuck_[i];
    moved |= channel.sendWaiting();
    checkWhole(channel);
    if (!channel.waiting_.empty()) {
      ++i;
      continue;
    }
    channel.is_stuck_ = false;
    stuck_.erase(stuck_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return moved;
}

void Hub::warm(Channel& channel) noexcept {
  channel.idle_polls_ = 0;
  if (channel.is_hot_ && !channel.is_cooling_) return;
  channel.in_.setHot(true);
  channel.is_cooling_ = false;
  if (!std::exchange(channel.is_hot_, true)) hot_.push_back(&channel);
}

/// One of them a round, so that a round stays short. It is polled for as many rounds again after
/// its producer can see that: the fence may have missed that one.
void Hub::coolIdle() {
  const auto idle = std::find_if(hot_.begin(), hot_.end(), [](const Channel* channel) {
    return channel->idle_polls_ > choices::kIdlePolls;
  });
  if (idle == hot_.end()) return;
  Channel& channel = **idle;
  if (!std::exchange(channel.is_cooling_, true)) {
    channel.idle_polls_ = 0;
    return channel.in_.setHot(false);
  }
  hot_.erase(idle);
  channel.is_hot_ = channel.is_cooling_ = false;
}

bool Hub::announceSleep() {
  board_.announceSleep();
  base::reached(base::Phase::SleepAnnounced);
  const auto has_work = [](Channel* channel) {
    // What was popped since the last idle look is free: its producer may sleep, too.
    if (channel->release()) channel->bell_->ringIfAsleep();
    return channel->peek().has_value() || channel->isNewlyBroken();
  };
  const auto has_room = [](Channel* channel) {
    return channel->announceWaiting() || channel->isNewlyBroken();
  };
  return !takeRaised() && std::none_of(hot_.begin(), hot_.end(), has_work) &&
         std::none_of(stuck_.begin(), stuck_.end(), has_room);
}

void Hub::endSleep() noexcept { board_.endSleep(); }

/// On the millisecond, so that a timer is not set anew for each of many short sleeps.
base::TimePoint Hub::nextLook(base::TimePoint now) noexcept {
  if (hot_.empty()) return base::TimePoint::max();  // no peers
  if (next_look_ == base::TimePoint::max()) {
    pause_ = kFirstPause;
  } else if (now >= next_look_) {
    pause_ = std::min(10 * pause_, kLongestPause);
  }
  next_look_ = std::chrono::ceil<std::chrono::milliseconds>(now + pause_);
  return next_look_;
}

}  // namespace ucxx::local
