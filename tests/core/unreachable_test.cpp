// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Every way that a pointer of a device can take where nothing can carry it: a UCX without CUDA, the
// own worker. It is an error, and the processor does not touch the memory, which is here such that
// the process would die.

#include <cstring>

#include <dlfcn.h>
#include <fmt/format.h>

#include <ucxx/exception.h>

#include "core/met.h"
#include "cuda/driver/stand_in.h"

namespace {
bool ucx_knows_cuda = true;
}

/// Instead of UCX's: what it says of CUDA is the test's affair.
extern "C" [[gnu::visibility("default")]] ucs_status_t ucp_context_query(
    ucp_context_h context, ucp_context_attr_t* attributes) {
  const auto query =
      reinterpret_cast<decltype(&ucp_context_query)>(::dlsym(RTLD_NEXT, "ucp_context_query"));
  const ucs_status_t status = query(context, attributes);
  if (ucx_knows_cuda && (attributes->field_mask & UCP_ATTR_FIELD_MEMORY_TYPES) != 0)
    attributes->memory_types |= UCS_BIT(UCS_MEMORY_TYPE_CUDA);
  return status;
}

namespace ucxx::core::test {
namespace {

using stand_in::makeDeviceMemory;
using stand_in::takeForDeviceMemory;

constexpr Tag kThisTag{3};

/// A send from the memory of a device: what it is, and how it is posted.
struct Way {
  const char* name;
  std::shared_ptr<Request> (*send)(Endpoint& endpoint, void* buffer, std::size_t size);
};

AmSendParams inBlocks(ucs_memory_type_t type) {
  AmSendParams params;
  params.memoryType = type;
  params.datatype = UCP_DATATYPE_IOV;
  return params;
}

constexpr Way kSends[] = {
    {"tag", [](Endpoint& endpoint, void* buffer,
               std::size_t size) { return endpoint.tagSend(buffer, size, kThisTag); }},
    {"synchronous tag",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.tagSendSync(buffer, size, kThisTag);
     }},
    {"stream", [](Endpoint& endpoint, void* buffer,
                  std::size_t size) { return endpoint.streamSend(buffer, size, false); }},
    {"active message",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.amSend(buffer, size, UCS_MEMORY_TYPE_CUDA);
     }},
    {"active message in blocks",
     [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.amSend({{buffer, size}}, inBlocks(UCS_MEMORY_TYPE_CUDA));
     }},
    {"frames", [](Endpoint& endpoint, void* buffer, std::size_t size) {
       return endpoint.tagMultiSend({buffer}, {size}, {1}, kThisTag, false);
     }}};

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
  void* const memory = makeDeviceMemory(4096);
  for (const bool is_send : {true, false}) {
    const std::string said = refusalOfPlan(*endpoint, memory, is_send);
    for (const std::string& word :
         {std::string(is_send ? "prepared send: " : "prepared receive: "),
          fmt::format("{}", memory), std::string("a device"), std::string("host")})
      EXPECT_NE(said.find(word), std::string::npos) << said;
  }
  EXPECT_EQ(worker.stats().prepared_transfers, 0u);
}

class UnreachableTest : public testing::TestWithParam<Road> {
 protected:
  UnreachableTest() { ucx_knows_cuda = false; }
  ~UnreachableTest() override { ucx_knows_cuda = true; }

  Met met_{GetParam().local, GetParam().local, GetParam().by_name};
};

TEST_P(UnreachableTest, SendsAreRefusedByAUcxWithoutCuda) {
  ASSERT_TRUE(met_.talks());
  for (const std::size_t size : {1ul, 8ul, 1000ul, 50'000ul, 8ul << 20}) {
    void* const memory = makeDeviceMemory(size);
    for (const Way& way : kSends)
      expectRefusal(*met_.there, way, memory, size, "it needs its CUDA modules");
    for (const Way& way : kNeverSent) expectRefusal(*met_.there, way, memory, size, "host");
  }
  EXPECT_TRUE(met_.talks());
}

TEST_P(UnreachableTest, OneSidedOperationsNeedHostMemory) {
  ASSERT_TRUE(met_.talks());
  const auto context = std::dynamic_pointer_cast<Context>(met_.right->getParent());
  const auto handle = createMemoryHandle(context, 4096);
  const auto key =
      createRemoteKeyFromSerialized(met_.there, handle->createRemoteKey()->serialize());
  auto* const memory = static_cast<std::uint64_t*>(makeDeviceMemory(4096));
  EXPECT_THROW((void)met_.there->memPut(memory, 8, key), UnsupportedError);
  EXPECT_THROW((void)met_.there->memGet(memory, 4096, key), UnsupportedError);
  EXPECT_THROW((void)met_.there->atomicFetch(AtomicOperation::Add, std::uint64_t{1}, memory, key),
               UnsupportedError);
  EXPECT_TRUE(met_.talks());
}

TEST_P(UnreachableTest, PreparedTransfersNeedHostMemory) {
  ASSERT_TRUE(met_.talks());
  for (const bool knows : {false, true}) {
    ucx_knows_cuda = knows;
    expectNoPlans(met_.there, *met_.left);
    expectNoPlans(met_.back, *met_.right);
  }
  EXPECT_TRUE(met_.talks());
}

INSTANTIATE_TEST_SUITE_P(Roads, UnreachableTest,
                         testing::Values(Road{"ByAddress", "auto", false},
                                         Road{"ByName", "auto", true}, Road{"ByUcx", "off", false}),
                         [](const auto& info) { return info.param.name; });

/// What an allocator of the program makes.
class DeviceBuffer : public Buffer {
 public:
  explicit DeviceBuffer(std::size_t size)
      : Buffer(BufferType::CCCL, size), memory_(makeDeviceMemory(size)) {}
  void* data() override { return memory_; }

 private:
  void* memory_;
};

TEST(UnreachableReceiveTest, ABufferOfADeviceThatUcxDoesNotReachIsNotFilled) {
  Met met("auto", "auto", false);
  ASSERT_TRUE(met.talks());
  met.right->registerAmAllocator(
      UCS_MEMORY_TYPE_CUDA, [](std::size_t size) { return std::make_shared<DeviceBuffer>(size); });
  const auto sent = bytes(1 << 20);
  takeForDeviceMemory(sent.data(), sent.size());
  const Requests sends{met.there->amSend(sent.data(), sent.size(), UCS_MEMORY_TYPE_CUDA),
                       met.there->tagMultiSend({sent.data()}, {sent.size()}, {1}, kThisTag, false)};
  ucx_knows_cuda = false;
  const Requests receives{met.back->amRecv(), met.back->tagMultiRecv(kThisTag, TagMaskFull, false)};
  EXPECT_TRUE(compat::ended({met.left, met.right}, receives));
  EXPECT_TRUE(compat::ended({met.left, met.right}, sends));
  ucx_knows_cuda = true;
  for (const auto& receive : receives) EXPECT_EQ(receive->getStatus(), UCS_ERR_UNSUPPORTED);
  EXPECT_TRUE(met.talks());
}

/// Whoever calls a listener does not know that it is its own worker's: that shows when they meet.
class OwnWorkerTest : public testing::Test {
 protected:
  OwnWorkerTest() {
    listener_ = worker_->createListener(
        0,
        [](ucp_conn_request_h request, void* self) {
          auto& test = *static_cast<OwnWorkerTest*>(self);
          test.back_ = test.listener_->createEndpointFromConnRequest(request);
        },
        this);
    there_ = worker_->createEndpointFromHostname("127.0.0.1", listener_->getPort());
  }

  std::shared_ptr<Worker> worker_ = workerWith("auto");
  std::shared_ptr<Listener> listener_;
  std::shared_ptr<Endpoint> there_, back_;
};

TEST_F(OwnWorkerTest, ThroughAListenerSendsFromADeviceEndWithTheReason) {
  void* const memory = makeDeviceMemory(100'000);
  for (const Way& way : kSends) {  // the first ones before they have met
    for (const std::size_t size : {8ul, 100'000ul}) {
      const auto request = way.send(*there_, memory, size);
      ASSERT_TRUE(compat::ended({worker_}, {request})) << way.name;
      EXPECT_EQ(request->getStatus(), UCS_ERR_UNSUPPORTED) << way.name;
      const std::string said = messageOf([&] { request->checkError(); });
      EXPECT_NE(said.find("own worker"), std::string::npos) << way.name << ": " << said;
    }
  }
  ASSERT_TRUE(compat::until({worker_}, [&] { return back_ != nullptr; }));
  for (const Way& way : kSends) {
    const auto request = way.send(*back_, memory, 8);
    ASSERT_TRUE(compat::ended({worker_}, {request})) << way.name;
    EXPECT_EQ(request->getStatus(), UCS_ERR_UNSUPPORTED) << way.name;
  }
  const auto sent = bytes(8);
  std::vector<std::byte> came(8);
  const Requests requests{there_->streamSend(sent.data(), 8, false),
                          back_->streamRecv(came.data(), 8, false)};
  EXPECT_TRUE(compat::ended({worker_}, requests));
  EXPECT_EQ(came, sent);  // nothing is left of those before
}

TEST_F(OwnWorkerTest, ByItsAddressSendsFromADeviceAreRefused) {
  const auto own = worker_->createEndpointFromWorkerAddress(worker_->getAddress());
  void* const memory = makeDeviceMemory(100'000);
  for (const std::size_t size : {8ul, 100'000ul}) {
    for (const Way& way : kSends)
      expectRefusal(*own, way, memory, size, "to the own worker go from host memory");
    for (const Way& way : kNeverSent) expectRefusal(*own, way, memory, size, "host");
  }
  expectNoPlans(own, *worker_);
}

TEST(UnreachableOnlyTest, WithoutUcxNothingCarriesIt) {
  Met met("only", "only", false);
  ASSERT_TRUE(met.talks());
  void* const memory = makeDeviceMemory(100'000);
  for (const Way& way : kSends) expectRefusal(*met.there, way, memory, 100'000, "UCXX_LOCAL=auto");
  for (const Way& way : kNeverSent) expectRefusal(*met.there, way, memory, 100'000, "host");
  EXPECT_TRUE(met.talks());
}

}  // namespace
}  // namespace ucxx::core::test
