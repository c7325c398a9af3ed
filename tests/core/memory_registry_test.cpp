// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Who looks up the memory of a process, and who gives it up meanwhile.

#include "core/onesided/memory_registry.h"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/onesided/memory_key.h"

namespace ucxx::core {
namespace {

using namespace std::chrono_literals;

struct Registered {
  explicit Registered(MemoryRegistry& registry)
      : key{registry.add(bytes, sizeof bytes), reinterpret_cast<std::uintptr_t>(bytes),
            sizeof bytes} {}
  alignas(8) std::byte bytes[64]{};
  const MemoryKey key;
};

TEST(MemoryRegistryTest, FindsWhatWasAddedAndNoMore) {
  MemoryRegistry registry;
  Registered memory(registry);
  std::byte* found = nullptr;
  const auto find = [&](std::byte* place) { found = place; };
  EXPECT_TRUE(registry.reach(memory.key.name(), 8, 56, find));
  EXPECT_EQ(found, memory.bytes + 8);
  EXPECT_TRUE(registry.reach(memory.key.name(), 64, 0, find));
  EXPECT_FALSE(registry.reach(memory.key.name(), 8, 57, find));
  EXPECT_FALSE(registry.reach(memory.key.name(), 65, 0, find));
  EXPECT_FALSE(registry.reach(memory.key.name(), UINT64_MAX, 2, find));
  const auto& [id, base, size, entry] = memory.key;
  for (const MemoryKey& changed : {MemoryKey{id + 1, base, size}, MemoryKey{id, base + 4, size},
                                   MemoryKey{id, base + 4, size - 8}, MemoryKey{id, base, size - 8},
                                   MemoryKey{id, 0, 0}, MemoryKey{id, size, base}})
    EXPECT_FALSE(registry.reach(changed.name(), 0, 0, find));
  registry.remove(memory.key.name());
  EXPECT_FALSE(registry.reach(memory.key.name(), 0, 8, find));
  registry.remove(memory.key.name());
}

TEST(MemoryRegistryTest, RemoveWaitsForWhoIsThere) {
  MemoryRegistry registry;
  Registered memory(registry);
  std::promise<void> entered, may_leave;
  std::atomic<bool> removed{false};
  std::thread user([&] {
    EXPECT_TRUE(registry.reach(memory.key.name(), 0, 8, [&](std::byte*) {
      entered.set_value();
      may_leave.get_future().wait();
      EXPECT_FALSE(removed);
    }));
  });
  entered.get_future().wait();
  std::thread owner([&] {
    registry.remove(memory.key.name());
    removed = true;
  });
  // It has taken it out, and waits.
  while (registry.reach(memory.key.name(), 0, 8, [](std::byte*) {})) std::this_thread::yield();
  EXPECT_FALSE(removed);
  may_leave.set_value();
  user.join();
  owner.join();
  EXPECT_TRUE(removed);
}

/// Of the many, one is always there.
TEST(MemoryRegistryTest, RemoveIsNotKeptWaitingByOthers) {
  MemoryRegistry registry;
  Registered busy(registry), given_up(registry);
  std::atomic<bool> stop{false};
  std::vector<std::thread> users;
  for (int i = 0; i < 8; ++i)
    users.emplace_back([&] {
      while (!stop)
        (void)registry.reach(busy.key.name(), 0, 8,
                             [](std::byte*) { std::this_thread::sleep_for(1ms); });
    });
  auto removal = std::async(std::launch::async, [&] { registry.remove(given_up.key.name()); });
  EXPECT_EQ(removal.wait_for(5s), std::future_status::ready);
  stop = true;
  for (std::thread& user : users) user.join();
}

}  // namespace
}  // namespace ucxx::core
