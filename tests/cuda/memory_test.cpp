// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Memory: what the driver knows of it, what is freed wrongly or not at all, other processes.

#include <cstring>

#include <sys/mman.h>

#include "cuda/cuda_test.h"

namespace gpu {
namespace {

constexpr int kType = 2, kManagedType = 8;  // CU_POINTER_ATTRIBUTE_...

struct Answer {
  Result result = kSuccess;
  unsigned type = 9, managed = 9;

  explicit Answer(Address address) {
    int attributes[]{kType, kManagedType};
    void* places[]{&type, &managed};
    result = driver().pointerAttributes(2, attributes, places, address);
  }
  bool operator==(const Answer&) const = default;
  Answer(Result r, unsigned t, unsigned m) : result(r), type(t), managed(m) {}
};

void* pagesOf(std::size_t size, int kind = MAP_SHARED) {
  return ::mmap(nullptr, size, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
}
Address addressOf(const void* pointer) { return reinterpret_cast<Address>(pointer); }

class MemoryTest : public CudaTest {};

TEST_F(MemoryTest, ForeignPointersAreZerosAndNoError) {
  int ours = 0;
  EXPECT_EQ(Answer(addressOf(&ours)), Answer(kSuccess, 0, 0));
  unsigned type = 0;
  EXPECT_EQ(driver().pointerAttribute(&type, kType, addressOf(&ours)), kInvalidValue);
}

TEST_F(MemoryTest, KnowsEachKindToItsLastByte) {
  Address device = 0, managed = 0, pooled = 0;
  void* pinned = nullptr;
  ASSERT_EQ(driver().allocate(&device, 100), kSuccess);
  ASSERT_EQ(driver().allocateManaged(&managed, 100, 1), kSuccess);
  ASSERT_EQ(driver().allocateAsync(&pooled, 100, nullptr), kSuccess);
  ASSERT_EQ(driver().allocateHost(&pinned, 100, kPortable), kSuccess);
  for (const Address offset : {0, 99}) {
    EXPECT_EQ(Answer(device + offset), Answer(kSuccess, 2, 0));
    EXPECT_EQ(Answer(managed + offset), Answer(kSuccess, 2, 1));
    EXPECT_EQ(Answer(pooled + offset), Answer(kSuccess, 2, 0));
    EXPECT_EQ(Answer(addressOf(pinned) + offset), Answer(kSuccess, 1, 0));
  }
  EXPECT_EQ(Answer(device + 100), Answer(kSuccess, 0, 0));
  EXPECT_EQ(driver().free(device), kSuccess);
  EXPECT_EQ(Answer(device), Answer(kSuccess, 0, 0));
}

TEST_F(MemoryTest, CopiesStayInTheirBlock) {
  Address device = 0;
  char bytes[101] = "out and back";
  ASSERT_EQ(driver().allocate(&device, 100), kSuccess);
  EXPECT_EQ(driver().copyIn(device, bytes, 101), kInvalidValue);
  EXPECT_EQ(driver().copyIn(device + 1, bytes, 100), kInvalidValue);
  EXPECT_EQ(driver().copyOut(bytes, device, 101), kInvalidValue);
  EXPECT_EQ(driver().fill8(device + 100, 0, 1), kInvalidValue);
  EXPECT_EQ(driver().copyIn(addressOf(bytes), bytes, 1), kInvalidValue);
  char back[100] = "";
  EXPECT_EQ(driver().copyIn(device, bytes, 100), kSuccess);
  EXPECT_EQ(driver().copyOut(back, device, 100), kSuccess);
  EXPECT_STREQ(back, "out and back");
}

TEST_F(MemoryTest, CopiesOfAStreamComeInTheirTurn) {
  Address device = 0;
  void* pinned = nullptr;
  ASSERT_EQ(driver().allocate(&device, 8), kSuccess);
  ASSERT_EQ(driver().allocateHost(&pinned, 8, 0), kSuccess);
  std::memset(pinned, 1, 8);
  const Stream stream = waitingStream();
  std::uint64_t pageable = 7;
  ASSERT_EQ(driver().copyInAsync(device, &pageable, 8, stream), kSuccess);
  pageable = 8;  // it has been taken already
  ASSERT_EQ(driver().copyOutAsync(pinned, device, 8, stream), kSuccess);
  std::uint64_t seen = 0;
  std::memcpy(&seen, pinned, 8);
  EXPECT_EQ(seen, 0x0101010101010101u);
  open();
  ASSERT_TRUE(drains("copies", stream));
  std::memcpy(&seen, pinned, 8);
  EXPECT_EQ(seen, 7u);
}

TEST_F(MemoryTest, RegistersPagesOnce) {
  auto* const pages = static_cast<char*>(pagesOf(8192));
  EXPECT_EQ(driver().registerHost(pages, 8192, kPortable), kSuccess);
  EXPECT_EQ(driver().registerHost(pages, 8192, kPortable), 712);
  EXPECT_EQ(driver().registerHost(pages + 4096, 4096, kPortable), 712);
  EXPECT_EQ(driver().unregisterHost(pages), kSuccess);
  EXPECT_EQ(driver().unregisterHost(pages), 713);
}

TEST_F(MemoryTest, RegistersOnlyWhatIsThere) {
  auto* const pages = static_cast<char*>(pagesOf(8192));
  ::munmap(pages + 4096, 4096);
  EXPECT_EQ(driver().registerHost(pages, 8192, kPortable), kInvalidValue);
  ::mprotect(pages, 4096, PROT_READ);
  EXPECT_EQ(driver().registerHost(pages, 4096, kPortable), kInvalidValue);
  EXPECT_EQ(driver().registerHost(pages, 4096, kPortable | kReadOnly), kSuccess);
}

TEST_F(MemoryTest, HasNoDeviceAddressOfOtherMemory) {
  Address address = 0;
  int ours = 0;
  EXPECT_EQ(driver().deviceAddress(&address, &ours, 0), kInvalidValue);
}

TEST(MemorySettingTest, DeviceAddressesMayDiffer) {
  UCXX_EXPECT_WITH("attribute.91=0", 0, "", {
    useDevice();
    const Words words;
    const Stream stream = makeStream();
    const Address ours = reinterpret_cast<Address>(&words[0]);
    must("write", driver().writeValue64(stream, words.at(0), 7, 0));
    return words.at(0) != ours && drains("a write", stream) && words[0] == 7 &&
           driver().writeValue64(stream, ours, 8, 0) == kInvalidValue &&
           driver().destroyStream(stream) == kSuccess;
  });
}

TEST(MemorySettingTest, ThereIsNoMoreThanThereIs) {
  UCXX_EXPECT_WITH("memory=1M", 0, "", {
    useDevice();
    Address address = 0;
    return driver().allocate(&address, 2 << 20) == 2 &&
           driver().allocate(&address, 1 << 19) == kSuccess && driver().free(address) == kSuccess;
  });
}

TEST(LeakTest, WhatIsLeftIsToldAtTheEnd) {
  UCXX_EXPECT_WITH("", 0, "CUDA stand-in: 1 blocks left, 2 streams left", {
    useDevice();
    Address address = 0;
    makeStream();
    makeStream();
    return driver().allocate(&address, 8) == kSuccess;
  });
}

TEST(LeakTest, DoubleFreesAreTold) {
  UCXX_EXPECT_WITH("", 0, "CUDA stand-in: 2 wrong frees", {
    useDevice();
    Address address = 0;
    void* pinned = nullptr;
    return driver().allocate(&address, 8) == kSuccess && driver().free(address) == kSuccess &&
           driver().free(address) == kInvalidValue &&
           driver().allocateHost(&pinned, 8, 0) == kSuccess &&
           driver().freeHost(pinned) == kSuccess && driver().freeHost(pinned) == kInvalidValue;
  });
}

TEST(LeakTest, NothingIsToldWhereNothingIsLeft) {
  EXPECT_EXIT(runWith("",
                      [] {
                        useDevice();
                        Address address = 0;
                        return driver().allocate(&address, 8) == kSuccess &&
                               driver().free(address) == kSuccess;
                      }),
              testing::ExitedWithCode(0), testing::Not(testing::HasSubstr("stand-in")));
}

TEST(FreedMemoryTest, CannotBeTouched) {
  const auto touch = [] {
    useDevice();
    Address address = 0;
    must("cuMemAlloc", driver().allocate(&address, 8));
    must("cuMemFree", driver().free(address));
    *reinterpret_cast<volatile char*>(address) = 1;
  };
  EXPECT_DEATH(touch(), "");
}

class IpcTest : public CudaTest {
 protected:
  Result handleOf(Address address) {
    IpcHandle handle{};
    return driver().ipcHandle(&handle, address);
  }
};

TEST_F(IpcTest, OnlyPlainAllocationsHaveAHandle) {
  Address device = 0, managed = 0, pooled = 0;
  void* pinned = nullptr;
  ASSERT_EQ(driver().allocate(&device, 100), kSuccess);
  ASSERT_EQ(driver().allocateManaged(&managed, 100, 1), kSuccess);
  ASSERT_EQ(driver().allocateAsync(&pooled, 100, nullptr), kSuccess);
  ASSERT_EQ(driver().allocateHost(&pinned, 100, 0), kSuccess);
  EXPECT_EQ(handleOf(device), kSuccess);
  EXPECT_EQ(handleOf(managed), kInvalidValue);
  EXPECT_EQ(handleOf(pooled), kInvalidValue);
  EXPECT_EQ(handleOf(addressOf(pinned)), kInvalidValue);
  EXPECT_EQ(handleOf(addressOf(&device)), kInvalidValue);
}

TEST_F(IpcTest, IsNotOpenedInTheSameProcess) {
  Address device = 0, opened = 0;
  IpcHandle handle{};
  ASSERT_EQ(driver().allocate(&device, 100), kSuccess);
  ASSERT_EQ(driver().ipcHandle(&handle, device), kSuccess);
  EXPECT_EQ(driver().ipcOpen(&opened, handle, 1), kInvalidContext);
  EXPECT_EQ(driver().ipcOpen(&opened, IpcHandle{}, 1), kInvalidValue);
  EXPECT_EQ(driver().ipcClose(device), kInvalidValue);
}

}  // namespace
}  // namespace gpu
