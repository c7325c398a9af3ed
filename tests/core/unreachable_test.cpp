// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Every way that a pointer of a device can take where UCX has no CUDA: by the local channel and to
// the own worker it arrives, and else it is an error. The processor does not touch the memory,
// which is here such that the process would die.

#include <cstring>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "core/met.h"
#include "core/ucx_with_cuda.h"
#include "cuda/device_memory.h"

namespace ucxx::core::test {
namespace {

using cuda::test::DeviceBuffer;
using cuda::test::DeviceMemory;

constexpr Tag kThisTag{3};

/// A send from the memory of a device: what it is, how it is posted, and how received.
struct Way {
  const char* name;
  std::shared_ptr<Request> (*send)(Endpoint& endpoint, void* buffer, std::size_t size);
  std::shared_ptr<Request> (*receive)(Endpoint& endpoint, void* buffer, std::size_t size) = nullptr;
};

AmSendParams inBlocks(ucs_memory_type_t type) {
  AmSendParams params;
  params.memoryType = type;
  params.datatype = UCP_DATATYPE_IOV;
  return params;
}

std::shared_ptr<Request> receiveTag(Endpoint& endpoint, void* buffer, std::size_t size) {
  return endpoint.tagRecv(buffer, size, kThisTag, TagMaskFull);
}
std::shared_ptr<Request> receiveAm(Endpoint& endpoint, void*, std::size_t) {
  return endpoint.amRecv();
}

constexpr Way kSends[] = {
    {"tag",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.tagSend(buffer, size, kThisTag);
     },
     receiveTag},
    {"synchronous tag",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.tagSendSync(buffer, size, kThisTag);
     },
     receiveTag},
    {"stream",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.streamSend(buffer, size, false);
     },
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.streamRecv(buffer, size, false);
     }},
    {"active message",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.amSend(buffer, size, UCS_MEMORY_TYPE_CUDA);
     },
     receiveAm},
    {"active message in blocks",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.amSend({{buffer, size}}, inBlocks(UCS_MEMORY_TYPE_CUDA));
     },
     receiveAm},
    {"frames",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.tagMultiSend({buffer}, {size}, {1}, kThisTag, false);
     },
     [](Endpoint& endpoint, void*, std::size_t) {
       return endpoint.tagMultiRecv(kThisTag, TagMaskFull, false);
     }}};

/// What `receive` has in memory of a device that an allocator made, or in `place`.
std::vector<std::byte> contentOf(const Request& receive, const std::vector<std::byte>& place) {
  std::shared_ptr<Buffer> buffer = const_cast<Request&>(receive).getRecvBuffer();
  if (const auto* frames = dynamic_cast<const RequestTagMulti*>(&receive))
    buffer = frames->_bufferRequests.front()->buffer;
  if (buffer == nullptr) return place;
  EXPECT_EQ(buffer->getType(), BufferType::CCCL);
  return DeviceMemory::contentOf(buffer->data(), buffer->getSize());
}

void registerAllocator(Worker& worker) {
  worker.registerAmAllocator(UCS_MEMORY_TYPE_CUDA,
                             [](std::size_t size) { return std::make_shared<DeviceBuffer>(size); });
}

/// Each send arrives, at whatever `back` is.
void expectArrival(const std::vector<std::shared_ptr<Worker>>& workers, Endpoint& there,
                   Endpoint& back, std::size_t size) {
  const auto content = bytes(size);
  const DeviceMemory source(content);
  for (const Way& way : kSends) {
    std::vector<std::byte> place(size);
    const auto receive = way.receive(back, place.data(), size);
    const auto send = way.send(there, source.data(), size);
    ASSERT_TRUE(compat::ended(workers, {send, receive})) << way.name << ", " << size;
    EXPECT_EQ(send->getStatus(), UCS_OK) << way.name << ", " << size;
    ASSERT_EQ(receive->getStatus(), UCS_OK) << way.name << ", " << size;
    EXPECT_EQ(contentOf(*receive, place), content) << way.name << ", " << size;
  }
}

/// Nothing carries these, whatever UCX knows: blocks of a tag message, and what the caller says is
/// the host's.
constexpr Way kNeverSent[] = {
    {"tag in blocks",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.tagSend({{buffer, size}}, kThisTag);
     }},
    {"active message of the host",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.amSend(buffer, size, UCS_MEMORY_TYPE_HOST);
     }},
    {"active message in blocks of the host",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.amSend({{buffer, size}}, inBlocks(UCS_MEMORY_TYPE_HOST));
     }},
    {"frames of the host", [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.tagMultiSend({buffer}, {size}, {0}, kThisTag, false);
     }}};

/// How the endpoint leads to its peer.
struct Road {
  const char* name;
  const char* local;
  bool by_name;
};
void PrintTo(const Road& road, std::ostream* out) { *out << road.name; }

std::string refusalOf(Endpoint& endpoint, const Way& way, void* memory, std::size_t size) {
  try {
    (void)way.send(endpoint, memory, size);
  } catch (const UnsupportedError& error) {
    return error.what();
  }
  return "it is not refused";
}

/// The error says which address, what it is, and what would be right.
void expectRefusal(Endpoint& endpoint, const Way& way, void* memory, std::size_t size,
                   const char* right) {
  const std::string said = refusalOf(endpoint, way, memory, size);
  for (const std::string& word :
       {fmt::format("{}", memory), std::string("a device"), std::string(right)})
    EXPECT_NE(said.find(word), std::string::npos) << way.name << ", " << size << ": " << said;
}

std::string refusalOfPlan(Endpoint& endpoint, void* memory, bool is_send) {
  try {
    if (is_send)
      (void)endpoint.prepareSend(memory, 4096, kThisTag, {4});
    else
      (void)endpoint.prepareRecv(memory, 4096, kThisTag, {4});
  } catch (const UnsupportedError& error) {
    return error.what();
  }
  return "it is not refused";
}

/// Whatever UCX knows: nothing is prepared.
void expectNoPlans(const std::shared_ptr<Endpoint>& endpoint, const Worker& worker) {
  const DeviceMemory memory(4096);
  for (const bool is_send : {true, false}) {
    const std::string said = refusalOfPlan(*endpoint, memory.data(), is_send);
    for (const std::string& word :
         {std::string(is_send ? "prepared send: " : "prepared receive: "),
          fmt::format("{}", memory.data()), std::string("a device"), std::string("host")})
      EXPECT_NE(said.find(word), std::string::npos) << said;
  }
  EXPECT_EQ(worker.stats().prepared_transfers, 0u);
}

class UnreachableTest : public testing::TestWithParam<Road> {
 protected:
  UnreachableTest() {
    gpu::useDevice();
    ucxWithCuda().knows_cuda = false;
    registerAllocator(*met_.right);
  }
  ~UnreachableTest() override { ucxWithCuda() = {}; }
  bool isLocal() const { return std::string(GetParam().local) != "off"; }

  Met met_{GetParam().local, GetParam().local, GetParam().by_name};
};

TEST_P(UnreachableTest, SendsArriveByTheLocalChannelAlone) {
  ASSERT_TRUE(met_.talks());
  for (const std::size_t size : {1ul, 8ul, 1000ul, 50'000ul, 8ul << 20}) {
    const DeviceMemory memory(size);
    if (isLocal()) expectArrival({met_.left, met_.right}, *met_.there, *met_.back, size);
    for (const Way& way : kSends) {
      if (!isLocal())
        expectRefusal(*met_.there, way, memory.data(), size, "it needs its CUDA modules");
    }
    for (const Way& way : kNeverSent) expectRefusal(*met_.there, way, memory.data(), size, "host");
  }
  EXPECT_TRUE(met_.talks());
}

TEST_P(UnreachableTest, OneSidedOperationsNeedHostMemory) {
  ASSERT_TRUE(met_.talks());
  const auto context = std::dynamic_pointer_cast<Context>(met_.right->getParent());
  const auto handle = createMemoryHandle(context, 4096);
  const auto key =
      createRemoteKeyFromSerialized(met_.there, handle->createRemoteKey()->serialize());
  const DeviceMemory made(4096);
  auto* const memory = static_cast<std::uint64_t*>(made.data());
  EXPECT_THROW((void)met_.there->memPut(memory, 8, key), UnsupportedError);
  EXPECT_THROW((void)met_.there->memGet(memory, 4096, key), UnsupportedError);
  EXPECT_THROW((void)met_.there->atomicFetch(AtomicOperation::Add, std::uint64_t{1}, memory, key),
               UnsupportedError);
  EXPECT_TRUE(met_.talks());
}

TEST_P(UnreachableTest, PreparedTransfersNeedHostMemory) {
  ASSERT_TRUE(met_.talks());
  for (const bool knows : {false, true}) {
    ucxWithCuda().knows_cuda = knows;
    expectNoPlans(met_.there, *met_.left);
    expectNoPlans(met_.back, *met_.right);
  }
  EXPECT_TRUE(met_.talks());
}

INSTANTIATE_TEST_SUITE_P(Roads, UnreachableTest,
                         testing::Values(Road{"ByAddress", "auto", false},
                                         Road{"ByName", "auto", true}, Road{"ByUcx", "off", false}),
                         [](const auto& info) { return info.param.name; });

/// Only when they meet it turns out that the peer has no local channel.
TEST(UnreachablePeerTest, SendsToOneThatHasNoLocalChannelEndWithTheReason) {
  ucxWithCuda().knows_cuda = false;
  Met met("auto", "off", true);
  const DeviceMemory memory(100'000);
  const auto send_all = [&] {
    for (const Way& way : kSends) {
      const auto request = way.send(*met.there, memory.data(), memory.size());
      ASSERT_TRUE(compat::ended({met.left, met.right}, {request})) << way.name;
      EXPECT_EQ(request->getStatus(), UCS_ERR_UNSUPPORTED) << way.name;
    }
  };
  send_all();  // the first ones before they have met
  ASSERT_TRUE(met.talks());
  send_all();
  EXPECT_TRUE(met.talks());
  ucxWithCuda() = {};
}

/// What comes by a UCX that does not reach it gets there by copies.
TEST(UnreachableReceiveTest, ABufferOfADeviceIsFilled) {
  gpu::useDevice();
  for (const char* const local : {"auto", "off"}) {
    Met met(local, local, false);
    ASSERT_TRUE(met.talks());
    registerAllocator(*met.right);
    TakenMemory sent(bytes(1 << 20));
    const Requests sends{
        met.there->amSend(sent.data(), sent.size(), UCS_MEMORY_TYPE_CUDA),
        met.there->tagMultiSend({sent.data()}, {sent.size()}, {1}, kThisTag, false)};
    ucxWithCuda().knows_cuda = false;
    const Requests receives{met.back->amRecv(),
                            met.back->tagMultiRecv(kThisTag, TagMaskFull, false)};
    EXPECT_TRUE(compat::ended({met.left, met.right}, receives)) << local;
    EXPECT_TRUE(compat::ended({met.left, met.right}, sends)) << local;
    ucxWithCuda() = {};
    for (const auto& receive : receives) {
      ASSERT_EQ(receive->getStatus(), UCS_OK) << local;
      EXPECT_EQ(contentOf(*receive, {}), sent.content()) << local;
    }
    EXPECT_TRUE(met.talks());
  }
}

/// Whoever calls a listener does not know that it is its own worker's: that shows when they meet.
class OwnWorkerTest : public testing::Test {
 protected:
  OwnWorkerTest() {
    gpu::useDevice();
    ucxWithCuda().knows_cuda = false;
    registerAllocator(*worker_);
    listener_ = worker_->createListener(
        0,
        [](ucp_conn_request_h request, void* self) {
          auto& test = *static_cast<OwnWorkerTest*>(self);
          test.back_ = test.listener_->createEndpointFromConnRequest(request);
        },
        this);
    there_ = worker_->createEndpointFromHostname("127.0.0.1", listener_->getPort());
  }

  ~OwnWorkerTest() override { ucxWithCuda() = {}; }

  std::shared_ptr<Worker> worker_ = workerWith("auto");
  std::shared_ptr<Listener> listener_;
  std::shared_ptr<Endpoint> there_, back_;
};

TEST_F(OwnWorkerTest, ThroughAListenerSendsFromADeviceArrive) {
  const DeviceMemory memory(bytes(100'000));
  Requests early;  // before they have met
  for (const Way& way : kSends) early.push_back(way.send(*there_, memory.data(), memory.size()));
  ASSERT_TRUE(compat::until({worker_}, [&] { return back_ != nullptr; }));
  for (const Way& way : kSends) {
    std::vector<std::byte> place(memory.size());
    const auto receive = way.receive(*back_, place.data(), place.size());
    ASSERT_TRUE(compat::ended({worker_}, {receive})) << way.name;
    ASSERT_EQ(receive->getStatus(), UCS_OK) << way.name;
    EXPECT_EQ(contentOf(*receive, place), memory.content()) << way.name;
  }
  ASSERT_TRUE(compat::ended({worker_}, early));
  for (const auto& request : early) EXPECT_EQ(request->getStatus(), UCS_OK);
  for (const std::size_t size : {8ul, 100'000ul}) {
    expectArrival({worker_}, *there_, *back_, size);
    expectArrival({worker_}, *back_, *there_, size);
  }
}

TEST_F(OwnWorkerTest, ByItsAddressSendsFromADeviceArrive) {
  const auto own = worker_->createEndpointFromWorkerAddress(worker_->getAddress());
  const DeviceMemory memory(100'000);
  for (const std::size_t size : {8ul, 100'000ul}) {
    expectArrival({worker_}, *own, *own, size);
    for (const Way& way : kNeverSent) expectRefusal(*own, way, memory.data(), size, "host");
  }
  expectNoPlans(own, *worker_);
}

TEST(UnreachableOnlyTest, WithoutUcxTheLocalChannelCarriesIt) {
  gpu::useDevice();
  Met met("only", "only", false);
  ASSERT_TRUE(met.talks());
  registerAllocator(*met.right);
  const DeviceMemory memory(100'000);
  expectArrival({met.left, met.right}, *met.there, *met.back, memory.size());
  for (const Way& way : kNeverSent)
    expectRefusal(*met.there, way, memory.data(), memory.size(), "host");
  EXPECT_TRUE(met.talks());
}

}  // namespace
}  // namespace ucxx::core::test
