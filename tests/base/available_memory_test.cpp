// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/available_memory.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

#include <ucxx/exception.h>

namespace ucxx::base {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
constexpr std::uint64_t kGib = std::uint64_t{1} << 30;
constexpr std::uint64_t kReserve = 256 * kMib;

/// A folder that looks like the root of a system with 64 GiB, of which 40 GiB are available.
class AvailableMemoryTest : public testing::Test {
 protected:
  AvailableMemoryTest() {
    std::string name = (std::filesystem::temp_directory_path() / "ucxx-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    write("/proc/meminfo",
          "MemTotal:       67108864 kB\nMemFree:        1024 kB\n"
          "MemAvailable:   41943040 kB\n");
    write("/proc/self/cgroup", "0::/\n");
  }
  ~AvailableMemoryTest() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, std::string_view text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  void writeVersion2(const std::string& folder, std::string_view maximum, std::uint64_t used,
                     std::uint64_t droppable) {
    write(folder + "/memory.max", std::string(maximum) + '\n');
    write(folder + "/memory.current", std::to_string(used) + '\n');
    write(folder + "/memory.stat", "anon 4096\ninactive_anon 77777777777\ninactive_file " +
                                       std::to_string(droppable) + "\nactive_file 5\n");
  }
  void writeVersion1(const std::string& folder, std::uint64_t maximum, std::uint64_t used,
                     std::uint64_t droppable) {
    write(folder + "/memory.limit_in_bytes", std::to_string(maximum) + '\n');
    write(folder + "/memory.usage_in_bytes", std::to_string(used) + '\n');
    write(folder + "/memory.stat",
          "inactive_file 99999999999\ntotal_inactive_file " + std::to_string(droppable) + '\n');
  }
  std::uint64_t available() const { return availableMemory(root_); }

  std::string root_;
};

TEST_F(AvailableMemoryTest, OfTheMachineASixteenthStaysInReserve) {
  EXPECT_EQ(available(), 36 * kGib);
}

TEST_F(AvailableMemoryTest, TheReserveIsAtLeast256MiB) {
  write("/proc/meminfo", "MemTotal: 2097152 kB\nMemAvailable: 1048576 kB\n");
  EXPECT_EQ(available(), kGib - kReserve);
}

TEST_F(AvailableMemoryTest, NothingIsLeftWithinTheReserve) {
  write("/proc/meminfo", "MemTotal: 2097152 kB\nMemAvailable: 262143 kB\n");
  EXPECT_EQ(available(), 0u);
}

TEST_F(AvailableMemoryTest, ACgroupCountsWithWhatTheKernelCanDrop) {
  write("/proc/self/cgroup", "0::/job\n");
  writeVersion2("/sys/fs/cgroup/job", std::to_string(2 * kGib), kGib, kGib / 2);
  EXPECT_EQ(available(), 3 * kGib / 2 - kReserve);
}

TEST_F(AvailableMemoryTest, EachCgroupAboveCounts) {
  write("/proc/self/cgroup", "0::/slice/job/step\n");
  writeVersion2("/sys/fs/cgroup/slice/job/step", "max", kGib, 0);
  writeVersion2("/sys/fs/cgroup/slice/job", std::to_string(20 * kGib), 2 * kGib, 0);
  writeVersion2("/sys/fs/cgroup/slice", std::to_string(4 * kGib), 3 * kGib, 0);
  EXPECT_EQ(available(), kGib - kReserve);
}

TEST_F(AvailableMemoryTest, InAContainerTheRootOfTheMountIsItsCgroup) {
  write("/proc/self/cgroup", "0::/../../docker/0123\n");
  writeVersion2("/sys/fs/cgroup", std::to_string(kGib), kGib / 4, 0);
  EXPECT_EQ(available(), 3 * kGib / 4 - kReserve);
}

TEST_F(AvailableMemoryTest, VersionOneCounts) {
  write("/proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/a/b\n0::/\n");
  writeVersion1("/sys/fs/cgroup/memory/a/b", 9223372036854771712U, 5 * kGib, 0);
  writeVersion1("/sys/fs/cgroup/memory/a", 3 * kGib, 2 * kGib, kGib);
  EXPECT_EQ(available(), 2 * kGib - kReserve);
}

TEST_F(AvailableMemoryTest, BesideVersionOneTheUnifiedOneCounts) {
  write("/proc/self/cgroup", "1:cpu:/\n0::/job\n");
  writeVersion2("/sys/fs/cgroup/unified/job", std::to_string(kGib), 0, 0);
  EXPECT_EQ(available(), kGib - kReserve);
}

TEST_F(AvailableMemoryTest, ACgroupBeyondItsMaximumHasNothingLeft) {
  write("/proc/self/cgroup", "0::/job\n");
  writeVersion2("/sys/fs/cgroup/job", std::to_string(kGib), 2 * kGib, 0);
  EXPECT_EQ(available(), 0u);
}

TEST_F(AvailableMemoryTest, WhatMakesNoSenseIsPassedOver) {
  for (const char* const text : {"", "\n", ":", "0:", "0::", "garbage\n", "0::////\n", "4:memory\n",
                                 "0::relative/path\n", "4:memory:\n0::/none/of/these\n"}) {
    write("/proc/self/cgroup", text);
    EXPECT_EQ(available(), 36 * kGib) << text;
  }
  write("/proc/self/cgroup", "0::/job\n");
  writeVersion2("/sys/fs/cgroup/job", "many", 1, 1);
  EXPECT_EQ(available(), 36 * kGib);
}

/// As without a free descriptor: a limit that is there must not be passed over.
TEST_F(AvailableMemoryTest, AFileThatCannotBeReadIsAnError) {
  write("/proc/self/cgroup", "0::/job\n");
  writeVersion2("/sys/fs/cgroup/job", "max", 0, 0);
  std::filesystem::remove(root_ + "/sys/fs/cgroup/job/memory.max");
  std::filesystem::create_symlink("memory.max", root_ + "/sys/fs/cgroup/job/memory.max");
  EXPECT_THROW(available(), Error);
}

TEST_F(AvailableMemoryTest, WithoutProcTheKernelIsAsked) {
  std::filesystem::remove_all(root_ + "/proc");
  EXPECT_LT(available(), static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                             static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

TEST(AvailableMemoryOfThisMachineTest, IsLessThanTheMachineHas) {
  const auto machine = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                       static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  EXPECT_GT(availableMemory(), 0u);
  EXPECT_LT(availableMemory(), machine);
}

}  // namespace
}  // namespace ucxx::base
