// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Memory that only a device reaches: of a test (makeDeviceMemory), or all of the driver's
// ("unreachable").

#include <array>
#include <cstring>

#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/cuda_test.h"
#include "cuda/driver/stand_in.h"

namespace gpu {
namespace {

using stand_in::freeDeviceMemory;
using stand_in::makeDeviceMemory;
using Bytes = std::array<char, 100>;

Address addressOf(const void* pointer) { return reinterpret_cast<Address>(pointer); }

unsigned typeOf(Address address) {
  unsigned type = 9;
  int attribute = kMemoryType;
  void* place = &type;
  EXPECT_EQ(driver().pointerAttributes(1, &attribute, &place, address), kSuccess);
  return type;
}

Bytes filled(char byte) {
  Bytes bytes;
  bytes.fill(byte);
  return bytes;
}

Bytes contentOf(const void* memory) {
  Bytes bytes{};
  EXPECT_EQ(driver().copyOut(bytes.data(), addressOf(memory), bytes.size()), kSuccess);
  return bytes;
}

bool isInReachOfTheKernel(Address address) {
  char byte = 0;
  const iovec here{&byte, 1}, there{reinterpret_cast<void*>(address), 1};
  return ::process_vm_readv(::getpid(), &here, 1, &there, 1, 0) == 1;
}

class MadeMemoryTest : public CudaTest {
 protected:
  ~MadeMemoryTest() override {
    for (void* const each : made_) freeDeviceMemory(each);
  }
  void* make() { return made_.emplace_back(makeDeviceMemory(sizeof(Bytes))); }

 private:
  std::vector<void*> made_;
};

TEST_F(MadeMemoryTest, DiesUnderTheProcessor) {
  void* const memory = make();
  EXPECT_DEATH(*static_cast<volatile char*>(memory) = 1, "");
  EXPECT_DEATH((void)*static_cast<volatile char*>(memory), "");
}

TEST_F(MadeMemoryTest, IsOutOfTheKernelsReach) {
  EXPECT_FALSE(isInReachOfTheKernel(addressOf(make())));
}

TEST_F(MadeMemoryTest, ThereMayBeMany) {
  void* const one = make();
  void* const other = make();
  EXPECT_NE(one, other);
  for (void* const each : {one, other}) EXPECT_EQ(typeOf(addressOf(each)), kDeviceMemory);
  static char ours[8];
  stand_in::takeForDeviceMemory(ours, sizeof ours);
  stand_in::takeForManagedMemory(ours, sizeof ours);
  for (void* const each : {one, other}) EXPECT_EQ(typeOf(addressOf(each)), kDeviceMemory);
}

TEST_F(MadeMemoryTest, IsCopiedAndFilled) {
  void* const memory = make();
  void* const other = make();
  const Bytes sent = filled(3);
  ASSERT_EQ(driver().copyIn(addressOf(memory), sent.data(), sent.size()), kSuccess);
  EXPECT_EQ(contentOf(memory), sent);
  ASSERT_EQ(driver().fill8(addressOf(other), 4, sizeof(Bytes)), kSuccess);
  EXPECT_EQ(contentOf(other), filled(4));
  EXPECT_EQ(contentOf(memory), sent);
}

TEST_F(MadeMemoryTest, CopiesStayInIt) {
  const Bytes sent{};
  void* const memory = make();
  EXPECT_EQ(driver().copyIn(addressOf(memory) + 1, sent.data(), sent.size()), kInvalidValue);
  EXPECT_EQ(driver().fill8(addressOf(memory), 0, sizeof(Bytes) + 1), kInvalidValue);
}

TEST_F(MadeMemoryTest, KernelsReachIt) {
  warmKernels();
  void* const memory = make();
  const Stream stream = makeStream();
  launch("write_word", stream, {addressOf(memory), 7});
  ASSERT_TRUE(drains("a kernel", stream, kLong));
  std::uint64_t word = 0;
  ASSERT_EQ(driver().copyOut(&word, addressOf(memory), 8), kSuccess);
  EXPECT_EQ(word, 7u);
}

TEST_F(MadeMemoryTest, StreamsWriteItAndWaitForIt) {
  void* const memory = make();
  const Stream stream = makeStream();
  ASSERT_EQ(driver().writeValue64(stream, addressOf(memory), 7, 0), kSuccess);
  ASSERT_EQ(driver().waitValue64(stream, addressOf(memory), 7, kEqual), kSuccess);
  EXPECT_TRUE(drains("a write", stream, kLong));
}

TEST_F(MadeMemoryTest, IsNobodysWhenItIsFreed) {
  void* const memory = makeDeviceMemory(8);
  freeDeviceMemory(memory);
  EXPECT_EQ(typeOf(addressOf(memory)), 0u);
  EXPECT_EQ(driver().fill8(addressOf(memory), 0, 8), kInvalidValue);
  EXPECT_DEATH(*static_cast<volatile char*>(memory) = 1, "");
}

/// What another process sees in memory whose handle comes through a pipe.
bool seesThroughHandle(int pipe, char byte) {
  IpcHandle handle{};
  Address address = 0;
  if (::read(pipe, &handle, sizeof handle) != sizeof handle) return false;
  useDevice();
  must("cuIpcOpenMemHandle", driver().ipcOpen(&address, handle, 1));
  return contentOf(reinterpret_cast<void*>(address)) == filled(byte) &&
         !isInReachOfTheKernel(address) && driver().ipcClose(address) == kSuccess;
}

/// Another process, begun before this one has called CUDA, sees what this one has written.
bool isSharedByHandle() {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return false;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(seesThroughHandle(pipe[0], 6) ? 0 : 1);
  useDevice();
  IpcHandle handle{};
  void* const memory = makeDeviceMemory(sizeof(Bytes));
  must("cuMemsetD8", driver().fill8(addressOf(memory), 6, sizeof(Bytes)));
  must("cuIpcGetMemHandle", driver().ipcHandle(&handle, addressOf(memory)));
  int status = 1;
  return ::write(pipe[1], &handle, sizeof handle) == sizeof handle &&
         ::waitpid(child, &status, 0) == child && status == 0;
}

TEST(MadeMemorySettingTest, AnotherProcessReachesItAsThisOneDoes) {
  UCXX_EXPECT_WITH("", 0, "", { return isSharedByHandle(); });
}

/// What the driver tells of an address, by each attribute alone and by all at once.
struct Told {
  Context context = nullptr;
  int ordinal = -1, has_handle = -1;

  explicit Told(Address address) {
    int attributes[]{kContextOf, kOrdinalOf, kHasIpcHandle};
    void* places[]{&context, &ordinal, &has_handle};
    must("cuPointerGetAttributes", driver().pointerAttributes(3, attributes, places, address));
    int alone = -1;
    must("cuPointerGetAttribute", driver().pointerAttribute(&alone, kHasIpcHandle, address));
    must("both answers", alone == has_handle ? kSuccess : kInvalidValue);
  }
  Told(Context of, int device, bool has) : context(of), ordinal(device), has_handle(has) {}
  bool operator==(const Told&) const = default;
};

Context currentContext() {
  Context context = nullptr;
  must("cuCtxGetCurrent", driver().getContext(&context));
  return context;
}

bool isExported(Address address) {
  IpcHandle handle{};
  return driver().ipcHandle(&handle, address) == kSuccess;
}

/// Of memory that is made so, and freed.
Told toldOf(const stand_in::MadeMemory& how) {
  void* const memory = makeDeviceMemory(8, how);
  const Told told(addressOf(memory));
  EXPECT_EQ(isExported(addressOf(memory)), told.has_handle == 1);
  freeDeviceMemory(memory);
  return told;
}

class ToldTest : public CudaTest {};

TEST_F(ToldTest, AllocationsAreOfTheirContextAndPoolsOfNone) {
  Address device = 0, managed = 0, pooled = 0;
  void* pinned = nullptr;
  ASSERT_EQ(driver().allocate(&device, 8), kSuccess);
  ASSERT_EQ(driver().allocateManaged(&managed, 8, 1), kSuccess);
  ASSERT_EQ(driver().allocateAsync(&pooled, 8, nullptr), kSuccess);
  ASSERT_EQ(driver().allocateHost(&pinned, 8, 0), kSuccess);
  EXPECT_EQ(Told(device), Told(currentContext(), 0, true));
  EXPECT_EQ(Told(managed), Told(currentContext(), 0, false));
  EXPECT_EQ(Told(pooled), Told(nullptr, 0, false));
  EXPECT_EQ(Told(addressOf(pinned)), Told(currentContext(), 0, false));
  EXPECT_EQ(Told(words_.at(0)), Told(currentContext(), 0, false));
}

TEST_F(ToldTest, MemoryIsMadeAsItIsAskedFor) {
  EXPECT_EQ(toldOf({}), Told(currentContext(), 0, true));
  EXPECT_EQ(toldOf({.has_ipc_handle = false}), Told(nullptr, 0, false));
  EXPECT_EQ(toldOf({.is_of_pool = true}), Told(nullptr, 0, false));
}

TEST(ToldSettingTest, DevicesHaveAContextEach) {
  UCXX_EXPECT_WITH("devices=2", 0, "", {
    useDevice();
    Context second = nullptr;
    Address address = 0;
    int device = 0;
    must("cuDevicePrimaryCtxRetain", driver().retainContext(&second, 1));
    bool is_right = second != currentContext() && toldOf({.device = 1}) == Told(second, 1, true) &&
                    toldOf({}) == Told(currentContext(), 0, true);
    must("cuCtxSetCurrent", driver().setContext(second));
    must("cuMemAlloc", driver().allocate(&address, 8));
    is_right = is_right && driver().contextDevice(&device) == kSuccess && device == 1 &&
               Told(address) == Told(second, 1, true) && driver().free(address) == kSuccess;
    return is_right && driver().retainContext(&second, 2) == 101;
  });
}

TEST(MadeMemorySettingTest, IsFreedOnce) {
  UCXX_EXPECT_WITH("", 2, "freeDeviceMemory", {
    void* const memory = makeDeviceMemory(8);
    freeDeviceMemory(memory);
    freeDeviceMemory(memory);
    return true;
  });
}

bool isCopied(Address address) {
  const Bytes sent = filled(3);
  return driver().copyIn(address, sent.data(), sent.size()) == kSuccess &&
         contentOf(reinterpret_cast<void*>(address)) == sent;
}

TEST(UnreachableSettingTest, CallsReachAllocations) {
  UCXX_EXPECT_WITH("unreachable", 0, "", {
    useDevice();
    Address device = 0;
    Address pooled = 0;
    must("cuMemAlloc", driver().allocate(&device, sizeof(Bytes)));
    must("cuMemAllocAsync", driver().allocateAsync(&pooled, sizeof(Bytes), nullptr));
    const bool is_right = isCopied(device) && isCopied(pooled);
    return is_right && driver().free(device) == kSuccess && driver().free(pooled) == kSuccess;
  });
}

void touch(bool is_pooled) {
  ::setenv("UCXX_CUDA_STAND_IN", "unreachable", 1);
  useDevice();
  Address address = 0;
  must("allocation",
       is_pooled ? driver().allocateAsync(&address, 8, nullptr) : driver().allocate(&address, 8));
  *reinterpret_cast<volatile char*>(address) = 1;
}

TEST(UnreachableSettingTest, TheProcessorDoesNot) {
  EXPECT_EXIT(touch(false), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(touch(true), testing::KilledBySignal(SIGSEGV), "");
}

TEST(UnreachableSettingTest, ManagedMemoryIsTheProcessorsToo) {
  UCXX_EXPECT_WITH("unreachable", 0, "", {
    useDevice();
    Address address = 0;
    must("cuMemAllocManaged", driver().allocateManaged(&address, 8, 1));
    std::memset(reinterpret_cast<void*>(address), 5, 8);
    std::uint64_t word = 0;
    must("cuMemcpyDtoH", driver().copyOut(&word, address, 8));
    return word == 0x0505050505050505u && driver().free(address) == kSuccess;
  });
}

/// UCX may move it, for it is the host's.
TEST_F(MadeMemoryTest, MoreThanOneRangeMayBeTakenForADevices) {
  static char one[8], other[8];
  stand_in::takeMoreForDeviceMemory(one, sizeof one, true);
  stand_in::takeMoreForDeviceMemory(other, sizeof other, false);
  for (const auto& [range, has_handle] : {std::pair{one, 1}, {other, 0}}) {
    int attribute = kHasIpcHandle, says = 9;
    void* place = &says;
    EXPECT_EQ(driver().pointerAttributes(1, &attribute, &place, addressOf(range + 7)), kSuccess);
    EXPECT_EQ(says, has_handle);
    EXPECT_EQ(typeOf(addressOf(range)), kDeviceMemory);
    stand_in::giveBackTaken(range);
    EXPECT_EQ(typeOf(addressOf(range)), 0u);
  }
}

}  // namespace
}  // namespace gpu
