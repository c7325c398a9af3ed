// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// iput, iget, ibput, ibget, for all types and sizes, on all contexts.
#include <array>
#include <cstring>
#include <vector>

#include "shmem/contexts.h"
#include "shmem/types.h"

namespace {

using ucxx::test::Bits128;
using ucxx::test::Call;
using ucxx::test::step;
using ucxx::test::Way;
using ucxx::test::Ways;

template <class T>
T valueOf(int pe, std::size_t n) {
  return ucxx::test::fromNumber<T>((static_cast<std::uint64_t>(pe) + 1) * 1009 + n * 7);
}

/// What the calls take; iput's and iget's blocks have one element.
struct Shape {
  std::ptrdiff_t to_stride, from_stride;
  std::size_t block, blocks;
};
constexpr std::array kSingles{Shape{1, 1, 1, 9}, Shape{2, 1, 1, 7}, Shape{1, 3, 1, 7},
                              Shape{3, 2, 1, 1}, Shape{5, 4, 1, 6}, Shape{40, 1, 1, 2},
                              Shape{2, 2, 1, 0}};
constexpr std::array kBlocks{Shape{1, 1, 1, 9},    Shape{2, 2, 2, 8}, Shape{3, 5, 2, 7},
                             Shape{5, 3, 3, 6},    Shape{8, 7, 5, 5}, Shape{16, 20, 16, 2},
                             Shape{30, 17, 17, 1}, Shape{4, 3, 0, 3}, Shape{4, 5, 3, 0},
                             Shape{9, 8, 8, 3}};

/// A part of an area for each shape.
constexpr std::size_t kPart = 48;
constexpr std::size_t kElements = kPart * kBlocks.size();
using Areas = ucxx::test::Areas<kElements * sizeof(Bits128)>;
template <class T>
using Values = std::array<T, kElements>;

template <class T>
Values<T> guards() {
  Values<T> result;
  result.fill(valueOf<T>(-50, 3));
  return result;
}

template <class T>
Values<T> valuesOf(int pe) {
  Values<T> result;
  for (std::size_t i = 0; i < kElements; ++i) result[i] = valueOf<T>(pe, i);
  return result;
}

/// The standard's words: element e of block b.
template <class T>
void place(const Shape& shape, T* to, const T* from) {
  for (std::size_t b = 0; b < shape.blocks; ++b) {
    for (std::size_t e = 0; e < shape.block; ++e)
      to[b * static_cast<std::size_t>(shape.to_stride) + e] =
          from[b * static_cast<std::size_t>(shape.from_stride) + e];
  }
}

/// What is to be in dest, among guards, when all shapes have come from a PE.
template <class T, class Shapes>
Values<T> expectedOf(int pe, const Shapes& shapes) {
  const auto source = valuesOf<T>(pe);
  auto result = guards<T>();
  for (std::size_t i = 0; i < shapes.size(); ++i)
    place(shapes[i], result.data() + i * kPart, source.data() + i * kPart);
  return result;
}

template <class T>
void checkEqualTo(const T* area, const Values<T>& expected) {
  for (std::size_t i = 0; i < kElements; ++i) CHECK(area[i] == expected[i]);
}

/// `put(shape, to, dest, source)` for each shape.
template <class T, class Shapes, class Put>
void checkPut(const Way& way, T* area, const Shapes& shapes, const Put& put) {
  const auto source = valuesOf<T>(shmem_my_pe());
  for (const int distance : way.distances()) {
    step(
        way, distance, [&] { std::copy_n(guards<T>().data(), kElements, area); },
        [&](int to) {
          for (std::size_t i = 0; i < shapes.size(); ++i)
            put(shapes[i], to, area + i * kPart, source.data() + i * kPart);
        },
        [&](int from) { checkEqualTo(area, expectedOf<T>(from, shapes)); });
  }
}

template <class T, class Shapes, class Get>
void checkGet(const Way& way, T* area, const Shapes& shapes, const Get& get) {
  for (const int distance : way.distances()) {
    auto dest = guards<T>();
    step(
        way, distance, [&] { std::copy_n(valuesOf<T>(shmem_my_pe()).data(), kElements, area); },
        [&](int from) {
          for (std::size_t i = 0; i < shapes.size(); ++i)
            get(shapes[i], from, dest.data() + i * kPart, area + i * kPart);
          checkEqualTo(dest.data(), expectedOf<T>(from, shapes));
        },
        [](int) {});
  }
}

/// Calls of the form of iput, iget.
template <class T, class Function>
auto singles(const Way& way, const Function& function) {
  return [&](const Shape& shape, int pe, T* dest, const T* source) {
    function(way, pe, dest, source, shape.to_stride, shape.from_stride, shape.blocks);
  };
}

/// Calls of the form of ibput, ibget.
template <class T, class Function>
auto blocks(const Way& way, const Function& function) {
  return [&](const Shape& shape, int pe, T* dest, const T* source) {
    function(way, pe, dest, source, shape.to_stride, shape.from_stride, shape.block, shape.blocks);
  };
}

template <class T, class Iput, class Iget>
void checkSingles(const Ways& ways, const Areas& areas, const Iput& iput, const Iget& iget) {
  ways.forEach([&](const Way& way) {
    for (std::byte* const bytes : areas.all()) {
      T* const area = reinterpret_cast<T*>(bytes);
      checkPut(way, area, kSingles, singles<T>(way, iput));
      checkGet(way, area, kSingles, singles<T>(way, iget));
    }
    if (!way.hasMe()) return;
    iput(way, shmem_my_pe(), nullptr, nullptr, 1, 2, std::size_t{0});
    iget(way, shmem_my_pe(), nullptr, nullptr, 2, 1, std::size_t{0});
  });
}

template <class T, class Ibput, class Ibget>
void checkBlocks(const Ways& ways, const Areas& areas, const Ibput& ibput, const Ibget& ibget) {
  ways.forEach([&](const Way& way) {
    for (std::byte* const bytes : areas.all()) {
      T* const area = reinterpret_cast<T*>(bytes);
      checkPut(way, area, kBlocks, blocks<T>(way, ibput));
      checkGet(way, area, kBlocks, blocks<T>(way, ibget));
    }
    if (!way.hasMe()) return;
    const int me = shmem_my_pe();
    ibput(way, me, nullptr, nullptr, 3, 3, std::size_t{0}, std::size_t{5});
    ibput(way, me, nullptr, nullptr, 3, 3, std::size_t{2}, std::size_t{0});
    ibget(way, me, nullptr, nullptr, 3, 3, std::size_t{0}, std::size_t{5});
    ibget(way, me, nullptr, nullptr, 3, 3, std::size_t{2}, std::size_t{0});
  });
}

#define BOTH(name) Call(shmem_##name, shmem_ctx_##name)

void testTypes(const Ways& ways, const Areas& areas) {
#define TYPED(name, T)                                                \
  checkSingles<T>(ways, areas, BOTH(name##_iput), BOTH(name##_iget)); \
  checkBlocks<T>(ways, areas, BOTH(name##_ibput), BOTH(name##_ibget));
  FOR_RMA_TYPES(TYPED)
#undef TYPED
}

void testSizes(const Ways& ways, const Areas& areas) {
#define SIZED(bits, T)                                              \
  checkSingles<T>(ways, areas, BOTH(iput##bits), BOTH(iget##bits)); \
  checkBlocks<T>(ways, areas, BOTH(ibput##bits), BOTH(ibget##bits));
  FOR_BITS(SIZED)
#undef SIZED
}

/// Two blocks of 5 MiB, at odd places, there and back.
void testMuch(const Ways& ways) {
  constexpr std::size_t kBlock = (std::size_t{5} << 20) + 3, kStride = kBlock + 7;
  auto* const area = static_cast<unsigned char*>(shmem_malloc(2 * kStride));
  std::vector<unsigned char> source(2 * kBlock), back(2 * kStride, 99);
  for (std::size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<unsigned char>(i * i >> 7);
  step(
      ways.plain(), 1, [&] { std::memset(area, 55, 2 * kStride); },
      [&](int to) {
        shmem_uchar_ibput(area + 1, source.data(), kStride, kBlock, kBlock, 2, to);
        shmem_uchar_ibget(back.data(), area + 1, kStride, kStride, kBlock, 2, to);
      },
      [&](int) {
        for (const std::size_t b : {0, 1}) {
          const unsigned char* const block = source.data() + b * kBlock;
          CHECK_EQ(std::memcmp(area + 1 + b * kStride, block, kBlock), 0);
          CHECK_EQ(std::memcmp(back.data() + b * kStride, block, kBlock), 0);
          CHECK_EQ(area[b * kStride], 55);
          CHECK_EQ(back[b * kStride + kBlock], 99);
        }
      });
  shmem_free(area);
}

/// Elements far apart, and many of them.
void testManyAndFar(const Ways& ways) {
  constexpr std::size_t kCount = 20'000, kStride = 37;
  auto* const area = static_cast<short*>(shmem_calloc(kCount * kStride, sizeof(short)));
  std::vector<short> source(kCount * 3), back(kCount);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<short>(i);
  step(
      ways.plain(), -1, [] {},
      [&](int to) {
        shmem_short_iput(area, source.data(), kStride, 3, kCount, to);
        shmem_short_iget(back.data(), area, 1, kStride, kCount, to);
      },
      [&](int) {
        for (std::size_t i = 0; i < kCount; ++i) {
          CHECK_EQ(area[i * kStride], source[i * 3]);
          CHECK_EQ(area[i * kStride + 1], 0);
          CHECK_EQ(back[i], source[i * 3]);
        }
      });
  shmem_free(area);
}

}  // namespace

int main() {
  shmem_init();
  {
    const Ways ways;
    const Areas areas;
    testTypes(ways, areas);
    testSizes(ways, areas);
    testMuch(ways);
    testManyAndFar(ways);
  }
  shmem_finalize();
}
