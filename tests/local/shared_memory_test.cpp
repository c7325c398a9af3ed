// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/shared_memory.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ucxx/exception.h>

namespace ucxx::base {
namespace {

constexpr std::size_t kBytes = 10000;

FileDescriptor copyOf(int descriptor) {
  return FileDescriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}

FileDescriptor memfd(off_t bytes, int seals) {
  FileDescriptor made(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  EXPECT_EQ(::ftruncate(made.get(), bytes), 0);
  EXPECT_EQ(::fcntl(made.get(), F_ADD_SEALS, seals), 0);
  return made;
}

std::string refusal(FileDescriptor descriptor) {
  try {
    SharedMemory::map(std::move(descriptor), kBytes);
  } catch (const ShmemSegmentError& error) {
    return error.what();
  } catch (const Error& error) {
    return std::string("another class: ") + error.what();
  }
  return "accepted";
}

TEST(SharedMemoryTest, MappingsShowTheSameBytes) {
  const SharedMemory ours = SharedMemory::create(kBytes);
  const SharedMemory theirs = SharedMemory::map(copyOf(ours.descriptor()), kBytes);
  ASSERT_EQ(ours.bytes().size(), kBytes);
  ASSERT_NE(ours.bytes().data(), theirs.bytes().data());
  EXPECT_EQ(theirs.bytes()[kBytes - 1], std::byte{0});
  ours.bytes()[kBytes - 1] = std::byte{42};
  EXPECT_EQ(theirs.bytes()[kBytes - 1], std::byte{42});
}

TEST(SharedMemoryTest, MappingStaysWithoutDescriptor) {
  SharedMemory memory = SharedMemory::create(kBytes);
  memory.closeDescriptor();
  EXPECT_EQ(memory.descriptor(), -1);
  memory.bytes()[0] = std::byte{1};
  const SharedMemory moved = std::move(memory);
  EXPECT_EQ(moved.bytes()[0], std::byte{1});
  EXPECT_TRUE(moved);
}

TEST(SharedMemoryTest, SizeNeverChanges) {
  const SharedMemory memory = SharedMemory::create(kBytes);
  EXPECT_NE(::ftruncate(memory.descriptor(), 1), 0);
  EXPECT_NE(::ftruncate(memory.descriptor(), 100000), 0);
  EXPECT_NE(::fcntl(memory.descriptor(), F_ADD_SEALS, F_SEAL_WRITE), 0);
}

// The limit on files stands for a system without memory: a real lack would end others. No signal
// comes of it.
TEST(SharedMemoryTest, WhatCannotBeAllocatedIsAnError) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit little{kBytes - 1, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  EXPECT_THROW(SharedMemory::create(kBytes), Error);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
}

TEST(SharedMemoryTest, AcceptsOnlyWhatIsSealedAsOursAre) {
  constexpr int kSize = F_SEAL_SHRINK | F_SEAL_GROW;
  EXPECT_EQ(refusal(memfd(kBytes, kSize | F_SEAL_SEAL)), "accepted");
  EXPECT_NE(refusal(memfd(kBytes, 0)).find("seals are missing"), std::string::npos);
  EXPECT_NE(refusal(memfd(kBytes, kSize)).find("seals are missing"), std::string::npos);
  EXPECT_NE(refusal(memfd(kBytes, F_SEAL_SEAL | F_SEAL_GROW)).find("seals are missing"),
            std::string::npos);
  EXPECT_NE(refusal(memfd(kBytes, kSize | F_SEAL_SEAL | F_SEAL_WRITE)), "accepted");
}

TEST(SharedMemoryTest, AcceptsOnlyTheExpectedSize) {
  constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  EXPECT_NE(refusal(memfd(kBytes - 1, kSeals)).find("9999 bytes, not 10000"), std::string::npos);
  EXPECT_NE(refusal(memfd(kBytes + 1, kSeals)).find("10001 bytes, not 10000"), std::string::npos);
  EXPECT_NE(refusal(memfd(0, kSeals)).find("0 bytes, not 10000"), std::string::npos);
}

/// Where there are no huge pages to be had, to touch one is a signal.
TEST(SharedMemoryTest, AcceptsNoHugePages) {
  FileDescriptor huge(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB));
  if (!huge) return;  // this system has none
  ASSERT_EQ(::ftruncate(huge.get(), 1 << 30), 0);
  ASSERT_EQ(::fcntl(huge.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL), 0);
  EXPECT_NE(refusal(copyOf(huge.get())).find("not of ordinary pages"), std::string::npos);
  EXPECT_THROW(SharedMemory::mapReserved(std::move(huge), 1 << 30), ShmemSegmentError);
}

TEST(SharedMemoryTest, AcceptsNoOtherKindOfFile) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  EXPECT_NE(refusal(FileDescriptor(ends[0])).find("not a memfd"), std::string::npos);
  EXPECT_NE(refusal(FileDescriptor(ends[1])).find("not a memfd"), std::string::npos);
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(::ftruncate(::fileno(file), kBytes), 0);
  const std::string said = refusal(copyOf(::fileno(file)));
  EXPECT_TRUE(said.find("not a memfd") != std::string::npos ||
              said.find("seals are missing") != std::string::npos)  // /tmp may be a tmpfs
      << said;
  std::fclose(file);
  EXPECT_NE(refusal(FileDescriptor()).find("not a memfd"), std::string::npos);
}

/// The status of a child that runs `body`.
template <class Body>
int statusInChild(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::signal(SIGSEGV, SIG_DFL);  // a sanitizer would only talk about it
    ::_exit(body());
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

TEST(SharedMemoryTest, ForkedChildHasNoMapping) {
  const SharedMemory memory = SharedMemory::create(kBytes);
  volatile std::byte* bytes = memory.bytes().data();
  const int status = statusInChild([&] { return static_cast<int>(bytes[0]); });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

// What the child has mapped at the address meanwhile is not ours to unmap.
TEST(SharedMemoryTest, ForkedChildOnlyForgets) {
  SharedMemory memory = SharedMemory::create(kBytes);
  const int status = statusInChild([&] {
    void* address = memory.bytes().data();
    void* own = ::mmap(address, kBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    memory = SharedMemory();
    *static_cast<volatile char*>(own) = 1;
    return 0;
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  memory.bytes()[0] = std::byte{1};
}

TEST(SharedMemoryTest, ForkedChildIsToldClearly) {
  const SharedMemory memory = SharedMemory::create(kBytes);
  const int status = statusInChild([] {
    try {
      SharedMemory::create(kBytes);
    } catch (const UnsupportedError&) {
      return 0;
    }
    return 1;
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace ucxx::base
