// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// misuse CASE: does something wrong. errors_check.py runs each case, and knows what has to be said.
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include <shmem.h>
#include <shmemx.h>
#include <unistd.h>

#include "shmem/no_memory.h"

namespace {

long a_static[4];

long* onHeap() { return static_cast<long*>(shmem_calloc(8, sizeof(long))); }
int last() { return shmem_n_pes() - 1; }

void putToStack() {
  long on_stack = 0;
  shmem_long_p(&on_stack, 1, last());
}
void putToMalloc() {
  auto* const memory = new long(0);
  shmem_long_atomic_add(memory, 1, last());
}
void waitOnStack() {
  long on_stack = 0;
  shmem_long_wait_until(&on_stack, SHMEM_CMP_EQ, 0);
}
void lockOnStack() {
  long on_stack = 0;
  shmem_set_lock(&on_stack);
}
/// A buffer of a collective that is not symmetric, where it is not looked at for the transfer.
long* onPrivateHeap() { return new long[8]{}; }
void broadcastFromMalloc() {
  shmem_long_broadcast(SHMEM_TEAM_WORLD, onHeap(), onPrivateHeap(), 1, 0);
}
void broadcastToMalloc() {
  shmem_long_broadcast(SHMEM_TEAM_WORLD, onPrivateHeap(), onHeap(), 1, 0);
}
void collectFromMalloc() { shmem_long_collect(SHMEM_TEAM_WORLD, onHeap(), onPrivateHeap(), 1); }
void fcollectToMalloc() { shmem_long_fcollect(SHMEM_TEAM_WORLD, onPrivateHeap(), onHeap(), 1); }
void alltoallToMalloc() { shmem_long_alltoall(SHMEM_TEAM_WORLD, onPrivateHeap(), onHeap(), 1); }
void alltoallsFromMalloc() {
  shmem_long_alltoalls(SHMEM_TEAM_WORLD, onHeap(), onPrivateHeap(), 1, 1, 1);
}
void sumFromMalloc() { shmem_long_sum_reduce(SHMEM_TEAM_WORLD, onHeap(), onPrivateHeap(), 1); }
void scanToMalloc() { shmem_long_sum_inscan(SHMEM_TEAM_WORLD, onPrivateHeap(), onHeap(), 1); }
void freeForeign() { shmem_free(a_static); }
void freeInside() { shmem_free(onHeap() + 1); }
void comparison() { shmem_long_test(a_static, 77, 0); }
void signalOperator() {
  static uint64_t signal;
  shmem_putmem_signal(a_static, a_static, 0, &signal, 1, 9, last());
}
void lockTwice() {
  shmem_set_lock(a_static);
  shmem_set_lock(a_static);
}
/// While the other one waits for it.
void lockTwiceBeforeOther() {
  static long lock, comes;
  if (shmem_my_pe() == 0) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (shmem_my_pe() == 1) shmem_long_p(&comes, 1, 0);
  if (shmem_my_pe() == 0) {
    shmem_long_wait_until(&comes, SHMEM_CMP_EQ, 1);
    usleep(50'000);  // it is queued, most likely; if not, the call is as wrong
  }
  shmem_set_lock(&lock);
}
void clearForeign() {
  static long lock;
  if (shmem_my_pe() == 0) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (shmem_my_pe() == 1) shmem_clear_lock(&lock);
  shmem_barrier_all();
}
void clearFree() { shmem_clear_lock(a_static); }
void alignment() { shmem_align(24, 100); }
void activeSet() {
  static long psync[SHMEM_SYNC_SIZE];
  shmem_barrier(0, 0, shmem_n_pes() + 1, psync);
}
void activeSetWithoutMemory() {
  static long psync[SHMEM_SYNC_SIZE];
  for (long& word : psync) word = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  const ucxx::test::Shortage shortage(0);
  shmem_barrier(0, 0, shmem_n_pes(), psync);
}

// With SHMEM_DEBUG.
void peTooLarge() { shmem_long_p(a_static, 1, shmem_n_pes()); }
void peNegative() { shmem_long_g(a_static, -1); }
void beyondHeap() { shmem_putmem(onHeap(), a_static, std::size_t{1} << 40, last()); }
void nullSource() { shmem_putmem(onHeap(), nullptr, 8, last()); }
void overlap() { shmem_putmem(a_static, a_static + 1, 16, shmem_my_pe()); }
void stride() { shmem_long_iput(onHeap(), a_static, 0, 1, 2, last()); }
void stridedNull() { shmem_long_iput(onHeap(), nullptr, 1, 2, 4, last()); }
void differentSplits() {
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, shmem_my_pe() == 0 ? 1 : 5, 2, nullptr, 0, &team);
}
void differentLengths() {
  static long dest[8];
  shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, a_static, shmem_my_pe() == 0 ? 0 : 4);
}
void barrierAgainstReduction() {
  static long dest[1];
  if (shmem_my_pe() == 0) {
    shmem_barrier_all();
  } else {
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, a_static, 1);
  }
}
void clearAgain() {
  shmem_set_lock(a_static);
  shmem_clear_lock(a_static);
  shmem_clear_lock(a_static);
}
void differentSizes() { shmem_malloc(shmem_my_pe() == 0 ? 64 : 128); }
void differentRoots() {
  static long dest[1];
  shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, a_static, 1, shmem_my_pe());
}
void root() {
  static long dest[1];
  shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, a_static, 1, 99);
}
/// Strides of 2 in arrays of 2 * 2 * 2 elements, so with 2 PEs.
int callAlltoalls(long* dest, const long* source) {
  return shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, 2, 2, 2);
}
void alltoallsOverlap() {
  long* const block = onHeap();
  callAlltoalls(block, block + 2);
}
/// No mistake: the elements of one lie between those of the other.
void alltoallsBetween() {
  static long block[16];
  callAlltoalls(block, block + 1);
}
void alltoallsOffsets() {
  static long dest[9], source[8];
  callAlltoalls(dest + (shmem_my_pe() == 0 ? 0 : 1), source);
}
void alltoallsStride() {
  static long dest[8], source[8];
  shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, 0, 2, 2);
}
void collectOverlap() {
  long* const block = onHeap();
  shmem_long_collect(SHMEM_TEAM_WORLD, block, block + 3, 2);
}
void collectOffsets() {
  static long dest[9], source[2];
  shmem_long_collect(SHMEM_TEAM_WORLD, dest + (shmem_my_pe() == 0 ? 0 : 1), source, 2);
}
void invalidContext() { shmem_ctx_long_p(SHMEM_CTX_INVALID, a_static, 1, 0); }
void foreignContext() {
  shmem_ctx_t context;
  shmem_ctx_create(SHMEM_CTX_PRIVATE, &context);
  std::thread([=] { shmem_ctx_long_p(context, a_static, 1, 0); }).join();
}
void largeAlignment() {
  if (shmem_align(std::size_t{128} << 20, 8) != nullptr) shmem_global_exit(1);
}
void exhausted() {
  if (shmem_malloc(std::size_t{1} << 40) != nullptr) std::abort();
}

// Outside of init and finalize.
void beforeInit() { shmem_my_pe(); }
void putBeforeInit() { shmem_long_p(a_static, 1, 0); }
void barrierBeforeInit() { shmem_barrier_all(); }
void reduceBeforeInit() { shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a_static, a_static, 1); }
void mallocAfterFinalize() {
  shmem_init();
  shmem_finalize();
  shmem_malloc(8);
}
void finalizeTwice() {
  shmem_init();
  shmem_finalize();
  shmem_finalize();
}

void afterFinalize(void (*call)()) {
  shmem_init();
  shmem_finalize();
  call();
}
void startAfterFinalize() {
  start_pes(0);
  shmem_finalize();
  start_pes(0);
}
void teamMyPeAfterFinalize() {
  afterFinalize([] { shmem_team_my_pe(SHMEM_TEAM_WORLD); });
}
void teamPesAfterFinalize() {
  afterFinalize([] { shmem_team_n_pes(SHMEM_TEAM_SHARED); });
}
void teamConfigAfterFinalize() {
  afterFinalize([] {
    shmem_team_config_t config;
    shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, &config);
  });
}
void translateAfterFinalize() {
  afterFinalize([] { shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, SHMEM_TEAM_SHARED); });
}

void handler(const char* text) {
  std::printf("handled: %s\n", text);
  std::fflush(stdout);
}
void ownHandler() {
  shmemx_set_error_handler(handler);
  putToStack();
}

const std::map<std::string, std::function<void()>> kInside = {
    {"putToStack", putToStack},
    {"putToMalloc", putToMalloc},
    {"waitOnStack", waitOnStack},
    {"lockOnStack", lockOnStack},
    {"broadcastFromMalloc", broadcastFromMalloc},
    {"broadcastToMalloc", broadcastToMalloc},
    {"collectFromMalloc", collectFromMalloc},
    {"fcollectToMalloc", fcollectToMalloc},
    {"alltoallToMalloc", alltoallToMalloc},
    {"alltoallsFromMalloc", alltoallsFromMalloc},
    {"sumFromMalloc", sumFromMalloc},
    {"scanToMalloc", scanToMalloc},
    {"freeForeign", freeForeign},
    {"freeInside", freeInside},
    {"comparison", comparison},
    {"signalOperator", signalOperator},
    {"lockTwice", lockTwice},
    {"lockTwiceBeforeOther", lockTwiceBeforeOther},
    {"clearForeign", clearForeign},
    {"clearFree", clearFree},
    {"alignment", alignment},
    {"activeSet", activeSet},
    {"activeSetWithoutMemory", activeSetWithoutMemory},
    {"peTooLarge", peTooLarge},
    {"peNegative", peNegative},
    {"beyondHeap", beyondHeap},
    {"nullSource", nullSource},
    {"overlap", overlap},
    {"stride", stride},
    {"stridedNull", stridedNull},
    {"differentSplits", differentSplits},
    {"differentLengths", differentLengths},
    {"barrierAgainstReduction", barrierAgainstReduction},
    {"clearAgain", clearAgain},
    {"differentSizes", differentSizes},
    {"differentRoots", differentRoots},
    {"root", root},
    {"alltoallsOverlap", alltoallsOverlap},
    {"alltoallsBetween", alltoallsBetween},
    {"alltoallsOffsets", alltoallsOffsets},
    {"alltoallsStride", alltoallsStride},
    {"collectOverlap", collectOverlap},
    {"collectOffsets", collectOffsets},
    {"invalidContext", invalidContext},
    {"foreignContext", foreignContext},
    {"largeAlignment", largeAlignment},
    {"exhausted", exhausted},
    {"ownHandler", ownHandler},
    {"nothing", [] {}},
};
/// This program again, in the same process, which the library has made a PE when it was loaded.
void executeAnother() {
  char program[] = "/proc/self/exe", name[] = "nothing";
  char* const words[] = {program, name, nullptr};
  ::execv(program, words);
}

const std::map<std::string, std::function<void()>> kOutside = {
    {"executeAnother", executeAnother},
    {"beforeInit", beforeInit},
    {"putBeforeInit", putBeforeInit},
    {"barrierBeforeInit", barrierBeforeInit},
    {"reduceBeforeInit", reduceBeforeInit},
    {"mallocAfterFinalize", mallocAfterFinalize},
    {"finalizeTwice", finalizeTwice},
    {"startAfterFinalize", startAfterFinalize},
    {"teamMyPeAfterFinalize", teamMyPeAfterFinalize},
    {"teamPesAfterFinalize", teamPesAfterFinalize},
    {"teamConfigAfterFinalize", teamConfigAfterFinalize},
    {"translateAfterFinalize", translateAfterFinalize},
};

}  // namespace

int main(int count, char** words) {
  const std::string name = count == 2 ? words[1] : "";
  if (const auto found = kOutside.find(name); found != kOutside.end()) {
    found->second();
    return 0;
  }
  shmem_init();
  kInside.at(name)();
  shmem_finalize();
}
