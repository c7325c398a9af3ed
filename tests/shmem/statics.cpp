// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Global and static variables as symmetric objects: each kind of them, and each kind of call on
// them. Also compiled by statics_check.py in other ways.
#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "shmem/check.h"

int global_of_bss;
int global_of_data = 41;
extern "C" {
long global_of_c = 1;
}
inline int inline_global = 5;
int* pointer_to_global = &global_of_data;  // the loader writes it
const int kConstant = 7;
std::array<char, 5 << 20> large_of_bss;
std::array<int, 3000> large_of_data = {1, 2, 3};
alignas(4096) std::array<unsigned char, 4096> a_page = {9};

namespace {

unsigned char odd_bytes[4099];
long double of_anonymous_namespace = 1.5L;
std::complex<double> not_trivial{1.0, 2.0};
std::string a_string = "made by a constructor";
std::vector<int> a_vector(100, 3);
long a_lock;
std::uint64_t a_signal;
thread_local int of_thread = 1;

struct Class {
  static int member;
  static inline long inline_member = 3;
  static std::array<double, 10> array_member;
};
int Class::member = 2;
std::array<double, 10> Class::array_member;

template <class T>
struct Template {
  static T member;
};
template <class T>
T Template<T>::member = T(6);

int& staticLocal() {
  static int local = 10;
  return local;
}

int next() { return (shmem_my_pe() + 1) % shmem_n_pes(); }
int previous() { return (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes(); }

/// What was there before main is there still, in each PE.
void testFirstValues() {
  CHECK_EQ(global_of_bss, 0);
  CHECK_EQ(global_of_data, 41);
  CHECK_EQ(*pointer_to_global, 41);
  CHECK_EQ(global_of_c, 1);
  CHECK_EQ(a_string, "made by a constructor");
  CHECK_EQ(a_vector.size(), 100U);
  CHECK_EQ(large_of_data[2], 3);
  CHECK_EQ(a_page[0], 9);
  CHECK(std::all_of(large_of_bss.begin(), large_of_bss.end(), [](char byte) { return byte == 0; }));
}

/// Variables of each kind can be reached on each PE; others on none.
void testAccessible() {
  int on_stack = 0;
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    for (const void* address :
         {static_cast<const void*>(&global_of_bss), static_cast<const void*>(&global_of_data),
          static_cast<const void*>(&global_of_c), static_cast<const void*>(&inline_global),
          static_cast<const void*>(&large_of_bss.back()), static_cast<const void*>(&a_page),
          static_cast<const void*>(&of_anonymous_namespace), static_cast<const void*>(&a_string),
          static_cast<const void*>(&Class::member), static_cast<const void*>(&Class::inline_member),
          static_cast<const void*>(&Template<int>::member),
          static_cast<const void*>(&staticLocal())})
      CHECK_EQ(shmem_addr_accessible(address, pe), 1);
    for (const void* address :
         {static_cast<const void*>(&kConstant), static_cast<const void*>(&on_stack),
          static_cast<const void*>(&of_thread), static_cast<const void*>(a_vector.data()),
          static_cast<const void*>("literal")})
      CHECK_EQ(shmem_addr_accessible(address, pe), 0);
  }
}

/// Writes into the next PE's, and finds what the one before has written.
template <class T>
void testPut(T& variable) {
  T value = static_cast<T>(50 + shmem_my_pe());
  shmem_barrier_all();
  shmem_putmem(&variable, &value, sizeof value, next());
  shmem_barrier_all();
  CHECK_EQ(variable, static_cast<T>(50 + previous()));
  shmem_getmem(&value, &variable, sizeof value, next());
  CHECK_EQ(value, static_cast<T>(50 + shmem_my_pe()));
  shmem_barrier_all();
}

void testEachKind() {
  testPut(global_of_bss);
  testPut(global_of_data);
  CHECK_EQ(*pointer_to_global, global_of_data);
  testPut(global_of_c);
  testPut(inline_global);
  testPut(of_anonymous_namespace);
  testPut(not_trivial);
  testPut(Class::member);
  testPut(Class::inline_member);
  testPut(Class::array_member[9]);
  testPut(Template<int>::member);
  testPut(Template<short>::member);
  testPut(staticLocal());
  testPut(large_of_bss.front());
  testPut(large_of_bss.back());
  testPut(large_of_data.back());
  testPut(a_page.back());
  testPut(odd_bytes[4098]);
}

void testLargePut() {
  std::vector<char> source(large_of_bss.size(), static_cast<char>(shmem_my_pe() + 1));
  shmem_char_put(large_of_bss.data(), source.data(), source.size(), next());
  shmem_barrier_all();
  const char expected = static_cast<char>(previous() + 1);
  CHECK(std::all_of(large_of_bss.begin(), large_of_bss.end(),
                    [=](char byte) { return byte == expected; }));
  shmem_barrier_all();
}

/// From statics to the heap and back, and strided.
void testBothSegments() {
  auto* const block = static_cast<int*>(shmem_malloc(large_of_data.size() * sizeof(int)));
  for (std::size_t at = 0; at < large_of_data.size(); ++at)
    large_of_data[at] = static_cast<int>(at);
  shmem_int_put(block, large_of_data.data(), large_of_data.size(), next());
  shmem_barrier_all();
  CHECK_EQ(block[2999], 2999);
  shmem_int_iput(large_of_data.data(), block + 1000, 2, 1, 100, next());
  shmem_int_iget(block, large_of_data.data() + 1000, 1, 3, 100, next());
  CHECK_EQ(block[99], 1297);
  shmem_barrier_all();
  CHECK_EQ(large_of_data[198], 1099);
  shmem_free(block);
}

void testAtomics() {
  global_of_bss = 0;
  shmem_barrier_all();
  for (int time = 0; time < 100; ++time) shmem_int_atomic_inc(&global_of_bss, 0);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) CHECK_EQ(global_of_bss, 100 * shmem_n_pes());
  CHECK_EQ(shmem_int_atomic_fetch(&global_of_bss, 0), 100 * shmem_n_pes());
  shmem_barrier_all();
}

void testSignals() {
  a_signal = 0;
  shmem_barrier_all();
  const int value = shmem_my_pe();
  shmem_int_put_signal(&global_of_data, &value, 1, &a_signal, 3, SHMEM_SIGNAL_SET, next());
  CHECK_EQ(shmem_signal_wait_until(&a_signal, SHMEM_CMP_EQ, 3), 3U);
  CHECK_EQ(global_of_data, previous());
  shmem_barrier_all();
}

void testLock() {
  static int counter;
  for (int time = 0; time < 50; ++time) {
    shmem_set_lock(&a_lock);
    shmem_int_p(&counter, shmem_int_g(&counter, 0) + 1, 0);
    shmem_clear_lock(&a_lock);
  }
  shmem_barrier_all();
  CHECK_EQ(shmem_int_g(&counter, 0), 50 * shmem_n_pes());
}

void testCollectives() {
  static long source, dest[256];
  source = shmem_my_pe();
  CHECK_EQ(shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, &source, 1), 0);
  for (int pe = 0; pe < shmem_n_pes(); ++pe) CHECK_EQ(dest[pe], pe);
  CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &source, &source, 1), 0);
  CHECK_EQ(source, shmem_n_pes() * (shmem_n_pes() - 1L) / 2);
}

/// Each PE has its own variables, though they share memory.
void testOwnValues() {
  staticLocal() = shmem_my_pe();
  a_string = "PE " + std::to_string(shmem_my_pe());
  a_vector.assign(1000, shmem_my_pe());
  shmem_barrier_all();
  CHECK_EQ(staticLocal(), shmem_my_pe());
  CHECK_EQ(a_string, "PE " + std::to_string(shmem_my_pe()));
  CHECK_EQ(a_vector[999], shmem_my_pe());
  shmem_barrier_all();
  *static_cast<int*>(shmem_ptr(&staticLocal(), next())) = 1000 + shmem_my_pe();
  shmem_barrier_all();
  CHECK_EQ(staticLocal(), 1000 + previous());
}

/// They outlive the library, and are symmetric again.
void testAgain() {
  const int before = staticLocal();
  shmem_finalize();
  CHECK_EQ(staticLocal(), before);
  staticLocal() = 77;
  shmem_init();
  CHECK_EQ(staticLocal(), 77);
  testPut(staticLocal());
}

/// A variable that a constructor of the program has written before main, and standard streams.
const int kConstructed = [] {
  global_of_c = 1;
  return std::printf("%s", "");
}();

}  // namespace

int main() {
  CHECK_EQ(kConstructed, 0);
  testFirstValues();
  shmem_init();
  testAccessible();
  testFirstValues();
  shmem_barrier_all();
  testEachKind();
  testLargePut();
  testBothSegments();
  testAtomics();
  testSignals();
  testLock();
  testCollectives();
  testOwnValues();
  testAgain();
  shmem_finalize();
}
