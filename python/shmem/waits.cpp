// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "module_functions.h"
#include "sequences.h"
#include "values.h"
#include "waiting.h"

// wait_until and test, of one element or of all, any or some of an array.

namespace ucxx::python::shmem {
namespace {

[[noreturn, gnu::cold]] void raiseNoWaits(const Arguments& given, const Array& array) {
  const Ref type = typeOf(array);
  raise(Error::Dtype, "%s: %s is of dtype %S: must be int32, int64, uint32 or uint64", given.call(),
        given.nameOf(array.argument), type.get());
}

template <class Act>
PyObject* withType(const Arguments& given, const Array& array, const Act& act) {
  return withInteger(kindOf(array), act, [&]() -> PyObject* { raiseNoWaits(given, array); });
}

// One element -------------------------------------------------------------------------------

Array variableOf(const Arguments& given) {
  requireRunning(given);
  const Array array = symmetricOf(given, 0);
  requireOne(given, array);
  requireAligned(given, array);
  return array;
}

#define UCXX_SHMEM_ONE_ARGUMENTS                                                             \
  "Args:\n"                                                                                  \
  "    ivar: a symmetric array of one element: int32, int64, uint32 or uint64.\n"            \
  "    cmp: one of CMP, or its sign or name: '==' '!=' '<' '<=' '>' '>=', 'eq' and so on.\n" \
  "    value: what the element is compared with."

Signature wait_until_signature{
    "wait_until(ivar, cmp, value)\n--\n\n"
    "Wait until an element of this PE, which another changes, compares as wanted.\n\n"
    "What was put before the change is there then. Other threads run meanwhile. Without oshrun "
    "Ctrl-C raises KeyboardInterrupt.\n\n" UCXX_SHMEM_ONE_ARGUMENTS};
PyObject* waitUntil(const Arguments& given) {
  const Array variable = variableOf(given);
  const int comparison = comparisonOf(given, 1);
  return withType(given, variable, [&](auto type) {
    using T = decltype(type);
    const auto& of_type = waitFunctions<T>();
    T* const word = reinterpret_cast<T*>(variable.data);
    const T value = valueOf<T>(given, 2);
    waitFor(
        1, [&] { return of_type.test(word, comparison, value) != 0; },
        [&] { of_type.wait_until(word, comparison, value); });
    return none();
  });
}

Signature test_signature{
    "test(ivar, cmp, value)\n--\n\n"
    "Return whether an element of this PE compares as wanted.\n\n" UCXX_SHMEM_ONE_ARGUMENTS};
PyObject* test(const Arguments& given) {
  const Array variable = variableOf(given);
  const int comparison = comparisonOf(given, 1);
  return withType(given, variable, [&](auto type) {
    using T = decltype(type);
    T* const word = reinterpret_cast<T*>(variable.data);
    return PyBool_FromLong(waitFunctions<T>().test(word, comparison, valueOf<T>(given, 2)));
  });
}

// Several elements ----------------------------------------------------------------------------

/// What all the calls with several elements take.
struct Variables {
  Array array;
  int comparison;
  std::vector<int> status;  // empty: all take part
  std::size_t count() const noexcept { return static_cast<std::size_t>(array.count); }
  const int* statusData() const noexcept { return status.empty() ? nullptr : status.data(); }
};

std::vector<int> statusOf(const Arguments& given, std::ptrdiff_t count) {
  std::vector<int> status;
  if (given[3] == nullptr) return status;
  const Ref sequence = sequenceOf(given, 3, count);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    PyObject* const item = PyTuple_GET_ITEM(sequence.get(), i);
    requireOneElement(given, "an item of status", item);
    const int is_left_out = PyObject_IsTrue(item);
    if (is_left_out < 0) throw Raised{};
    status.push_back(is_left_out);
  }
  return status;
}

Variables variablesOf(const Arguments& given) {
  requireRunning(given);
  const Array array = symmetricOf(given, 0);
  if ((PyArray_FLAGS(array.object) & NPY_ARRAY_C_CONTIGUOUS) == 0)
    raise(PyExc_ValueError, "%s: %s is not contiguous in C's order: must be", given.call(),
          given.nameOf(0));
  requireAligned(given, array);
  const int comparison = comparisonOf(given, 1);
  std::vector<int> status = statusOf(given, array.count);
  requireRunning(given);  // once more: items of `status` may be of any class
  requireSymmetric(given, array);
  return {array, comparison, std::move(status)};
}

/// An item of `values`. Of a float the fraction is cut off, as NumPy does for an array of integers.
template <class T>
T itemOf(const Arguments& given, PyObject* item) {
  const Ref integer(PyFloat_Check(item) ? PyLong_FromDouble(PyFloat_AS_DOUBLE(item))
                                        : Py_NewRef(item));
  if (integer.get() == nullptr) raiseNoNumber(given, given.nameOf(2), item, nameOfType<T>());
  return valueOf<T>(given, integer.get(), given.nameOf(2));
}

template <class T>
std::vector<T> valuesOf(const Arguments& given, std::ptrdiff_t count) {
  const Ref sequence = sequenceOf(given, 2, count);
  std::vector<T> values;
  for (std::ptrdiff_t i = 0; i < count; ++i)
    values.push_back(itemOf<T>(given, PyTuple_GET_ITEM(sequence.get(), i)));
  return values;
}

/// One value that all are compared with, or one for each.
template <class T, bool is_vector>
class Wanted {
 public:
  Wanted(const Arguments& given, std::ptrdiff_t count) {
    if constexpr (is_vector)
      values_ = valuesOf<T>(given, count);
    else
      value_ = valueOf<T>(given, 2);
  }
  auto get() const noexcept {
    if constexpr (is_vector)
      return values_.data();
    else
      return value_;
  }

 private:
  std::vector<T> values_;
  T value_{};
};

/// The C functions for them.
template <bool is_vector, class T>
constexpr const auto& functionsFor(const T*) noexcept {
  if constexpr (is_vector)
    return waitFunctions<T>().with_each;
  else
    return waitFunctions<T>().with_one;
}

PyObject* indexOrNone(std::size_t index) {
  return index == SIZE_MAX ? none() : PyLong_FromSize_t(index);
}
PyObject* listOf(const std::size_t* indices, std::size_t count) {
  Ref list(need(PyList_New(static_cast<Py_ssize_t>(count))));
  for (std::size_t i = 0; i < count; ++i)
    PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), need(PyLong_FromSize_t(indices[i])));
  return list.release();
}

/// Calls `act(words, count, status, comparison, wanted)` with what the arguments are.
template <bool is_vector, class Act>
PyObject* withVariables(const Arguments& given, const Act& act) {
  const Variables variables = variablesOf(given);
  return withType(given, variables.array, [&](auto type) {
    using T = decltype(type);
    const Wanted<T, is_vector> wanted(given, variables.array.count);
    return act(reinterpret_cast<T*>(variables.array.data), variables.count(),
               variables.statusData(), variables.comparison, wanted.get());
  });
}

/// Whether there is nothing to wait for: no element, or all left out.
bool isNoneThere(std::size_t count, const int* status) noexcept {
  if (status == nullptr) return count == 0;
  return std::all_of(status, status + count, [](int is_left_out) { return is_left_out != 0; });
}

template <bool is_vector>
PyObject* waitUntilAll(const Arguments& given) {
  return withVariables<is_vector>(
      given, [](auto* words, auto count, auto* status, int cmp, auto wanted) {
        const auto& calls = functionsFor<is_vector>(words);
        waitFor(
            count, [&] { return calls.test_all(words, count, status, cmp, wanted) != 0; },
            [&] { calls.wait_until_all(words, count, status, cmp, wanted); });
        return none();
      });
}
template <bool is_vector>
PyObject* waitUntilAny(const Arguments& given) {
  return withVariables<is_vector>(
      given, [](auto* words, auto count, auto* status, int cmp, auto wanted) {
        const auto& calls = functionsFor<is_vector>(words);
        std::size_t found = SIZE_MAX;
        waitFor(
            count,
            [&] {
              found = calls.test_any(words, count, status, cmp, wanted);
              return found != SIZE_MAX || isNoneThere(count, status);
            },
            [&] { found = calls.wait_until_any(words, count, status, cmp, wanted); });
        return indexOrNone(found);
      });
}
template <bool is_vector>
PyObject* waitUntilSome(const Arguments& given) {
  return withVariables<is_vector>(given, [](auto* words, auto count, auto* status, int cmp,
                                            auto wanted) {
    const auto& calls = functionsFor<is_vector>(words);
    const auto indices = std::make_unique<std::size_t[]>(count + 1);
    std::size_t found = 0;
    waitFor(
        count,
        [&] {
          found = calls.test_some(words, count, indices.get(), status, cmp, wanted);
          return found != 0 || isNoneThere(count, status);
        },
        [&] { found = calls.wait_until_some(words, count, indices.get(), status, cmp, wanted); });
    return listOf(indices.get(), found);
  });
}
template <bool is_vector>
PyObject* testAll(const Arguments& given) {
  return withVariables<is_vector>(
      given, [](auto* words, auto count, auto* status, int cmp, auto wanted) {
        const auto& calls = functionsFor<is_vector>(words);
        return PyBool_FromLong(calls.test_all(words, count, status, cmp, wanted));
      });
}
template <bool is_vector>
PyObject* testAny(const Arguments& given) {
  return withVariables<is_vector>(
      given, [](auto* words, auto count, auto* status, int cmp, auto wanted) {
        const auto& calls = functionsFor<is_vector>(words);
        return indexOrNone(calls.test_any(words, count, status, cmp, wanted));
      });
}
template <bool is_vector>
PyObject* testSome(const Arguments& given) {
  return withVariables<is_vector>(given, [](auto* words, auto count, auto* status, int cmp,
                                            auto wanted) {
    const auto& calls = functionsFor<is_vector>(words);
    const auto indices = std::make_unique<std::size_t[]>(count + 1);
    return listOf(indices.get(), calls.test_some(words, count, indices.get(), status, cmp, wanted));
  });
}

#define UCXX_SHMEM_SEVERAL_ARGUMENTS(values)                                            \
  "\n\nArgs:\n"                                                                         \
  "    ivars: a symmetric array, contiguous in C's order: int32, int64, uint32 or "     \
  "uint64.\n"                                                                           \
  "    cmp: one of CMP, or its sign or name: '==' '!=' '<' '<=' '>' '>=', 'eq' and so " \
  "on.\n" values                                                                        \
  "    status: a sequence with an item for each element; those whose item is true take no part."

#define UCXX_SHMEM_SEVERAL(name, what)                                                            \
  Signature name##_signature{                                                                     \
      #name "(ivars, cmp, value, status=None)\n--\n\n" what UCXX_SHMEM_SEVERAL_ARGUMENTS(         \
          "    value: what the elements are compared with.\n")};                                  \
  Signature name##_vector_signature{                                                              \
      #name "_vector(ivars, cmp, values, status=None)\n--\n\n" what UCXX_SHMEM_SEVERAL_ARGUMENTS( \
          "    values: a sequence of what each element is compared with.\n")};

UCXX_SHMEM_SEVERAL(wait_until_all, "Wait until each element of this PE has compared as wanted.")
UCXX_SHMEM_SEVERAL(wait_until_any,
                   "Wait until an element of this PE compares as wanted.\n\n"
                   "Returns its index, in the flattened array; None if none takes part.")
UCXX_SHMEM_SEVERAL(wait_until_some,
                   "Wait until at least one element of this PE compares as wanted.\n\n"
                   "Returns the list of the indices of those that do, in the flattened array; an "
                   "empty one if none takes part.")
UCXX_SHMEM_SEVERAL(test_all, "Return whether all elements of this PE compare as wanted.")
UCXX_SHMEM_SEVERAL(test_any,
                   "Return the index of an element of this PE that compares as wanted, or None.\n\n"
                   "The index is that in the flattened array.")
UCXX_SHMEM_SEVERAL(test_some,
                   "Return the list of the indices of the elements that compare as wanted.\n\n"
                   "The indices are those in the flattened array.")

constexpr Function kFunctions[] = {
    function<wait_until_signature, waitUntil>(),
    function<test_signature, test>(),
    function<wait_until_all_signature, waitUntilAll<false>>(),
    function<wait_until_any_signature, waitUntilAny<false>>(),
    function<wait_until_some_signature, waitUntilSome<false>>(),
    function<test_all_signature, testAll<false>>(),
    function<test_any_signature, testAny<false>>(),
    function<test_some_signature, testSome<false>>(),
    function<wait_until_all_vector_signature, waitUntilAll<true>>(),
    function<wait_until_any_vector_signature, waitUntilAny<true>>(),
    function<wait_until_some_vector_signature, waitUntilSome<true>>(),
    function<test_all_vector_signature, testAll<true>>(),
    function<test_any_vector_signature, testAny<true>>(),
    function<test_some_vector_signature, testSome<true>>(),
};

}  // namespace

std::span<const Function> waitsOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
