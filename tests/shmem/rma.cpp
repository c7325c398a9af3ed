// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// put, get, p, g, for all types and sizes, on all contexts.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "shmem/contexts.h"
#include "shmem/types.h"

namespace {

using ucxx::test::Bits128;
using ucxx::test::Call;
using ucxx::test::step;
using ucxx::test::Way;
using ucxx::test::Ways;

/// The n-th value that a PE writes.
template <class T>
T valueOf(int pe, std::size_t n) {
  return ucxx::test::fromNumber<T>((static_cast<std::uint64_t>(pe) + 1) * 1'000'003 + n * 7919);
}

/// What lies around the pieces, which nobody may touch.
template <class T>
T guard() {
  return valueOf<T>(-77, 0);
}

constexpr std::size_t kElements = 64;
using Areas = ucxx::test::Areas<kElements * sizeof(Bits128)>;

struct Piece {
  std::size_t first, length;
};
/// Of an area, with guards between them.
constexpr std::array<Piece, 5> kPieces{{{1, 1}, {3, 2}, {6, 3}, {10, 8}, {20, 31}}};

bool isInPiece(std::size_t i) {
  for (const auto& [first, length] : kPieces) {
    if (i >= first && i < first + length) return true;
  }
  return false;
}

template <class T>
std::array<T, kElements> guards() {
  std::array<T, kElements> result;
  result.fill(guard<T>());
  return result;
}

/// The values of a PE in all pieces, guards around them.
template <class T>
std::array<T, kElements> valuesOf(int pe) {
  auto result = guards<T>();
  for (std::size_t i = 0; i < kElements; ++i) {
    if (isInPiece(i)) result[i] = valueOf<T>(pe, i);
  }
  return result;
}

template <class T>
void fill(T* area, const std::array<T, kElements>& values) {
  std::copy(values.begin(), values.end(), area);
}

template <class T>
void checkArea(const T* area, const std::array<T, kElements>& expected) {
  for (std::size_t i = 0; i < kElements; ++i) CHECK_EQ(area[i], expected[i]);
}

/// `each(way, to, area)` writes the pieces of this PE.
template <class T, class Put>
void checkWriting(const Way& way, T* area, const Put& put) {
  for (const int distance : way.distances()) {
    const auto source = valuesOf<T>(shmem_my_pe());
    step(
        way, distance, [&] { fill(area, guards<T>()); }, [&](int to) { put(to, source.data()); },
        [&](int from) { checkArea(area, valuesOf<T>(from)); });
  }
}

/// `get(from, dest)` reads the pieces of a PE.
template <class T, class Get>
void checkReading(const Way& way, T* area, const Get& get) {
  for (const int distance : way.distances()) {
    auto dest = guards<T>();
    int source = -1;
    step(
        way, distance, [&] { fill(area, valuesOf<T>(shmem_my_pe())); },
        [&](int from) { get(source = from, dest.data()); },
        [&](int) { checkArea(dest.data(), valuesOf<T>(source)); });
  }
}

template <class T, class Function>
void checkPut(const Way& way, T* area, const Function& put) {
  checkWriting<T>(way, area, [&](int to, const T* source) {
    for (const auto& [first, length] : kPieces) put(way, to, area + first, source + first, length);
    put(way, to, area, source, std::size_t{0});
    put(way, to, nullptr, nullptr, std::size_t{0});
  });
}

template <class T, class Function>
void checkGet(const Way& way, T* area, const Function& get) {
  checkReading<T>(way, area, [&](int from, T* dest) {
    for (const auto& [first, length] : kPieces) get(way, from, dest + first, area + first, length);
    get(way, from, dest, area, std::size_t{0});
    get(way, from, nullptr, nullptr, std::size_t{0});
  });
}

template <class T, class Function>
void checkP(const Way& way, T* area, const Function& p) {
  checkWriting<T>(way, area, [&](int to, const T* source) {
    for (std::size_t i = 0; i < kElements; ++i) {
      if (isInPiece(i)) p(way, to, area + i, source[i]);
    }
  });
}

template <class T, class Function>
void checkG(const Way& way, T* area, const Function& g) {
  checkReading<T>(way, area, [&](int from, T* dest) {
    for (std::size_t i = 0; i < kElements; ++i) dest[i] = g(way, from, area + i);
  });
}

template <class T, class Put, class Get>
void checkBlocks(const Ways& ways, const Areas& areas, const Put& put, const Get& get) {
  ways.forEach([&](const Way& way) {
    for (std::byte* const area : areas.all()) {
      checkPut(way, reinterpret_cast<T*>(area), put);
      checkGet(way, reinterpret_cast<T*>(area), get);
    }
  });
}

template <class T, class P, class G>
void checkSingles(const Ways& ways, const Areas& areas, const P& p, const G& g) {
  ways.forEach([&](const Way& way) {
    for (std::byte* const area : areas.all()) {
      checkP(way, reinterpret_cast<T*>(area), p);
      checkG(way, reinterpret_cast<T*>(area), g);
    }
  });
}

#define BOTH(name) Call(shmem_##name, shmem_ctx_##name)

void testTypes(const Ways& ways, const Areas& areas) {
#define TYPED(name, T)                                                     \
  checkBlocks<T>(ways, areas, BOTH(name##_put), BOTH(name##_get));         \
  checkBlocks<T>(ways, areas, BOTH(name##_put_nbi), BOTH(name##_get_nbi)); \
  checkSingles<T>(ways, areas, BOTH(name##_p), BOTH(name##_g));
  FOR_RMA_TYPES(TYPED)
#undef TYPED
}

void testSizes(const Ways& ways, const Areas& areas) {
#define SIZED(bits, T)                                           \
  checkBlocks<T>(ways, areas, BOTH(put##bits), BOTH(get##bits)); \
  checkBlocks<T>(ways, areas, BOTH(put##bits##_nbi), BOTH(get##bits##_nbi));
  FOR_BITS(SIZED)
#undef SIZED
  checkBlocks<std::uint8_t>(ways, areas, BOTH(putmem), BOTH(getmem));
  checkBlocks<std::uint8_t>(ways, areas, BOTH(putmem_nbi), BOTH(getmem_nbi));
}

/// Bytes at any address, from any address, of any kind of memory.
void checkUnaligned(const Way& way, std::byte* area, std::byte* source, std::size_t to_shift,
                    std::size_t length) {
  constexpr std::byte kGuard{0xa5};
  constexpr std::size_t kBytes = 128;
  const std::size_t from_shift = (to_shift * 5 + length) % 9;
  for (std::size_t i = 0; i < kBytes; ++i) source[i] = static_cast<std::byte>(i * 3 + length);
  std::array<std::byte, kBytes> read{};
  step(
      way, 1, [&] { std::fill_n(area, kBytes, kGuard); },
      [&](int to) {
        shmem_putmem(area + to_shift, source + from_shift, length, to);
        shmem_getmem(read.data() + from_shift, area + to_shift, length, to);
      },
      [&](int) {
        CHECK_EQ(std::memcmp(area + to_shift, source + from_shift, length), 0);
        for (std::size_t i = 0; i < to_shift; ++i) CHECK(area[i] == kGuard);
        for (std::size_t i = to_shift + length; i < kBytes; ++i) CHECK(area[i] == kGuard);
        CHECK_EQ(std::memcmp(read.data() + from_shift, source + from_shift, length), 0);
        CHECK(read[from_shift + length] == std::byte{0});
      });
}

void testUnaligned(const Ways& ways, const Areas& areas) {
  alignas(16) std::array<std::byte, 128> on_stack;
  for (std::size_t shift = 0; shift < 17; ++shift) {
    for (const std::size_t length : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100}) {
      checkUnaligned(ways.plain(), areas.heap(), on_stack.data(), shift, length);
      checkUnaligned(ways.plain(), areas.heap(), areas.statics(), shift, length);
      checkUnaligned(ways.plain(), areas.statics(), areas.heap() + 512, shift, length);
    }
  }
}

constexpr std::size_t kMany = (std::size_t{8} << 20) / sizeof(std::uint64_t);

std::vector<std::uint64_t> numbers(int pe, std::size_t count) {
  std::vector<std::uint64_t> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = valueOf<std::uint64_t>(pe, i);
  return result;
}

/// 8 MiB and an odd number of bytes, at odd addresses, there and back.
void testMuch(const Ways& ways) {
  constexpr std::size_t kBytes = kMany * sizeof(std::uint64_t) - 13;
  auto* const block = static_cast<char*>(shmem_malloc(kBytes + 13));
  const auto source = numbers(shmem_my_pe(), kMany);
  const auto* const bytes = reinterpret_cast<const char*>(source.data());
  std::vector<char> back(kBytes + 1);
  step(
      ways.plain(), 1, [&] { block[2] = block[kBytes + 3] = 77; },
      [&](int to) {
        shmem_putmem(block + 3, bytes + 5, kBytes, to);
        shmem_getmem(back.data() + 1, block + 3, kBytes, to);
      },
      [&](int from) {
        CHECK_EQ(std::memcmp(back.data() + 1, bytes + 5, kBytes), 0);
        const auto sent = numbers(from, kMany);
        CHECK_EQ(std::memcmp(block + 3, reinterpret_cast<const char*>(sent.data()) + 5, kBytes), 0);
        CHECK(block[2] == 77 && block[kBytes + 3] == 77);
      });
  shmem_free(block);
}

/// Target and source lie nearly at the same place of their pages: such copies go by pieces.
void testNearlySamePlaceOfPages(const Ways& ways) {
  constexpr std::size_t kPage = 4096, kMost = 100'000, kBytes = kMost + 64;
  struct alignas(kPage) Pages {
    std::array<std::uint64_t, kBytes / sizeof(std::uint64_t)> values;
  };
  const auto source = std::make_unique<Pages>(), read = std::make_unique<Pages>();
  std::ranges::copy(numbers(shmem_my_pe(), source->values.size()), source->values.begin());
  auto* const block = static_cast<char*>(shmem_align(kPage, kBytes));
  auto* const back = reinterpret_cast<char*>(read.get());
  for (const std::size_t length : {2047UL, 2048UL, 2049UL, 4096UL, 5000UL, kMost}) {
    for (std::size_t behind = 1; behind < 18; ++behind) {
      step(
          ways.plain(), 1, [&] { block[behind - 1] = block[behind + length] = 77; },
          [&](int to) {
            shmem_putmem(block + behind, source.get(), length, to);
            shmem_getmem(back + 2 * behind, block + behind, length, to);
          },
          [&](int from) {
            CHECK_EQ(std::memcmp(back + 2 * behind, source.get(), length), 0);
            const auto sent = numbers(from, source->values.size());
            CHECK_EQ(std::memcmp(block + behind, sent.data(), length), 0);
            CHECK(block[behind - 1] == 77 && block[behind + length] == 77);
          });
    }
  }
  shmem_free(block);
}

/// Elsewhere the flag never came.
void testPutFenceP(const Ways& ways) {
  constexpr std::size_t kCount = (std::size_t{1} << 20) / sizeof(std::uint64_t);
  constexpr int kRounds = 10;
  auto* const block = static_cast<std::uint64_t*>(shmem_malloc(kCount * sizeof(std::uint64_t)));
  static int flag = 0;
  flag = 0;
  const int to = ways.plain().atDistance(1), from = ways.plain().atDistance(-1);
  for (int round = 1; round <= kRounds; ++round) {
    const auto source = numbers(shmem_my_pe() * kRounds + round, kCount);
    shmem_barrier_all();
    shmem_uint64_put(block, source.data(), kCount, to);
    shmem_fence();
    shmem_int_p(&flag, round, to);
    shmem_int_wait_until(&flag, SHMEM_CMP_GE, round);
    CHECK(std::memcmp(block, numbers(from * kRounds + round, kCount).data(),
                      kCount * sizeof(std::uint64_t)) == 0);
  }
  shmem_barrier_all();
  shmem_free(block);
}

/// PE 0 makes no call, but looks at its memory, until the others have read and written there.
void testPeThatComputes() {
  static long source = 0, done = 0;
  const int pes = shmem_n_pes();
  source = 4711 + shmem_my_pe();
  done = 0;
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) != pes - 1) continue;
  } else {
    CHECK_EQ(shmem_long_g(&source, 0), 4711);
    shmem_long_atomic_inc(&done, 0);
  }
  shmem_barrier_all();
}

/// Far more contexts than any table has places, all in use.
void testManyContexts() {
  constexpr std::size_t kContexts = 2000;
  static std::array<std::uint32_t, kContexts> words;
  std::vector<shmem_ctx_t> contexts(kContexts);
  const int to = (shmem_my_pe() + 1) % shmem_n_pes();
  words.fill(0);
  shmem_barrier_all();
  for (shmem_ctx_t& ctx : contexts) CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
  for (std::uint32_t i = 0; i < kContexts; ++i)
    shmem_ctx_uint32_p(contexts[i], &words[i], i + 1, to);
  for (const shmem_ctx_t ctx : contexts) shmem_ctx_destroy(ctx);  // with a quiet
  shmem_sync_all();
  for (std::uint32_t i = 0; i < kContexts; ++i) CHECK_EQ(words[i], i + 1);
  shmem_sync_all();
}

}  // namespace

int main() {
  shmem_init();
  {
    const Ways ways;
    const Areas areas;
    testTypes(ways, areas);
    testSizes(ways, areas);
    testUnaligned(ways, areas);
    testMuch(ways);
    testNearlySamePlaceOfPages(ways);
    testPutFenceP(ways);
    testPeThatComputes();
    testManyContexts();
  }
  shmem_finalize();
}
