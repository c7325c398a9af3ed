// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/handshake.h"

#include <algorithm>
#include <utility>

namespace ucxx::door {

Handshake::Handshake(const Limits& limits, Side side) : limits_(&limits), side_(side) {
  frame_.refused.reason = Refusal{};
}

Handshake Handshake::calling(const Limits& limits, const Hello& hello, std::vector<int> enclosed) {
  Handshake handshake(limits, Side::Calling);
  handshake.out_ = encode(FrameKind::Hello, hello);
  handshake.enclosed_ = std::move(enclosed);
  return handshake;
}

std::size_t Handshake::wanted() const noexcept { return state_ == State::Talking ? wanted_ : 0; }

void Handshake::receive(std::span<const std::byte> bytes, Descriptors with) {
  bytes = bytes.first(std::min(bytes.size(), wanted()));
  if (bytes.empty()) return;
  if (isAtStart()) descriptors_ = std::move(with);
  in_.insert(in_.end(), bytes.begin(), bytes.end());
  Decoded decoded = decode(in_, *limits_);
  wanted_ = decoded.missing;
  if (decoded.state == DecodeState::Failed) onFailure(decoded);
  if (decoded.state == DecodeState::Done) onFrame(std::move(decoded.frame));
}

void Handshake::receiveStray() {
  if (wanted() == 0) return;
  wanted_ = 0;
  descriptors_.clear();
  onFailure({.failure = Refusal::Malformed});
}

std::span<const std::byte> Handshake::pending() const noexcept {
  return std::span(out_).subspan(sent_);
}

std::span<const int> Handshake::enclosed() const noexcept {
  return sent_ == 0 ? std::span(enclosed_) : std::span<const int>();
}

void Handshake::sent(std::size_t bytes) noexcept {
  sent_ += std::min(bytes, out_.size() - sent_);
  if (sent_ == out_.size() && then_ != State::Talking) end(then_);
}

void Handshake::welcome(const Hello& answer, std::vector<int> enclosed) {
  if (state_ != State::Asked) return;
  enclosed_ = std::move(enclosed);
  this->answer(encode(FrameKind::Welcome, answer), State::Established);
}

void Handshake::refuse(const Refused& answer) {
  if (state_ != State::Asked && !isWelcomeUnsent()) return;
  frame_.refused = answer;
  enclosed_.clear();
  this->answer(encode(answer), State::Refused);
}

void Handshake::answer(std::vector<std::byte> bytes, State then) {
  state_ = State::Talking;
  out_ = std::move(bytes);
  sent_ = 0;
  then_ = then;
}

void Handshake::onFrame(Frame frame) {
  if (side_ == Side::Answering) {
    onQuestion(std::move(frame));
  } else {
    onAnswer(std::move(frame));
  }
}

void Handshake::onQuestion(Frame frame) {
  state_ = State::Asked;
  if (frame.kind != FrameKind::Hello) return refuse({.reason = Refusal::Malformed});
  frame_.hello = std::move(frame.hello);
}

// A refusal may come before our hello is out (a busy door), a welcome may not.
void Handshake::onAnswer(Frame frame) {
  switch (frame.kind) {
    case FrameKind::Welcome:
      frame_.hello = std::move(frame.hello);
      return end(pending().empty() ? State::Established : State::Garbage);
    case FrameKind::Refused:
      frame_.refused = frame.refused;
      return end(State::Refused);
    case FrameKind::Hello:
      return end(State::Garbage);
  }
}

// A caller of another version is told so; a door of another version tells by the version of its
// answer, which is why a caller takes that for a refusal.
void Handshake::onFailure(const Decoded& decoded) {
  if (decoded.stranger) return end(State::Garbage);
  frame_.refused = {.reason = decoded.failure};
  if (side_ == Side::Answering) return answer(encode(frame_.refused), State::Refused);
  end(decoded.failure == Refusal::Malformed ? State::Garbage : State::Refused);
}

void Handshake::end(State state) noexcept {
  state_ = state;
  then_ = State::Talking;
  out_.clear();
  sent_ = 0;
}

}  // namespace ucxx::door
