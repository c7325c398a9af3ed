// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "door/door.h"
#include "door/hello.h"
#include "door/proof.h"

namespace ucxx::door {

/// The handshake at one connection, without I/O: bytes in, bytes out, a decision. Reads no byte
/// beyond its frames, so what follows belongs to the established connection. Descriptors come and
/// go with the first byte of a hello or of the answer to it.
///
/// With a secret, which both have or none, a hello is answered by a challenge: the caller proves
/// that it knows the secret, and only then is anybody asked about it. The answer, welcome or
/// refusal, is followed by the answerer's proof, without which the caller believes nothing of it;
/// short of Busy and such, which anybody on the way could bring about.
class Handshake {
 public:
  enum class State {
    Talking,      ///< bytes want to go in (`wanted`) or out (`pending`)
    Asked,        ///< answering: a hello waits for `welcome` or `refuse`
    Established,  ///< both are introduced; the peer's words are in `hello`
    Refused,      ///< one of the two was sent away; why is in `refused`
    Garbage       ///< this is no door's protocol: hang up without a word
  };

  /// The side that accepted. `limits` and `secret` (null: none) must outlive the handshake.
  static Handshake answering(const Limits& limits, const Secret* secret = nullptr) {
    return {limits, secret, Side::Answering, Expected::Hello};
  }
  /// The side that called; speaks first. The numbers in `enclosed` are borrowed.
  static Handshake calling(const Limits& limits, const Hello& hello, std::vector<int> enclosed = {},
                           const Secret* secret = nullptr);

  State state() const noexcept { return state_; }
  /// How many bytes `receive` takes now, at most: first a single one, because only then is it
  /// certain which byte descriptors came with.
  std::size_t wanted() const noexcept;
  bool isAtStart() const noexcept;
  void receive(std::span<const std::byte> bytes, Descriptors with = {});
  /// Descriptors came with another byte, or too many.
  void receiveStray();
  /// This process has no room for the descriptors that came. False: a caller's owner is to be told.
  bool receivePoorly();
  /// What is still to be sent; `sent` tells how much of it was.
  std::span<const std::byte> pending() const noexcept;
  /// The descriptors that go with the next byte of it.
  std::span<const int> enclosed() const noexcept;
  void sent(std::size_t bytes) noexcept;

  /// The answer, when `Asked`; a welcome of which nothing is sent yet may still become a refusal.
  void welcome(const Hello& answer, std::vector<int> enclosed = {});
  void refuse(const Refused& answer);

  /// What came with the peer's hello or answer.
  Descriptors takeDescriptors() noexcept { return std::move(descriptors_); }
  const Hello& hello() const noexcept { return frame_.hello; }
  /// Its reason is zero until one of the two is refused.
  const Refused& refused() const noexcept { return frame_.refused; }
  /// Answering: the caller was sent away for what it took for the secret. A guess, perhaps.
  bool isProofWrong() const noexcept { return is_proof_wrong_; }

 private:
  enum class Side { Answering, Calling };
  enum class Expected { Hello, CallersProof, Challenge, Answer, AnswerersProof };
  Handshake(const Limits& limits, const Secret* secret, Side side, Expected expected);

  void onFrame(Frame frame);
  void onHello(Frame frame);
  void onCallersProof(const Frame& frame);
  void onChallenge(const Frame& frame);
  void onAnswer(Frame frame);
  void onAnswerToProve(Frame frame);
  void onAnswerersProof(const Frame& frame);
  void onFailure(const Decoded& decoded);
  void challenge();
  void sendAway(Refusal reason);
  void expect(Expected next);
  void believe(Frame answer);
  void endUnproven(Refusal reason);
  void end(State state) noexcept;
  bool isWelcomeUnsent() const noexcept { return then_ == State::Established && sent_ == 0; }
  void answer(std::vector<std::byte> bytes, State then);

  const Limits* limits_;
  const Secret* secret_;
  Side side_;
  Expected expected_;
  bool is_caller_proven_ = false;  ///< answering
  bool is_proof_wrong_ = false;
  Transcript transcript_;
  State state_ = State::Talking;
  State then_ = State::Talking;  ///< the state when all is sent
  std::vector<std::byte> in_;
  std::vector<std::byte> out_;
  std::vector<int> enclosed_;
  Descriptors descriptors_;
  std::size_t sent_ = 0;
  std::size_t wanted_ = 1;
  Frame frame_;
  Frame unproven_;  ///< the answer whose proof is still to come
};

}  // namespace ucxx::door
