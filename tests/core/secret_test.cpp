// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Workers with a secret: whom they meet, who cannot come between them, and that nothing tells it.

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <sys/mman.h>

#include "base/crc32c.h"
#include "core/meet/worker_address.h"
#include "core/met.h"
#include "door/wire.h"
#include "door/world.h"
#include "secret_file.h"

namespace ucxx::core::test {
namespace {

using ucxx::test::SecretFile;

const std::string kText = "Xq3+vTz/9pLm0aKd7RwY1c";

std::shared_ptr<Worker> workerKnowing(const char* local, const char* text) {
  if (text == nullptr) return workerWith(local);
  const SecretFile file(text);
  return workerWith(local, {{"UCXX_SECRET_FILE", file.path()}});
}

bool fails(const Workers& workers, const std::shared_ptr<Endpoint>& endpoint) {
  return compat::until(workers, [&] { return !endpoint->isAlive(); });
}

void expectUnauthenticated(const std::shared_ptr<Endpoint>& endpoint) {
  EXPECT_THROW(endpoint->raiseOnError(), RejectedError);
  const std::string what = messageOf([&] { endpoint->raiseOnError(); });
  EXPECT_NE(what.find("authentication failed"), what.npos) << what;
}

class SecretTest : public testing::TestWithParam<std::tuple<const char*, bool>> {
 protected:
  const char* local() const { return std::get<0>(GetParam()); }
  bool byName() const { return std::get<1>(GetParam()); }
};

TEST_P(SecretTest, ThoseWhoKnowItMeet) {
  Met met(workerKnowing(local(), kText.c_str()), workerKnowing(local(), kText.c_str()), byName());
  EXPECT_TRUE(met.talks()) << met.left->describe() << met.right->describe();
  EXPECT_EQ(met.isLocal(), local() != std::string("off"));
  EXPECT_TRUE(says(met.left, "secret: yes") && says(met.right, "secret: yes"));
}

TEST_P(SecretTest, WrongMissingAndUnexpectedOnesAreRefusedAlike) {
  const char* const known[][2] = {{kText.c_str(), "another of the same length"},
                                  {nullptr, kText.c_str()},
                                  {kText.c_str(), nullptr}};
  for (const auto& [left, right] : known) {
    Met met(workerKnowing(local(), left), workerKnowing(local(), right), byName());
    ASSERT_TRUE(fails({met.left, met.right}, met.there));
    expectUnauthenticated(met.there);
    EXPECT_FALSE(byName() && met.has_back);
    EXPECT_FALSE(says(met.right, ", up,"));
  }
}

TEST_P(SecretTest, StrangersDoNotDisturbFriends) {
  Met met(workerKnowing(local(), kText.c_str()), workerKnowing(local(), kText.c_str()), byName());
  ASSERT_TRUE(met.talks());
  constexpr int kStrangers = 20, kMessages = 500;
  Workers all{met.left, met.right};
  std::vector<std::shared_ptr<Endpoint>> refused;
  for (int i = 0; i < kStrangers; ++i) {
    auto stranger = workerKnowing(local(), i % 2 == 0 ? "a secret that is wrong" : nullptr);
    refused.push_back(stranger->createEndpointFromWorkerAddress(met.right->getAddress()));
    all.push_back(std::move(stranger));
  }
  for (int i = 0; i < kMessages; ++i) {
    const int out = i;
    int in = -1;
    ASSERT_TRUE(compat::ended(all, {met.there->tagSend(&out, sizeof out, Tag{1}),
                                    met.right->tagRecv(&in, sizeof in, Tag{1}, TagMaskFull)}));
    ASSERT_EQ(in, i);
  }
  for (const auto& endpoint : refused) {
    ASSERT_TRUE(fails(all, endpoint));
    expectUnauthenticated(endpoint);
  }
  EXPECT_TRUE(met.there->isAlive() && met.back->isAlive());
}

INSTANTIATE_TEST_SUITE_P(By, SecretTest,
                         testing::Combine(testing::Values("auto", "off", "only"), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "Name" : "Address");
                         });

TEST(SecretMeetingTest, WorkerWithoutSecretSaysSo) {
  EXPECT_TRUE(says(workerWith("auto"), "secret: no"));
}

TEST(SecretMeetingTest, WorkersOfOneContextAndSelfMeetAsEver) {
  const SecretFile file(kText);
  const auto context = createContext({{"UCXX_SECRET_FILE", file.path()}});
  Met met(context->createWorker(), context->createWorker(), false);
  EXPECT_TRUE(met.talks());
  auto self = met.left->createEndpointFromWorkerAddress(met.left->getAddress());
  const int out = 3;
  int in = 0;
  EXPECT_TRUE(compat::ended({met.left}, {self->tagSend(&out, sizeof out, Tag{1}),
                                         met.left->tagRecv(&in, sizeof in, Tag{1}, TagMaskFull)}));
  EXPECT_EQ(in, 3);
}

TEST(SecretMeetingTest, IsTakenFromADescriptor) {
  const base::FileDescriptor memory(::memfd_create("secret", MFD_CLOEXEC));
  ASSERT_EQ(::write(memory.get(), kText.data(), kText.size()), std::ssize(kText));
  Met met(workerWith("auto", {{"UCXX_SECRET_FD", std::to_string(memory.get())}}),
          workerKnowing("auto", kText.c_str()), false);
  EXPECT_TRUE(met.talks());
}

TEST(SecretMeetingTest, BadOptionsAreNamed) {
  const SecretFile open(kText, 0644), kept(kText);
  const std::pair<ConfigMap, const char*> cases[] = {
      {{{"UCXX_SECRET_FILE", open.path()}}, "0644"},
      {{{"UCXX_SECRET_FILE", ""}}, "No such file"},
      {{{"UCXX_SECRET_FILE", "/nowhere"}}, "/nowhere"},
      {{{"UCXX_SECRET_FD", "three"}}, "three"},
      {{{"UCXX_SECRET_FD", "-1"}}, "-1"},
      {{{"UCXX_SECRET_FD", "3 "}}, "3 "},
      {{{"UCXX_SECRET_FD", "999999"}}, "999999"},
      {{{"UCXX_SECRET_FD", "3"}, {"UCXX_SECRET_FILE", kept.path()}}, "one of them"}};
  for (const auto& [config, word] : cases) {
    EXPECT_THROW(createContext(config), InvalidParamError) << word;
    const std::string what = messageOf([config = config] { (void)createContext(config); });
    EXPECT_NE(what.find(word), what.npos) << what;
  }
}

/// A stranger between a caller and a door, who forwards all that is said.
class Relay {
 public:
  explicit Relay(const door::SocketAddress& to) : to_(to) {}

  door::SocketAddress address() const { return listening_.address(); }
  /// That bytes of the first frame say: another worker is wanted.
  void want(const base::Id128& worker) { wanted_ = worker; }
  void move() {
    if (left_.fd() < 0) {
      left_ = listening_.accept();
      if (left_.fd() >= 0) right_ = door::test::Raw::connectTo(to_);
    }
    if (left_.fd() < 0 || right_.fd() < 0) return;
    const bool goes_on = left_.receive();
    if (goes_on && wanted_ && !left_.received.empty()) change(left_.received);
    const bool comes_back = right_.receive();
    pass(left_, right_);
    pass(right_, left_);
    if (goes_on && comes_back) return;
    left_.close();
    right_.close();
  }

 private:
  void change(std::vector<std::byte>& hello) {
    std::vector<std::byte> worker;
    door::WireWriter(worker).put(*std::exchange(wanted_, std::nullopt));
    constexpr std::size_t kWantedAt = door::kFrameHeaderBytes + 32;
    ASSERT_GT(hello.size(), kWantedAt + worker.size());
    std::copy(worker.begin(), worker.end(), hello.begin() + kWantedAt);
    const auto put = [&](std::size_t where, std::uint32_t value) {
      for (int i = 0; i < 4; ++i)
        hello[where + i] = static_cast<std::byte>(value >> (8 * i) & 0xff);
    };
    put(16, base::crc32c(std::span(hello).subspan(door::kFrameHeaderBytes)));
    put(20, base::crc32c(std::span(hello).first(20)));
  }
  static void pass(door::test::Raw& from, const door::test::Raw& to) {
    if (from.received.empty()) return;
    EXPECT_TRUE(to.send(std::exchange(from.received, {})));
  }

  const door::SocketAddress to_;
  const door::test::Raw listening_ = door::test::Raw::listenOn(door::test::loopback4(), 8);
  door::test::Raw left_, right_;
  std::optional<base::Id128> wanted_;
};

class SecretRelayTest : public testing::Test {
 protected:
  static WorkerAddress partsOf(const std::shared_ptr<Worker>& worker) {
    return *readWorkerAddress(worker->getAddress()->getStringView());
  }
  static door::SocketAddress doorOf(const std::shared_ptr<Worker>& worker) {
    return door::test::loopback4(partsOf(worker).doors.front().port());
  }
  /// Calls `meant` where the relay listens.
  std::shared_ptr<Endpoint> call(const std::shared_ptr<Worker>& meant, const Relay& relay) {
    WorkerAddress parts = partsOf(meant);
    parts.doors = {relay.address()};
    return caller_->createEndpointFromWorkerAddress(
        createAddressFromString(writeWorkerAddress(parts)));
  }
  bool fails(const std::shared_ptr<Endpoint>& endpoint, Relay& relay) {
    return compat::until({caller_, meant_, other_}, [&] {
      relay.move();
      return !endpoint->isAlive();
    });
  }

  std::shared_ptr<Worker> caller_ = workerKnowing("off", kText.c_str());
  std::shared_ptr<Worker> meant_ = workerKnowing("off", kText.c_str());
  std::shared_ptr<Worker> other_ = workerKnowing("off", kText.c_str());
};

TEST_F(SecretRelayTest, LeadsToNoOtherWorkerThanTheWantedOne) {
  Relay relay(doorOf(other_));
  auto endpoint = call(meant_, relay);
  ASSERT_TRUE(fails(endpoint, relay));
  EXPECT_THROW(endpoint->raiseOnError(), RejectedError);
  const std::string what = messageOf([&] { endpoint->raiseOnError(); });
  EXPECT_NE(what.find("another worker answered"), what.npos) << what;
  EXPECT_TRUE(says(other_, ": 0 peers")) << other_->describe();
}

TEST_F(SecretRelayTest, CannotSayThatAnotherWorkerIsWanted) {
  Relay relay(doorOf(other_));
  relay.want(partsOf(other_).worker);
  auto endpoint = call(meant_, relay);
  ASSERT_TRUE(fails(endpoint, relay));
  expectUnauthenticated(endpoint);
  EXPECT_TRUE(says(other_, ": 0 peers")) << other_->describe();
}

/// What a proof does not stop, docs/how-to/security.md: it sees what passes, and may cut it.
TEST_F(SecretRelayTest, MayForwardAllToTheWantedOne) {
  Relay relay(doorOf(meant_));
  auto endpoint = call(meant_, relay);
  const int out = 42;
  int in = 0;
  const Requests requests{endpoint->tagSend(&out, sizeof out, Tag{1}),
                          meant_->tagRecv(&in, sizeof in, Tag{1}, TagMaskFull)};
  ASSERT_TRUE(compat::until({caller_, meant_}, [&] {
    relay.move();
    return requests[0]->isCompleted() && requests[1]->isCompleted();
  }));
  EXPECT_EQ(in, 42);
}

/// Whoever answers where a peer was expected, with these words.
class Impostor {
 public:
  Impostor(const door::SocketAddress& at, door::Refusal reason)
      : listening_(door::test::Raw::listenOn(at, 8)), words_(encode(door::Refused{reason})) {}

  door::SocketAddress address() const { return listening_.address(); }
  void move() {
    if (caller_.fd() < 0) caller_ = listening_.accept();
    if (caller_.fd() < 0 || words_.empty() || (caller_.receive(), caller_.received.empty())) return;
    EXPECT_TRUE(caller_.send(std::exchange(words_, {})));
  }

 private:
  const door::test::Raw listening_;
  std::vector<std::byte> words_;
  door::test::Raw caller_;
};

TEST_F(SecretRelayTest, ErrorTellsWhatEachAddressSaid) {
  Impostor first(door::test::loopback4(), door::Refusal::Version);
  Impostor second(door::test::loopback4(), door::Refusal::Authentication);
  WorkerAddress parts = partsOf(meant_);
  parts.doors = {first.address(), second.address()};
  auto endpoint =
      caller_->createEndpointFromWorkerAddress(createAddressFromString(writeWorkerAddress(parts)));
  ASSERT_TRUE(
      compat::until({caller_}, [&] { return first.move(), second.move(), !endpoint->isAlive(); }));
  expectUnauthenticated(endpoint);
  const std::string what = messageOf([&] { endpoint->raiseOnError(); });
  for (const auto& said : {first.address().toString() + ": another version of the protocol",
                           second.address().toString() + ": authentication failed"})
    EXPECT_NE(what.find(said), what.npos) << what;
}

TEST_F(SecretRelayTest, LeadsPastImpostorsToTheRightOne) {
  Impostor first(door::test::loopback4(), door::Refusal::Version);
  WorkerAddress parts = partsOf(meant_);
  parts.doors.insert(parts.doors.begin(), first.address());
  auto endpoint =
      caller_->createEndpointFromWorkerAddress(createAddressFromString(writeWorkerAddress(parts)));
  EXPECT_TRUE(compat::until({caller_, meant_}, [&] { return first.move(), says(meant_, ", up,"); }))
      << caller_->describe();
  EXPECT_TRUE(endpoint->isAlive());
}

/// Where a secret is not what was wrong, it is not blamed.
TEST(SecretMeetingTest, RefusalsAtTheLocalSocketSayWhatWasWrong) {
  for (const auto& [reason, word] : {std::pair(door::Refusal::OtherUser, "another user"),
                                     std::pair(door::Refusal::Authentication, "authentication")}) {
    auto caller = workerKnowing("only", kText.c_str());
    WorkerAddress parts =
        *readWorkerAddress(workerKnowing("only", kText.c_str())->getAddress()->getStringView());
    parts.local_name = base::randomId128();
    Impostor impostor(door::unixAddress(parts.local_name), reason);
    auto endpoint =
        caller->createEndpointFromWorkerAddress(createAddressFromString(writeWorkerAddress(parts)));
    ASSERT_TRUE(compat::until({caller}, [&] { return impostor.move(), !endpoint->isAlive(); }));
    const std::string what = messageOf([&] { endpoint->raiseOnError(); });
    EXPECT_NE(what.find(std::string("UCXX_LOCAL=only, ") + word), what.npos) << what;
  }
}

std::string hexOf(const std::string& bytes, bool upper) {
  std::string hex;
  for (const unsigned char byte : bytes)
    for (const int digit : {byte >> 4, byte & 15})
      hex += (upper ? "0123456789ABCDEF" : "0123456789abcdef")[digit];
  return hex;
}

std::string base64Of(const std::string& bytes) {
  std::string text(4 * (bytes.size() / 3 + 1) + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text.substr(0, text.find('='));
}

std::string digestOf(const std::string& bytes) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

TEST(SecretMeetingTest, NothingTellsIt) {
  std::string said;
  const LogLevel level = getLogLevel();
  setLogLevel(LogLevel::Trace);
  setLogSink([&](LogLevel, std::string_view, std::string_view text) { (said += text) += '\n'; });
  const std::string long_text = kText + std::string(2000, 's');
  for (const auto& [text, mode] :
       {std::pair(kText, 0644), {kText, 0600}, {long_text, 0600}, {kText.substr(0, 15), 0600}}) {
    const SecretFile file(text, mode);
    said += messageOf([&] { createContext({{"UCXX_SECRET_FILE", file.path()}}); });
  }
  for (const char* const other :
       {kText.c_str(), "another that is wrong", static_cast<const char*>(nullptr)}) {
    for (const char* const local : {"auto", "off"}) {
      const SecretFile file(kText);
      const auto context =
          createContext({{"UCXX_SECRET_FILE", file.path()}, {"UCXX_LOCAL", local}});
      Met met(context->createWorker(), workerKnowing(local, other), false);
      if (other != nullptr && other == kText) {
        EXPECT_TRUE(met.talks());
      } else {
        EXPECT_TRUE(fails({met.left, met.right}, met.there));
        said += messageOf([&] { met.there->raiseOnError(); });
      }
      said += met.left->describe() + met.right->describe() + context->getInfo();
      said += met.left->dump() + met.right->dump();
      for (const auto& [key, value] : context->getConfig()) said += key + '=' + value + '\n';
    }
  }
  setLogSink(nullptr);
  setLogLevel(level);
  EXPECT_NE(said.find("authentication failed"), said.npos);
  EXPECT_NE(said.find("secret: yes"), said.npos);
  EXPECT_NE(said.find("pending, the oldest first"), said.npos);
  const std::string digest = digestOf(kText), beginning = kText.substr(0, 15);
  for (const std::string& form :
       {kText, beginning, hexOf(kText, false), hexOf(kText, true), base64Of(kText),
        hexOf(beginning, false), base64Of(beginning), digest, hexOf(digest, false),
        hexOf(digest, true), base64Of(digest)})
    EXPECT_EQ(said.find(form), said.npos) << form;
}

}  // namespace
}  // namespace ucxx::core::test
