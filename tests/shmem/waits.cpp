// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// wait_until and test of one variable and of several: what they compare, masks, empty sets, what
// they return. Who wakes them is wakeups.cpp's.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <vector>

#include "shmem/check.h"
#include "shmem/types.h"
#include "shmem/wait_calls.h"

namespace {

using ucxx::test::WaitCalls;

constexpr std::array kComparisons{SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT,
                                  SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE};

template <class T>
bool holds(T value, int comparison, T with) {
  if (comparison == SHMEM_CMP_EQ) return value == with;
  if (comparison == SHMEM_CMP_NE) return value != with;
  if (comparison == SHMEM_CMP_GT) return value > with;
  if (comparison == SHMEM_CMP_GE) return value >= with;
  if (comparison == SHMEM_CMP_LT) return value < with;
  return value <= with;
}

template <class T>
constexpr std::array<T, 5> kValues{T{0}, T{1}, std::numeric_limits<T>::max(),
                                   std::numeric_limits<T>::min(), static_cast<T>(-2)};

/// The word lies among others that would give other results.
template <class T>
void checkOne(T* area, void (*wait_until)(T*, int, T), int (*test)(T*, int, T)) {
  T* const word = area + 1;
  for (const T value : kValues<T>) {
    for (const T with : kValues<T>) {
      area[0] = area[2] = static_cast<T>(~value);
      *word = value;
      for (const int comparison : kComparisons) {
        const bool expected = holds(value, comparison, with);
        CHECK_EQ(test(word, comparison, with), expected ? 1 : 0);
        if (expected) wait_until(word, comparison, with);
      }
    }
  }
}

constexpr std::size_t kMost = 70;

/// Variables of the local PE, of both kinds of memory.
template <class T>
class Arrays {
 public:
  Arrays() : heap_(static_cast<T*>(shmem_malloc(kMost * sizeof(T)))) {}
  ~Arrays() { shmem_free(heap_); }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;
  std::array<T*, 2> all() const { return {heap_, in_statics.data()}; }

 private:
  T* heap_;
  inline static std::array<T, kMost> in_statics;
};

/// What a call is asked, and what is right. `with` has one value for all, or one for each.
template <class T>
struct Question {
  T* ivars;
  std::size_t count;
  const int* status;
  int comparison;
  std::vector<T> with;
  bool is_vector;

  std::vector<std::size_t> included() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < count; ++i) {
      if (status == nullptr || status[i] == 0) result.push_back(i);
    }
    return result;
  }
  std::vector<std::size_t> right() const {
    auto result = included();
    std::erase_if(result, [this](std::size_t i) {
      return !holds(ivars[i], comparison, with[is_vector ? i : 0]);
    });
    return result;
  }
};

/// The calls of the form that the question is asked in.
template <class T>
struct Asked {
  const WaitCalls<T>& calls;
  const Question<T>& question;

  template <class Plain, class Vector, class... Arguments>
  auto ask(Plain* plain, Vector* vector, Arguments... arguments) const {
    const auto& q = question;
    if (q.is_vector)
      return vector(q.ivars, q.count, arguments..., q.status, q.comparison, q.with.data());
    return plain(q.ivars, q.count, arguments..., q.status, q.comparison, q.with[0]);
  }
  int testAll() const { return ask(calls.test_all, calls.test_all_vector); }
  std::size_t testAny() const { return ask(calls.test_any, calls.test_any_vector); }
  std::size_t testSome(std::size_t* to) const {
    return ask(calls.test_some, calls.test_some_vector, to);
  }
  void waitAll() const { ask(calls.wait_until_all, calls.wait_until_all_vector); }
  std::size_t waitAny() const { return ask(calls.wait_until_any, calls.wait_until_any_vector); }
  std::size_t waitSome(std::size_t* to) const {
    return ask(calls.wait_until_some, calls.wait_until_some_vector, to);
  }
};

void checkAny(std::size_t found, const std::vector<std::size_t>& right) {
  if (right.empty()) {
    CHECK_EQ(found, SIZE_MAX);
  } else {
    CHECK(std::find(right.begin(), right.end(), found) != right.end());
  }
}

/// `some(indices)` fills as many as it returns, in any order, and no more.
template <class Some>
void checkSome(const Some& some, const std::vector<std::size_t>& right) {
  std::vector<std::size_t> indices(kMost + 1, SIZE_MAX - 1);
  const std::size_t found = some(indices.data());
  CHECK_EQ(found, right.size());
  std::sort(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(found));
  CHECK(std::equal(right.begin(), right.end(), indices.begin()));
  for (std::size_t i = found; i < indices.size(); ++i) CHECK_EQ(indices[i], SIZE_MAX - 1);
}

/// All that need not wait.
template <class T>
void checkQuestion(const WaitCalls<T>& calls, const Question<T>& question) {
  const Asked<T> asked{calls, question};
  const auto included = question.included(), right = question.right();
  CHECK_EQ(asked.testAll(), right.size() == included.size() ? 1 : 0);
  checkAny(asked.testAny(), right);
  checkSome([&](std::size_t* indices) { return asked.testSome(indices); }, right);
  if (right.size() == included.size()) asked.waitAll();
  if (right.empty() && !included.empty()) return;
  checkAny(asked.waitAny(), right);
  checkSome([&](std::size_t* indices) { return asked.waitSome(indices); }, right);
}

/// All variables, some and none of them are masked; any non-zero value masks.
std::vector<std::vector<int>> masks(std::size_t count) {
  std::vector<int> some(count, 0), ends(count, 0);
  for (std::size_t i = 0; i < count; i += 3) some[i] = i % 2 == 0 ? 1 : -5;
  if (count != 0) ends.front() = ends.back() = 7;
  return {std::vector<int>(count, 0), some, ends, std::vector<int>(count, 1)};
}

template <class T>
void checkMasks(const WaitCalls<T>& calls, Question<T> question) {
  question.status = nullptr;
  checkQuestion(calls, question);
  for (const std::vector<int>& mask : masks(question.count)) {
    question.status = mask.data();
    checkQuestion(calls, question);
  }
}

/// Values of which, for most comparisons, some are right.
template <class T>
void checkSets(const WaitCalls<T>& calls, T* ivars) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{5}, kMost}) {
    std::vector<T> each(count);
    for (std::size_t i = 0; i < count; ++i) {
      ivars[i] = kValues<T>[i % 5];
      each[i] = kValues<T>[i / 2 % 5];
    }
    for (const int comparison : kComparisons) {
      checkMasks<T>(calls, {ivars, count, nullptr, comparison, each, true});
      for (const T with : kValues<T>)
        checkMasks<T>(calls, {ivars, count, nullptr, comparison, {with}, false});
    }
  }
}

/// Nothing is looked at.
template <class T>
void checkEmpty(const WaitCalls<T>& calls) {
  for (const bool is_vector : {false, true})
    checkQuestion<T>(calls, {nullptr, 0, nullptr, SHMEM_CMP_EQ, {T{1}}, is_vector});
  CHECK_EQ(calls.test_all_vector(nullptr, 0, nullptr, SHMEM_CMP_EQ, nullptr), 1);
  CHECK_EQ(calls.test_any_vector(nullptr, 0, nullptr, SHMEM_CMP_EQ, nullptr), SIZE_MAX);
  CHECK_EQ(calls.test_some_vector(nullptr, 0, nullptr, nullptr, SHMEM_CMP_EQ, nullptr), 0U);
  CHECK_EQ(calls.wait_until_some_vector(nullptr, 0, nullptr, nullptr, SHMEM_CMP_EQ, nullptr), 0U);
}

/// Each that stays right comes up in the end.
template <class T>
void checkFairness(const WaitCalls<T>& calls, T* ivars) {
  constexpr std::size_t kCount = 10, kMasked = 4;
  std::fill_n(ivars, kCount, T{1});
  const std::vector<T> ones(kCount, T{1});
  std::vector<int> status(kCount, 0);
  status[kMasked] = 1;
  for (const bool is_vector : {false, true}) {
    const Question<T> question{ivars, kCount, status.data(), SHMEM_CMP_EQ, ones, is_vector};
    const Asked<T> asked{calls, question};
    std::vector<int> tested(kCount, 0), waited(kCount, 0);
    for (std::size_t call = 0; call < 20 * kCount; ++call) ++tested[asked.testAny()];
    for (std::size_t call = 0; call < 20 * kCount; ++call) ++waited[asked.waitAny()];
    for (std::size_t i = 0; i < kCount; ++i) {
      CHECK_EQ(tested[i] > 0, i != kMasked);
      CHECK_EQ(waited[i] > 0, i != kMasked);
    }
  }
}

/// The same where calls for another set lie between.
template <class T>
void checkFairnessOfTwoSets(const WaitCalls<T>& calls, T* ivars) {
  constexpr std::size_t kCount = 4;
  std::fill_n(ivars, kCount + 1, T{1});
  std::array<int, kCount> found{};
  for (std::size_t call = 0; call < 100; ++call) {
    ++found[calls.wait_until_any(ivars, kCount, nullptr, SHMEM_CMP_EQ, T{1})];
    CHECK_EQ(calls.wait_until_any(ivars + kCount, 1, nullptr, SHMEM_CMP_EQ, T{1}), 0U);
  }
  for (const int times : found) CHECK(times > 0);
}

template <class T>
void checkWaits(const WaitCalls<T>& calls) {
  const Arrays<T> arrays;
  for (T* const ivars : arrays.all()) {
    checkSets(calls, ivars);
    checkFairness(calls, ivars);
    checkFairnessOfTwoSets(calls, ivars);
  }
  checkEmpty(calls);
}

void testTypes() {
#define TYPED(name, T)                    \
  for (T* const area : Arrays<T>().all()) \
    checkOne<T>(area, shmem_##name##_wait_until, shmem_##name##_test);
  FOR_WAIT_TYPES(TYPED)
#undef TYPED
#define TYPED(name, T) checkWaits<T>(WAIT_CALLS(name, T));
  FOR_WAIT_TYPES(TYPED)
#undef TYPED
}

/// The deprecated names wait until the value is another one.
template <class T>
void checkOldWait(void (*wait)(T*, T)) {
  static T word;
  word = T{3};
  wait(&word, T{4});
  word = T{4};
  shmem_barrier_all();
  shmem_putmem(&word, &(const T&)T{5}, sizeof word, (shmem_my_pe() + 1) % shmem_n_pes());
  wait(&word, T{4});
  CHECK_EQ(word, T{5});
  shmem_barrier_all();
}

void testOldNames() {
  checkOldWait<long>(shmem_wait);
#define TYPED(name, T) checkOldWait<T>(shmem_##name##_wait);
  FOR_OLD_WAIT_TYPES(TYPED)
#undef TYPED
  static long word = 8;
  shmem_wait_until(&word, SHMEM_CMP_GT, 7L);
}

}  // namespace

int main() {
  shmem_init();
  testTypes();
  testOldNames();
  shmem_finalize();
}
