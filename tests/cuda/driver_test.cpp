// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// How the driver is found, what it asks for before it does anything, and what settings change.

#include <dlfcn.h>

#include "cuda/cuda_test.h"
#include "cuda/driver/stand_in.h"

namespace gpu {
namespace {

/// What is run in a process of its own is begun there anew.
struct FreshProcesses : testing::Environment {
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
[[maybe_unused]] const auto* const registered =
    testing::AddGlobalTestEnvironment(new FreshProcesses);

using GetAddress = Result(const char*, void**, int, std::uint64_t, int*);

void* addressOf(const char* name, int version, Result& result) {
  void* address = nullptr;
  int found = 0;
  result = reinterpret_cast<GetAddress*>(exported("cuGetProcAddress_v2"))(name, &address, version,
                                                                          1, &found);
  return address;
}

void* addressOf(const char* name, int version) {
  Result result = kSuccess;
  return addressOf(name, version, result);
}

TEST(DriverTest, IsWhatDlopenFinds) {
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  EXPECT_NE(::dlsym(library, "cuGetProcAddress_v2"), nullptr);
  EXPECT_NE(::dlsym(library, "cuGetProcAddress"), nullptr);
}

TEST(DriverTest, GivesTheFormOfAVersion) {
  EXPECT_EQ(addressOf("cuStreamWriteValue64", 11060), exported("cuStreamWriteValue64"));
  EXPECT_EQ(addressOf("cuStreamWriteValue64", 11070), exported("cuStreamWriteValue64_v2"));
  EXPECT_EQ(addressOf("cuStreamWriteValue64", 13000), exported("cuStreamWriteValue64_v2"));
  EXPECT_EQ(addressOf("cuMemAlloc", 3020), exported("cuMemAlloc_v2"));
  EXPECT_EQ(addressOf("cuGraphAddNode", 12020), exported("cuGraphAddNode"));
  EXPECT_EQ(addressOf("cuGraphAddNode", 12030), exported("cuGraphAddNode_v2"));
}

TEST(DriverTest, LacksWhatIsNewerThanAskedFor) {
  EXPECT_EQ(addressOf("cuStreamGetId", 11080), nullptr);
  EXPECT_EQ(addressOf("cuNothing", 13000), nullptr);
}

TEST(DriverTest, RefusesAVersionNewerThanItself) {
  Result result = kSuccess;
  EXPECT_EQ(addressOf("cuInit", 13010, result), nullptr);
  EXPECT_EQ(result, kInvalidValue);
}

TEST(DriverTest, MayBeOlder) {
  UCXX_EXPECT_WITH("version=11060", 0, "", {
    Result answer = kSuccess;
    const bool is_refused = addressOf("cuStreamWriteValue64", 11070, answer) == nullptr;
    return is_refused && answer == kInvalidValue && addressOf("cuMemAlloc", 3020) != nullptr;
  });
}

TEST(DriverTest, FirstFormsOfMemoryOperationsAreNotSupported) {
  useDevice();
  const Words words;
  using Write64 = Result(Stream, Address, std::uint64_t, unsigned);
  using Write32 = Result(Stream, Address, std::uint32_t, unsigned);
  using Batch = Result(Stream, unsigned, MemoryOperation*, unsigned);
  for (const char* const name : {"cuStreamWriteValue64", "cuStreamWaitValue64"})
    EXPECT_EQ(reinterpret_cast<Write64*>(exported(name))(nullptr, words.at(0), 0, 0),
              kNotSupported);
  for (const char* const name : {"cuStreamWriteValue32", "cuStreamWaitValue32"})
    EXPECT_EQ(reinterpret_cast<Write32*>(exported(name))(nullptr, words.at(0), 0, 0),
              kNotSupported);
  MemoryOperation operation = write(words, 0, 1);
  EXPECT_EQ(reinterpret_cast<Batch*>(exported("cuStreamBatchMemOp"))(nullptr, 1, &operation, 0),
            kNotSupported);
}

TEST(DriverTest, NothingBeforeCuInit) {
  UCXX_EXPECT_WITH("", 0, "", {
    int count = 0;
    Address address = 0;
    return driver().deviceCount(&count) == kNotInitialized &&
           driver().allocate(&address, 8) == kNotInitialized &&
           driver().pointerAttributes(0, nullptr, nullptr, 0) == kNotInitialized;
  });
}

TEST(DriverTest, NothingWithoutAContextOfTheThread) {
  useDevice();
  Result allocated = kSuccess, made = kSuccess, synchronized = kSuccess, asked = kNotReady;
  std::thread([&] {
    Address address = 0;
    Stream stream = nullptr;
    allocated = driver().allocate(&address, 8);
    made = driver().createStream(&stream, kNonBlocking);
    synchronized = driver().synchronize();
    asked = driver().pointerAttributes(0, nullptr, nullptr, 0);
  }).join();
  EXPECT_EQ(allocated, kInvalidContext);
  EXPECT_EQ(made, kInvalidContext);
  EXPECT_EQ(synchronized, kInvalidContext);
  EXPECT_EQ(asked, kSuccess);
}

TEST(DriverTest, ContextIsOfAThread) {
  useDevice();
  Context ours = nullptr, theirs = ours;
  EXPECT_EQ(driver().getContext(&ours), kSuccess);
  std::thread([&] { driver().getContext(&theirs); }).join();
  EXPECT_NE(ours, nullptr);
  EXPECT_EQ(theirs, nullptr);
  EXPECT_EQ(driver().setContext(nullptr), kSuccess);
  Stream stream = nullptr;
  EXPECT_EQ(driver().createStream(&stream, kNonBlocking), kInvalidContext);
}

TEST(DriverTest, AForkedChildHasNone) {
  useDevice();
  GTEST_FLAG_SET(death_test_style, "fast");
  EXPECT_EXIT(std::_Exit(driver().synchronize() == kNotInitialized ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

TEST(DriverTest, AttributesAreThoseOfAnH200) {
  EXPECT_EQ(attributeOf(92), 0);
  EXPECT_EQ(attributeOf(98), 0);
  EXPECT_EQ(attributeOf(118), 100);
  EXPECT_EQ(attributeOf(131), -1);
}

TEST(DriverTest, AttributesMayBeSet) {
  UCXX_EXPECT_WITH("attribute.98=1,attribute.118=200", 0, "",
                   { return attributeOf(98) == 1 && attributeOf(118) == 200; });
}

TEST(DriverTest, AttributesChangeWhatIsSupported) {
  UCXX_EXPECT_WITH("attribute.122=0,attribute.99=0,attribute.115=0,attribute.117=0", 0, "", {
    useDevice();
    Address device = 0;
    Address pooled = 0;
    alignas(4096) static char page[4096];
    must("cuMemAlloc", driver().allocate(&device, 8));
    const bool is_refused = driver().writeValue64(nullptr, device, 1, 0) == kNotSupported &&
                            driver().registerHost(page, sizeof page, 0) == kNotSupported &&
                            driver().allocateAsync(&pooled, 8, nullptr) == kNotSupported &&
                            driver().flushWrites(0, 100) == kNotSupported;
    return is_refused && driver().writeValue32(nullptr, device, 1, 0) == kSuccess &&
           driver().free(device) == kSuccess;
  });
}

TEST(DriverTest, ACallFailsWhereItIsAsked) {
  UCXX_EXPECT_WITH("fail=cuMemAlloc:2=2,fail=cuStreamCreate=999", 0, "", {
    useDevice();
    Address all[3]{};
    Stream stream = nullptr;
    return driver().allocate(&all[0], 8) == kSuccess && driver().allocate(&all[1], 8) == 2 &&
           driver().allocate(&all[2], 8) == kSuccess &&
           driver().createStream(&stream, kNonBlocking) == 999 &&
           driver().createStream(&stream, kNonBlocking) == 999;
  });
}

TEST(DriverTest, DelaysChangeNothingElse) {
  UCXX_EXPECT_WITH("delay=300us,seed=3", 0, "", {
    useDevice();
    const Words words;
    const Stream stream = makeStream();
    for (std::uint64_t k = 1; k <= 20; ++k)
      must("write", driver().writeValue64(stream, words.at(0), k, 0));
    return drains("writes", stream) && words[0] == 20;
  });
}

TEST(DriverTest, UnknownSettingsAreRefused) {
  UCXX_EXPECT_WITH("nonsense", 2, "nonsense", { return driver().init(0) == kSuccess; });
  UCXX_EXPECT_WITH("delay=5", 2, "delay=5", { return driver().init(0) == kSuccess; });
}

TEST(DriverTest, ThereMayBeNoDevice) {
  UCXX_EXPECT_WITH("no-gpu", 0, "", { return driver().init(0) == 100; });
  UCXX_EXPECT_WITH("devices=0", 0, "", {
    int count = 1;
    int device = 0;
    return driver().init(0) == kSuccess && driver().deviceCount(&count) == kSuccess && count == 0 &&
           driver().device(&device, 0) == 101;
  });
}

TEST(DriverTest, CallsAreCounted) {
  useDevice();
  const std::uint64_t before = stand_in::callsOf("cuStreamCreate");
  makeStream();
  EXPECT_EQ(stand_in::callsOf("cuStreamCreate"), before + 1);
}

}  // namespace
}  // namespace gpu
