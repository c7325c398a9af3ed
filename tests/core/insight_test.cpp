// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What a worker tells about itself, and how wrong arguments are answered.

#include "core/log_lines.h"
#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

#define UCXX_EXPECT_SAYS(call, word)                                        \
  EXPECT_NE(messageOf([&] { (void)(call); }).find(word), std::string::npos) \
      << messageOf([&] { (void)(call); })

TEST(StatsTest, CountsWhatMoved) {
  Ends ends(Route::Listener);
  const auto sent = bytes(1000);
  std::vector<std::byte> received(1000);
  ASSERT_TRUE(ends.ended({ends.left->tagSend(sent.data(), 1000, Tag{1}),
                          ends.right->tagRecv(received.data(), 1000, Tag{1})}));
  const auto left = ends.left_worker->stats();
  const auto right = ends.right_worker->stats();
  EXPECT_EQ(left.messages_sent, 1u);
  EXPECT_EQ(left.bytes_sent, 1000u);
  EXPECT_EQ(right.messages_received, 1u);
  EXPECT_EQ(right.bytes_received, 1000u);
  EXPECT_EQ(left.pending_requests, 0u);
  EXPECT_EQ(right.pending_requests, 0u);
  EXPECT_EQ(right.unexpected_messages, 0u);
  (void)ends.left->tagSend(sent.data(), 1000, Tag{2});
  ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{2}));
  EXPECT_EQ(ends.right_worker->stats().unexpected_messages, 1u);
  auto pending = ends.right->amRecv();
  EXPECT_EQ(ends.right_worker->stats().pending_requests, 1u);
}

TEST(StatsTest, InlineAndQueuedPosts) {
  Ends self(Route::Self);
  char byte = 1, received = 0;
  auto receive = self.left->tagRecv(&received, 1, Tag{1});
  auto send = self.left->tagSend(&byte, 1, Tag{1});
  EXPECT_TRUE(send->isCompleted());
  EXPECT_GE(self.left_worker->stats().inline_completions, 1u);
  Ends threaded(Route::Self, Mode::Blocking);
  ASSERT_TRUE(threaded.ended(
      {threaded.left->tagSend(&byte, 1, Tag{1}), threaded.left->tagRecv(&received, 1, Tag{1})}));
  EXPECT_GE(threaded.left_worker->stats().queued_posts, 2u);
  ASSERT_TRUE(threaded.until([&] {
    return threaded.left_worker->registerGenericPre([] {}) &&
           threaded.left_worker->stats().wake_ups >= 1;
  }));
  EXPECT_EQ(threaded.left_worker->stats().queue_depth, 0u);
}

TEST(ReportTest, CountsPerPeerAndTellsWhatIsPending) {
  Ends ends(Route::Listener);
  const auto sent = bytes(1000);
  std::vector<std::byte> received(1000);
  ASSERT_TRUE(ends.ended({ends.left->tagSend(sent.data(), 1000, Tag{1}),
                          ends.right->tagRecv(received.data(), 1000, Tag{1})}));
  auto pending = ends.right->tagRecv(received.data(), 9, Tag{2});
  const WorkerReport left = ends.left_worker->report();
  const WorkerReport right = ends.right_worker->report();
  ASSERT_EQ(left.peers.size(), 1u);
  ASSERT_EQ(right.peers.size(), 1u);
  EXPECT_EQ(left.peers[0].worker, right.worker);
  EXPECT_EQ(right.peers[0].worker, left.worker);
  EXPECT_EQ(left.peers[0].state, "up");
  EXPECT_EQ(left.peers[0].counters.messages_sent, 1u);
  EXPECT_EQ(left.peers[0].counters.bytes_sent, 1000u);
  EXPECT_EQ(left.peers[0].counters.messages_received, 0u);
  EXPECT_EQ(right.peers[0].counters.messages_received, 1u);
  EXPECT_EQ(right.peers[0].counters.bytes_received, 1000u);
  ASSERT_EQ(right.peers[0].endpoints.size(), 1u);
  ASSERT_EQ(right.peers[0].endpoints[0].pending.size(), 1u);
  const OperationReport& waiting = right.peers[0].endpoints[0].pending[0];
  EXPECT_EQ(waiting.kind, "tag receive");
  EXPECT_EQ(waiting.length, 9u);
  EXPECT_EQ(waiting.tag, 2u);
  EXPECT_EQ(waiting.state, "waiting");
  EXPECT_EQ(waiting.endpoint, right.peers[0].endpoints[0].endpoint);
  EXPECT_GE(waiting.since_s, 0);
  ASSERT_FALSE(right.recent.empty());
  EXPECT_EQ(right.recent.back().kind, "tag receive");
  EXPECT_EQ(right.recent.back().state, "Success");
  EXPECT_EQ(pending->describe(), "tag receive, 9 bytes, tag 0x2");
}

TEST(ReportTest, NamesTheConditionOfWhatIsArmed) {
  Ends ends(Route::Self);
  const char byte = 1;
  const auto condition = Condition::host();
  auto armed = ends.left->tagSendBuilder(&byte, 1, Tag{3}).condition(condition).build();
  const auto waiting = [&] { return ends.left_worker->report().peers[0].endpoints[0].pending; };
  ASSERT_TRUE(ends.until([&] { return waiting().size() == 1; }));
  EXPECT_EQ(waiting()[0].kind, "tag send");
  EXPECT_EQ(waiting()[0].state, "armed");
  EXPECT_EQ(waiting()[0].condition, "host condition, triggered 0 times, ended 0 times");
  armed->cancel();
  ASSERT_TRUE(ends.ended({armed}));
  auto receive = ends.left->tagRecv(nullptr, 0, Tag{4});
  EXPECT_EQ(waiting().at(0).condition, "");
}

TEST(ReportTest, KeepsTheErrorOfAnEndpointThatFailed) {
  Ends ends(Route::Listener);
  ends.right->closeBlocking();
  ASSERT_TRUE(ends.until([&] { return !ends.left->isAlive(); }));
  const WorkerReport left = ends.left_worker->report();
  ASSERT_EQ(left.ended.size(), 1u);
  EXPECT_EQ(left.ended[0].state, "failed");
  EXPECT_NE(left.ended[0].error, "");
}

TEST(PoolStatsTest, CountsBlocks) {
  const PoolStats before = poolStats();
  auto buffer = std::make_unique<HostBuffer>(1 << 20);
  const PoolStats taken = poolStats();
  EXPECT_EQ(taken.taken, before.taken + 1);
  EXPECT_EQ(taken.used_bytes, before.used_bytes + (1 << 20));
  buffer.reset();
  EXPECT_EQ(poolStats().used_bytes, before.used_bytes);
  EXPECT_GE(poolStats().idle_bytes, std::uint64_t{1} << 20);
  buffer = std::make_unique<HostBuffer>(1 << 20);
  EXPECT_EQ(poolStats().reused, taken.reused + 1);
}

TEST(DescribeTest, NamesPeersAndWhatIsPending) {
  Ends ends(Route::Listener);
  const bool is_local = ends.right->getTransports().front().transport == "local";
  std::vector<std::byte> buffer(4321);
  auto receive = ends.right->tagRecv(buffer.data(), buffer.size(), Tag{0xbeef});
  auto unbound = ends.right_worker->tagRecv(buffer.data(), 77, Tag{0xcafe});
  const std::string text = ends.right_worker->describe();
  for (const char* word :
       {"tag receive", "4321", "0xbeef", "0xcafe", is_local ? "local channel" : "UCX channel", "up",
        "2 requests pending", is_local ? "in process" : "127.0.0.1"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
}

TEST(DescribeTest, SaysNothingOfAChannelThatThePeerHasNotJoined) {
  const auto context = createContext();
  const auto left = context->createWorker(), right = context->createWorker();
  const auto endpoint = left->createEndpointFromWorkerAddress(right->getAddress());
  left->progress();
  const std::string text = left->describe();
  EXPECT_NE(text.find("connecting"), std::string::npos) << text;
  EXPECT_EQ(text.find("the kernel copies nothing"), std::string::npos) << text;
}

TEST(DescribeTest, CallbackOfAnEndpointWhosePeerHasGone) {
  Ends ends(Route::Listener);
  std::string text;
  ends.right->setCloseCallback(
      [&](ucs_status_t, const std::shared_ptr<void>&) { text = ends.right_worker->describe(); },
      nullptr);
  ends.left = nullptr;
  ends.left_worker = nullptr;
  ASSERT_TRUE(compat::until({ends.right_worker}, [&] { return !text.empty(); }));
  EXPECT_NE(text.find("channel"), std::string::npos) << text;
}

TEST(DumpTest, PendingOldestFirstThenWhatHasEnded) {
  Ends ends(Route::Listener);
  const auto sent = bytes(kAnnouncedBytes);
  std::vector<std::byte> room(kAnnouncedBytes + 4000);
  auto send = ends.left->tagSend(sent.data(), sent.size(), Tag{0x51});
  ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{0x51}));
  ASSERT_TRUE(
      ends.ended({send, ends.right->tagRecv(room.data(), room.size(), Tag{0}, TagMask{0})}));
  auto cancelled = ends.right->tagRecv(room.data(), 77, Tag{0x77});
  cancelled->cancel();
  ASSERT_TRUE(ends.ended({cancelled}));
  auto first = ends.right->tagRecv(room.data(), 4, Tag{0xf1});
  auto second = ends.right_worker->tagRecv(room.data(), 5, Tag{0xf2});
  auto third = ends.right->amRecv();
  const std::string left = ends.left_worker->dump(), right = ends.right_worker->dump();
  EXPECT_NE(left.find("tag send, 5242880 bytes, tag 0x51, endpoint 0x"), std::string::npos) << left;
  // What came, not what there was room for.
  std::size_t at = right.find("pending, the oldest first: 3");
  for (const char* line :
       {"tag receive, 4 bytes, tag 0xf1, waiting for ",
        "tag receive, 5 bytes, tag 0xf2, waiting for ", "no endpoint", "active-message receive",
        "tag receive, 5242880 bytes, tag 0x51, endpoint 0x", "took 0.0",
        "tag receive, 77 bytes, tag 0x77, endpoint 0x"}) {
    ASSERT_NE(at, std::string::npos) << "before " << line << " in\n" << right;
    at = right.find(line, at);
  }
  EXPECT_NE(right.find(ucs_status_string(UCS_ERR_CANCELED), at), std::string::npos) << right;
}

TEST(DumpTest, KeepsTheLast) {
  Ends ends(Route::Self);
  char out = 1, in = 0;
  for (int i = 0; i < 1000; ++i) {
    auto receive = ends.left->tagRecv(&in, 1, Tag{static_cast<ucp_tag_t>(i)});
    ASSERT_TRUE(ends.ended({ends.left->tagSend(&out, 1, Tag{static_cast<ucp_tag_t>(i)}), receive}));
  }
  const std::string text = ends.left_worker->dump();
  EXPECT_NE(text.find("the last 256 of 1000, beside 1000 "), std::string::npos) << text;
  EXPECT_EQ(text.find("tag 0x2e7,"), std::string::npos) << text;  // 743
  EXPECT_NE(text.find("tag 0x2e8,"), std::string::npos) << text;
  EXPECT_NE(text.find("tag 0x3e7,"), std::string::npos) << text;
}

TEST(DumpTest, TellsHowLongItTook) {
  Ends ends(Route::Listener, Mode::Blocking);
  const char sent = 1;
  char received = 0;
  auto receive = ends.right->tagRecv(&received, 1, Tag{1});
  const auto begin = Clock::now();
  while (Clock::now() - begin < 1100ms) std::this_thread::yield();
  ASSERT_TRUE(ends.ended({ends.left->tagSend(&sent, 1, Tag{1}), receive}));
  const std::string text = ends.right_worker->dump();
  const std::size_t line = text.find("tag receive, 1 bytes, tag 0x1");
  ASSERT_NE(line, std::string::npos) << text;
  EXPECT_GE(std::stod(text.substr(text.find("took ", line) + 5)), 1.0) << text;
}

TEST(StallTest, ReportsOnce) {
  Lines lines;
  for (const Mode mode : {Mode::Caller, Mode::Blocking}) {
    WorkerOptions options;
    options.stall_report = 30ms;
    Ends ends(Route::Listener, mode, options);
    const std::size_t before = lines.with("stalled"), dumps = lines.with("ended, the newest last");
    std::vector<std::byte> buffer(8);
    auto receive = ends.right->tagRecv(buffer.data(), 8, Tag{1});
    ASSERT_TRUE(ends.until([&] { return ends.right_worker->stats().stalled_requests == 1; }))
        << nameOf(mode);
    EXPECT_EQ(lines.with("stalled"), before + 1);
    ASSERT_TRUE(ends.until([&] { return lines.with("ended, the newest last") == dumps + 1; }));
    receive->cancel();
    ASSERT_TRUE(ends.ended({receive}));
  }
}

TEST(StallTest, NamesTheConditionOfWhatIsArmed) {
  Lines lines;
  WorkerOptions options;
  options.stall_report = 30ms;
  Ends ends(Route::Self, Mode::Caller, options);
  const char byte = 1;
  const auto condition = Condition::host();
  auto armed = ends.left->tagSendBuilder(&byte, 1, Tag{3}).condition(condition).build();
  ASSERT_TRUE(ends.until([&] { return ends.left_worker->stats().stalled_requests == 1; }));
  EXPECT_EQ(lines.with("stalled: tag send, 1 bytes, tag 0x3, armed for "), 1u);
  EXPECT_EQ(lines.with(" s: host condition, triggered 0 times, ended 0 times"), 3u)
      << "in the report, and twice in the dump";
  armed->cancel();
  ASSERT_TRUE(ends.ended({armed}));
}

TEST(StallTest, TimeBeforeARequestWasPostedIsNotItsAge) {
  WorkerOptions options;
  options.stall_report = 500ms;
  auto worker = createContext()->createWorker(options);
  worker->startProgressThread({ProgressMode::Blocking, {}});
  std::this_thread::sleep_for(
      400ms);  // the loop sleeps on purpose: nothing tells of time that passes
  const auto begin = Clock::now();
  auto receive = worker->tagRecv(nullptr, 0, Tag{1});
  ASSERT_TRUE(compat::until({worker}, [&] { return worker->stats().stalled_requests == 1; }));
  EXPECT_GE(Clock::now() - begin, 490ms);
  receive->cancel();
  ASSERT_TRUE(compat::ended({worker}, {receive}));
}

TEST(AttributesTest, FrameOfAMultiReceiveHasNone) {
  WorkerOptions options;
  options.request_attributes = true;
  Ends ends(Route::Listener, Mode::Caller, options);
  Received none;
  Receiving receiving(Move::Multi, *ends.right, 1 << 20, none);
  Sending sending(Move::Multi, *ends.left, bytes(1 << 20));
  ASSERT_TRUE(ends.ended({receiving.request, sending.request}));
  for (const auto& request : {receiving.request, sending.request}) {
    for (const auto& frame : static_cast<RequestTagMulti&>(*request)._bufferRequests) {
      if (frame->request == nullptr) continue;
      try {
        (void)frame->request->queryAttributes();
        ADD_FAILURE() << "it has attributes";
      } catch (const NoElemError&) {
      } catch (const UnsupportedError&) {
      }
    }
  }
}

TEST(LogTest, LevelsAndSink) {
  Lines lines;
  const LogLevel before = getLogLevel();
  setLogLevel(LogLevel::Off);
  {
    Ends ends(Route::Self);
    (void)ends.left->tagSend(nullptr, 0, Tag{1});
    (void)ends.left_worker->tagProbe(Tag{1}, TagMaskFull, true);
  }
  EXPECT_EQ(lines.with("dropped"), 0u);
  setLogLevel(LogLevel::Warn);
  {
    Ends ends(Route::Self);
    (void)ends.left->tagSend(nullptr, 0, Tag{1});
    (void)ends.left_worker->tagProbe(Tag{1}, TagMaskFull, true);
  }
  EXPECT_EQ(lines.with("dropped"), 1u);
  setLogLevel(before);
}

TEST(ArgumentTest, MessagesCarryTheValue) {
  Ends ends(Route::Self);
  auto& endpoint = *ends.left;
  auto& worker = *ends.left_worker;
  char byte = 0;
  UCXX_EXPECT_SAYS(endpoint.tagSend(nullptr, 17, Tag{1}), "17");
  UCXX_EXPECT_SAYS(endpoint.tagRecv(nullptr, 18, Tag{1}), "18");
  UCXX_EXPECT_SAYS(worker.tagRecv(nullptr, 19, Tag{1}), "19");
  UCXX_EXPECT_SAYS(endpoint.streamSend(&byte, 0, false), "0 bytes");
  UCXX_EXPECT_SAYS(endpoint.streamRecv(nullptr, 5, false), "5 bytes");
  UCXX_EXPECT_SAYS(endpoint.amSend(nullptr, 20, UCS_MEMORY_TYPE_HOST), "20");
  UCXX_EXPECT_SAYS(endpoint.tagMultiSend({&byte}, {1, 2}, {0}, Tag{1}), "2 sizes");
  UCXX_EXPECT_SAYS(endpoint.tagMultiSend({nullptr}, {21}, {0}, Tag{1}), "21");
  AmSendParams params;
  params.userHeader.resize(1 << 20);
  UCXX_EXPECT_SAYS(endpoint.amSend(&byte, 1, params), "1048576");
  UCXX_EXPECT_SAYS(worker.createListener(0, nullptr, nullptr), "null");
  const auto ignore = [](ucp_conn_request_h, void*) {};
  UCXX_EXPECT_SAYS(worker.createListener(0, ignore, nullptr, "no.such.host.invalid"),
                   "no.such.host.invalid");
  UCXX_EXPECT_SAYS(worker.createEndpointFromHostname("no.such.host.invalid", 1),
                   "no.such.host.invalid");
  UCXX_EXPECT_SAYS(worker.createEndpointFromWorkerAddress(createAddressFromString("nonsense")),
                   "8 bytes");
  UCXX_EXPECT_SAYS(createContext({{"NO_SUCH_KEY", "1"}}), "NO_SUCH_KEY");
  auto listener = worker.createListener(0, ignore, nullptr);
  UCXX_EXPECT_SAYS(worker.createListener(listener->getPort(), ignore, nullptr),
                   std::to_string(listener->getPort()));
  UCXX_EXPECT_SAYS(listener->reject(reinterpret_cast<ucp_conn_request_h>(0x1230)), "0x1230");
}

}  // namespace
}  // namespace ucxx::core::test
