// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/call.h"

#include <algorithm>
#include <utility>

#include "base/id128.h"
#include "door/door_state.h"

namespace ucxx::door {
namespace {

constexpr auto kFirstPatience = std::chrono::milliseconds(5);
constexpr auto kMaxPatience = std::chrono::milliseconds(200);

/// What the end of an attempt says about its address, for people; nothing where the status says
/// all.
std::string_view wordsFor(ucs_status_t failure, const SocketAddress& address) noexcept {
  if (failure == UCS_ERR_UNREACHABLE) return "nobody listens there, or there is no route to it";
  if (failure == UCS_ERR_CONNECTION_RESET) return "it hung up without an answer";
  const bool is_stranger = failure == UCS_ERR_INVALID_ADDR && !address.isUnix();
  return is_stranger ? "no worker of this library answers there" : std::string_view();
}

}  // namespace

Call::Call(DoorState& door, std::vector<SocketAddress> addresses, Hello hello,
           Descriptors descriptors, void* context, base::TimePoint deadline)
    : door_(door),
      addresses_(std::move(addresses)),
      hello_(std::move(hello)),
      descriptors_(std::move(descriptors)),
      context_(context),
      deadline_(deadline),
      patience_(kFirstPatience) {}

void Call::extend(base::TimePoint deadline) noexcept {
  deadline_ = std::max(deadline_, deadline);
  door_.calls.reschedule(*this);
}

void Call::dial() {
  dial_again_ = base::TimePoint::max();
  status_ = UCS_ERR_UNREACHABLE;
  refused_.reset();
  talked_ = false;
  for (const SocketAddress& address : addresses_) {
    auto attempt = std::make_unique<Attempt>(*this, door_, address);
    const ucs_status_t status = attempt->dial();
    if (status == UCS_OK) {
      attempts_.push_back(std::move(attempt));
    } else {
      note(address, status);
      remember(status, false);
    }
  }
}

base::TimePoint Call::due() const noexcept {
  if (!attempts_.empty()) return deadline_;
  return isWaiting() ? dial_again_ : base::TimePoint{};
}

void Call::onTime() {
  if (!attempts_.empty()) rememberTimeout();
  if (!isWaiting()) return waitOrEnd();
  dial();
  door_.calls.reschedule(*this);
}

void Call::onConnected(Attempt& attempt) {
  if (speaker_ != nullptr) return;  // it waits in case the speaker fails
  speaker_ = &attempt;
  attempt.speak(hello_, descriptors_);
}

void Call::onAnswered(Attempt& attempt) {
  switch (attempt.handshake().state()) {
    case Handshake::State::Established:
      return onWelcome(attempt);
    case Handshake::State::Refused:
      return onRefused(attempt);
    case Handshake::State::Garbage:
    case Handshake::State::Talking:
    case Handshake::State::Asked:
      return onFailed(attempt, UCS_ERR_INVALID_ADDR);
  }
}

void Call::onWelcome(Attempt& attempt) {
  const Hello hello = attempt.handshake().hello();
  Descriptors descriptors = attempt.takeDescriptors();
  auto connection = attempt.becomeConnection();
  const auto self = door_.calls.take(*this);  // now that it cannot fail any more
  attempts_.clear();
  const Events& events = door_.events;
  events.onWelcome(events.owner, *this, hello, std::move(descriptors), std::move(connection));
}

// A busy door and a stranger's say nothing about the other addresses; every other word is final.
// Where there is a secret, so is what anybody can say who does not know it.
bool Call::saysLittle(const Refused& refused) const noexcept {
  switch (refused.reason) {
    case Refusal::Busy:
    case Refusal::OutOfDescriptors:
    case Refusal::WrongWorker:
    case Refusal::Authentication:
    case Refusal::OtherUser:
      return true;
    case Refusal::Version:
    case Refusal::Malformed:
    case Refusal::TooLarge:
      return door_.secret != nullptr;
    default:
      return false;
  }
}

void Call::onRefused(Attempt& attempt) {
  const Refused refused = attempt.handshake().refused();
  words_[attempt.to().toString()] = toString(refused.reason);
  remember(UCS_ERR_REJECTED, &refused, true);
  if (saysLittle(refused)) return next(attempt);
  end();
}

std::string Call::whatWasSaid() const {
  std::string all;
  for (const SocketAddress& address : addresses_) {
    const std::string name = address.toString();
    const auto said = words_.find(name);
    all += (all.empty() ? "" : ", ") + name;
    if (said != words_.end())
      all.append(": ").append(said->second);
    else if (status_ == UCS_ERR_TIMED_OUT)
      all += ": no answer in time";
  }
  return all;
}

void Call::note(const SocketAddress& address, ucs_status_t failure) {
  const std::string_view words = wordsFor(failure, address);
  if (!words.empty()) words_[address.toString()] = words;
}

void Call::onFailed(Attempt& attempt, ucs_status_t status) {
  note(attempt.to(), status);
  const bool spare = &attempt != speaker_ && attempt.isConnected();
  if (!spare) remember(status, &attempt == speaker_);
  next(attempt);
}

// What the kernel calls busy is worth another try as a busy door is.
void Call::remember(ucs_status_t failure, bool talked) noexcept {
  const Refused busy{.reason = Refusal::Busy};
  if (failure == UCS_ERR_BUSY) return remember(UCS_ERR_REJECTED, &busy, talked);
  remember(failure, nullptr, talked);
}

void Call::remember(ucs_status_t status, const Refused* refused, bool talked) noexcept {
  if (talked_ && !talked) return;
  // A busy door is worth another try, whatever its other addresses do short of a final word.
  if (isBusy() && (refused == nullptr || saysLittle(*refused))) return;
  status_ = status;
  talked_ = talked;
  refused_.reset();
  if (refused != nullptr) refused_ = *refused;
}

/// The time went by, perhaps with a door that was busy again and again.
void Call::rememberTimeout() noexcept {
  const std::optional<Refused> busy = busy_;
  remember(busy ? UCS_ERR_REJECTED : UCS_ERR_TIMED_OUT, busy ? &*busy : nullptr, true);
}

/// Drops an attempt; the next that is connected speaks.
void Call::next(Attempt& failed) {
  if (speaker_ == &failed) speaker_ = nullptr;
  std::erase_if(attempts_, [&](const auto& attempt) { return attempt.get() == &failed; });
  if (attempts_.empty()) return waitOrEnd();
  if (speaker_ != nullptr) return;
  const auto ready = std::find_if(attempts_.begin(), attempts_.end(),
                                  [](const auto& attempt) { return attempt->isConnected(); });
  if (ready != attempts_.end()) onConnected(**ready);
}

/// Many friends who call at once are over the limits together, so that they come again at random.
bool Call::waitForTheBusy() {
  if (!isBusy()) return false;
  const auto jitter =
      std::chrono::microseconds(base::randomU64() % std::chrono::microseconds(patience_).count());
  const auto again = base::Clock::now() + patience_ + jitter;
  if (again >= deadline_) return false;
  busy_ = refused_;
  dial_again_ = again;
  patience_ = std::min(2 * patience_, kMaxPatience);
  door_.calls.reschedule(*this);
  return true;
}

void Call::waitOrEnd() {
  if (!waitForTheBusy()) end();
}

void Call::end(ucs_status_t status) {
  status_ = status;
  refused_.reset();
  end();
}

void Call::end() {
  const auto self = door_.calls.take(*this);
  attempts_.clear();
  const Events& events = door_.events;
  events.onCallEnded(events.owner, *this, status_, refused_ ? &*refused_ : nullptr);
}

}  // namespace ucxx::door
