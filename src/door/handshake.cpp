// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/handshake.h"

#include <algorithm>
#include <utility>

namespace ucxx::door {
namespace {

/// Who is not proven may say so: it sends this call to its next address, and can do nothing else.
bool needsNoProof(Refusal reason) noexcept {
  switch (reason) {
    case Refusal::Version:
    case Refusal::Malformed:
    case Refusal::TooLarge:
    case Refusal::Busy:
    case Refusal::Authentication:
    case Refusal::OtherUser:
    case Refusal::NoDescriptors:
    case Refusal::OutOfDescriptors:
      return true;
    default:
      return false;
  }
}

}  // namespace

Handshake::Handshake(const Limits& limits, const Secret* secret, Side side, Expected expected)
    : limits_(&limits), secret_(secret), side_(side), expected_(expected) {
  frame_.refused.reason = Refusal{};
}

Handshake Handshake::calling(const Limits& limits, const Hello& hello, std::vector<int> enclosed,
                             const Secret* secret) {
  Handshake handshake(limits, secret, Side::Calling,
                      secret != nullptr ? Expected::Challenge : Expected::Answer);
  Hello introduction = hello;
  introduction.challenge = secret != nullptr ? base::randomId128() : base::Id128{};
  handshake.out_ = encode(FrameKind::Hello, introduction);
  if (secret != nullptr) handshake.transcript_.add(handshake.out_);
  handshake.enclosed_ = std::move(enclosed);
  return handshake;
}

bool Handshake::isAtStart() const noexcept {
  return in_.empty() && (expected_ == Expected::Hello || expected_ == Expected::Answer);
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

bool Handshake::receivePoorly() {
  if (side_ == Side::Calling) return false;
  wanted_ = 0;
  descriptors_.clear();
  sendAway(Refusal::NoDescriptors);
  return true;
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
  if (is_caller_proven_) {
    Transcript said = transcript_;
    said.add(bytes);
    const auto proof = encode(prove(*secret_, Prover::Answerer, said));
    bytes.insert(bytes.end(), proof.begin(), proof.end());
  }
  state_ = State::Talking;
  out_ = std::move(bytes);
  sent_ = 0;
  then_ = then;
}

void Handshake::onFrame(Frame frame) {
  switch (expected_) {
    case Expected::Hello:
      return onHello(std::move(frame));
    case Expected::CallersProof:
      return onCallersProof(frame);
    case Expected::Challenge:
      return onChallenge(frame);
    case Expected::Answer:
      return secret_ != nullptr ? onAnswerToProve(std::move(frame)) : onAnswer(std::move(frame));
    case Expected::AnswerersProof:
      return onAnswerersProof(frame);
  }
}

void Handshake::expect(Expected next) {
  in_.clear();
  wanted_ = 1;
  expected_ = next;
}

// Whatever throws here leaves it talking, and its owner unasked.
void Handshake::onHello(Frame frame) {
  if (frame.kind != FrameKind::Hello) return sendAway(Refusal::Malformed);
  frame_.hello = std::move(frame.hello);
  const bool has_secret = bool(frame_.hello.challenge);
  if (has_secret != (secret_ != nullptr)) return sendAway(Refusal::Authentication);
  if (has_secret) return challenge();
  state_ = State::Asked;
}

void Handshake::challenge() {
  transcript_.add(in_);
  answer(encodeChallenge(base::randomId128()), State::Talking);
  transcript_.add(out_);
  expect(Expected::CallersProof);
}

void Handshake::onCallersProof(const Frame& frame) {
  if (frame.kind != FrameKind::Proof) return sendAway(Refusal::Malformed);
  is_caller_proven_ = isProven(*secret_, Prover::Caller, transcript_, frame.proof);
  is_proof_wrong_ = !is_caller_proven_;
  if (is_proof_wrong_) return sendAway(Refusal::Authentication);
  state_ = State::Asked;
}

/// Its owner is not asked.
void Handshake::sendAway(Refusal reason) {
  frame_.refused = {.reason = reason};
  answer(encode(frame_.refused), State::Refused);
}

void Handshake::onChallenge(const Frame& frame) {
  if (frame.kind != FrameKind::Challenge) return onAnswerToProve(frame);
  if (!pending().empty()) return end(State::Garbage);
  transcript_.add(in_);
  enclosed_.clear();
  answer(encode(prove(*secret_, Prover::Caller, transcript_)), State::Talking);
  expect(Expected::Answer);
}

// A refusal may come before the caller's hello is out (a busy door), a welcome may not.
void Handshake::onAnswer(Frame frame) {
  const bool is_welcome = frame.kind == FrameKind::Welcome && pending().empty();
  if (!is_welcome && frame.kind != FrameKind::Refused) return end(State::Garbage);
  believe(std::move(frame));
}

void Handshake::onAnswerToProve(Frame frame) {
  const bool is_refusal = frame.kind == FrameKind::Refused;
  if (is_refusal && needsNoProof(frame.refused.reason)) return endUnproven(frame.refused.reason);
  // Whoever answers before its challenge has no secret.
  const bool is_due = expected_ == Expected::Answer && pending().empty();
  if (!is_due || (!is_refusal && frame.kind != FrameKind::Welcome))
    return endUnproven(Refusal::Authentication);
  transcript_.add(in_);
  unproven_ = std::move(frame);
  expect(Expected::AnswerersProof);
}

void Handshake::onAnswerersProof(const Frame& frame) {
  if (frame.kind != FrameKind::Proof ||
      !isProven(*secret_, Prover::Answerer, transcript_, frame.proof))
    return endUnproven(Refusal::Authentication);
  believe(std::move(unproven_));
}

void Handshake::believe(Frame answer) {
  const bool is_welcome = answer.kind == FrameKind::Welcome;
  if (is_welcome)
    frame_.hello = std::move(answer.hello);
  else
    frame_.refused = answer.refused;
  end(is_welcome ? State::Established : State::Refused);
}

/// By whatever the peer said, of which nothing but the reason counts.
void Handshake::endUnproven(Refusal reason) {
  frame_.refused = {.reason = reason};
  descriptors_.clear();
  end(State::Refused);
}

// A caller of another version is told so; a door of another version tells by the version of its
// answer, which is why a caller takes that for a refusal.
void Handshake::onFailure(const Decoded& decoded) {
  if (decoded.stranger) return end(State::Garbage);
  if (side_ == Side::Answering) return sendAway(decoded.failure);
  frame_.refused = {.reason = decoded.failure};
  end(decoded.failure == Refusal::Malformed ? State::Garbage : State::Refused);
}

void Handshake::end(State state) noexcept {
  state_ = state;
  then_ = State::Talking;
  out_.clear();
  sent_ = 0;
}

}  // namespace ucxx::door
