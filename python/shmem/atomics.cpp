// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "handles.h"
#include "module_functions.h"
#include "values.h"

// Atomic operations on one element of a symmetric array.

namespace ucxx::python::shmem {
namespace {

enum Operation { Set, Inc, Add, And, Or, Xor };  // ucxx.shmem.AMO

constexpr Named kOperations[] = {{"set", Set}, {"inc", Inc}, {"add", Add},
                                 {"and", And}, {"or", Or},   {"xor", Xor}};

[[noreturn, gnu::cold]] void raiseNoAtomics(const Arguments& given, const Array& array,
                                            bool has_some) {
  const Ref type = typeOf(array);
  raise(Error::Dtype, "%s: %s is of dtype %S: %s", given.call(), given.nameOf(array.argument),
        type.get(),
        has_some ? "of float32 and float64 there are fetch, set, swap alone"
                 : "must be int32, int64, uint32, uint64, or, to fetch, set and swap, float32 or "
                   "float64");
}

void requireElement(const Arguments& given, const Array& array) {
  requireOne(given, array);
  requireAligned(given, array);
}

/// Calls `act` with a value of the type of the array.
template <bool with_floats, class Act>
PyObject* withType(const Arguments& given, const Array& array, const Act& act) {
  const Kind kind = kindOf(array);
  const bool is_float = kind == Kind::Float || kind == Kind::Double;
  if constexpr (with_floats) {
    if (is_float) return kind == Kind::Float ? act(float()) : act(double());
  }
  return withInteger(kind, act, [&]() -> PyObject* { raiseNoAtomics(given, array, is_float); });
}

/// The target: one element of an array that all PEs have.
Array elementOf(const Arguments& given, int argument, bool writes = true) {
  requireRunning(given);
  const Array array = writes ? targetOf(given, argument) : symmetricOf(given, argument);
  requireElement(given, array);
  return array;
}
/// Where a non-blocking operation puts what was there: an element of this PE.
Array fetchedInto(const Arguments& given, int argument, const Array& like) {
  const Array array = resultOf(given, argument);
  requireElement(given, array);
  requireSameType(given, array, like);
  return array;
}
template <class T>
T* at(const Array& array) noexcept {
  return reinterpret_cast<T*>(array.data);
}

// The members of AtomicFunctions by operation.
template <class T>
typename AtomicFunctions<T>::Update updateOf(int operation) noexcept {
  const auto& of_type = atomicFunctions<T>();
  switch (operation) {
    case Set:
      return of_type.set;
    case Add:
      return of_type.add;
    case And:
      return of_type.bit_and;
    case Or:
      return of_type.bit_or;
    default:
      return of_type.bit_xor;
  }
}
template <class T>
typename AtomicFunctions<T>::Fetch fetchOf(int operation) noexcept {
  const auto& of_type = atomicFunctions<T>();
  switch (operation) {
    case Set:
      return of_type.swap;
    case Add:
      return of_type.fetch_add;
    case And:
      return of_type.fetch_and;
    case Or:
      return of_type.fetch_or;
    default:
      return of_type.fetch_xor;
  }
}
template <class T>
typename AtomicFunctions<T>::FetchNbi fetchNbiOf(int operation) noexcept {
  const auto& of_type = atomicFunctions<T>();
  switch (operation) {
    case Set:
      return of_type.swap_nbi;
    case Add:
      return of_type.fetch_add_nbi;
    case And:
      return of_type.fetch_and_nbi;
    case Or:
      return of_type.fetch_or_nbi;
    default:
      return of_type.fetch_xor_nbi;
  }
}

// What the functions of the module do, by the numbers of their arguments.

template <bool with_floats>
PyObject* update(const Arguments& given, int operation, int value, int pe, int ctx) {
  const Array target = elementOf(given, 0);
  return withType<with_floats>(given, target, [&](auto type) {
    using T = decltype(type);
    const T number = valueOf<T>(given, value);
    const Remote remote = remoteOf(given, pe, ctx);
    updateOf<T>(operation)(remote.ctx, at<T>(target), number, remote.pe);
    return none();
  });
}
PyObject* increment(const Arguments& given, int pe, int ctx) {
  const Array target = elementOf(given, 0);
  return withType<false>(given, target, [&](auto type) {
    using T = decltype(type);
    const Remote remote = remoteOf(given, pe, ctx);
    atomicFunctions<T>().inc(remote.ctx, at<T>(target), remote.pe);
    return none();
  });
}
template <bool with_floats>
PyObject* fetchAndUpdate(const Arguments& given, int operation, int value, int pe, int ctx) {
  const Array target = elementOf(given, 0);
  return withType<with_floats>(given, target, [&](auto type) {
    using T = decltype(type);
    const T number = valueOf<T>(given, value);
    const Remote remote = remoteOf(given, pe, ctx);
    return numberOf(fetchOf<T>(operation)(remote.ctx, at<T>(target), number, remote.pe));
  });
}
PyObject* fetchAndIncrement(const Arguments& given, int pe, int ctx) {
  const Array target = elementOf(given, 0);
  return withType<false>(given, target, [&](auto type) {
    using T = decltype(type);
    const Remote remote = remoteOf(given, pe, ctx);
    return numberOf(atomicFunctions<T>().fetch_inc(remote.ctx, at<T>(target), remote.pe));
  });
}
template <bool with_floats>
PyObject* fetchAndUpdateNbi(const Arguments& given, int operation, int value, int pe, int ctx) {
  const Array target = elementOf(given, 1);
  const Array fetched = fetchedInto(given, 0, target);
  return withType<with_floats>(given, target, [&](auto type) {
    using T = decltype(type);
    const T number = valueOf<T>(given, value);
    const Remote remote = remoteOf(given, pe, ctx);
    fetchNbiOf<T>(operation)(remote.ctx, at<T>(fetched), at<T>(target), number, remote.pe);
    return none();
  });
}
PyObject* fetchAndIncrementNbi(const Arguments& given, int pe, int ctx) {
  const Array target = elementOf(given, 1);
  const Array fetched = fetchedInto(given, 0, target);
  return withType<false>(given, target, [&](auto type) {
    using T = decltype(type);
    const Remote remote = remoteOf(given, pe, ctx);
    atomicFunctions<T>().fetch_inc_nbi(remote.ctx, at<T>(fetched), at<T>(target), remote.pe);
    return none();
  });
}

// The functions of the module.

#define UCXX_SHMEM_TARGET \
  "    target: a symmetric array of one element (a[i, ...] or a[i:i+1] are views of one).\n"
#define UCXX_SHMEM_PE                                                \
  "    pe: the PE whose element it is; one of the context's team.\n" \
  "    ctx: the context; the default one if it is not given.\n"
#define UCXX_SHMEM_INTEGERS "int32, int64, uint32 and uint64."
#define UCXX_SHMEM_ALL_TYPES "int32, int64, uint32, uint64, float32 and float64."

#define UCXX_SHMEM_UPDATE(name, operation, with_floats, what, types)                  \
  Signature name##_signature{                                                         \
      "atomic_" #name "(target, value, pe, ctx=None)\n--\n\n" what                    \
      "\n\nDoes not wait for its completion at the PE.\n\nArgs:\n" UCXX_SHMEM_TARGET  \
      "    value: a number that the dtype holds, or an array of one.\n" UCXX_SHMEM_PE \
      "\ndtypes: " types};                                                            \
  PyObject* name##Target(const Arguments& given) {                                    \
    return update<with_floats>(given, operation, 1, 2, 3);                            \
  }
UCXX_SHMEM_UPDATE(set, Set, true, "Set an element of a PE, atomically.", UCXX_SHMEM_ALL_TYPES)
UCXX_SHMEM_UPDATE(add, Add, false, "Add to an element of a PE, atomically.", UCXX_SHMEM_INTEGERS)
UCXX_SHMEM_UPDATE(and, And, false, "Do `element &= value` at a PE, atomically.",
                  UCXX_SHMEM_INTEGERS)
UCXX_SHMEM_UPDATE(or, Or, false, "Do `element |= value` at a PE, atomically.", UCXX_SHMEM_INTEGERS)
UCXX_SHMEM_UPDATE(xor, Xor, false, "Do `element ^= value` at a PE, atomically.",
                  UCXX_SHMEM_INTEGERS)

#define UCXX_SHMEM_FETCH(name, operation, with_floats, what, types)                            \
  Signature name##_signature{                                                                  \
      "atomic_" #name "(target, value, pe, ctx=None)\n--\n\n" what                             \
      "\n\nReturns what was there, a Python number.\n\nArgs:\n" UCXX_SHMEM_TARGET              \
      "    value: a number that the dtype holds, or an array of one.\n" UCXX_SHMEM_PE          \
      "\ndtypes: " types};                                                                     \
  PyObject* name##Target(const Arguments& given) {                                             \
    return fetchAndUpdate<with_floats>(given, operation, 1, 2, 3);                             \
  }                                                                                            \
  Signature name##_nbi_signature{                                                              \
      "atomic_" #name "_nbi(fetch, target, value, pe, ctx=None)\n--\n\n" what                  \
      "\n\nReturns at once; what was there is in `fetch` after the next quiet.\n\nArgs:\n"     \
      "    fetch: an array of this PE, of one element and the same dtype.\n" UCXX_SHMEM_TARGET \
      "    value: a number that the dtype holds, or an array of one.\n" UCXX_SHMEM_PE          \
      "\ndtypes: " types};                                                                     \
  PyObject* name##Nbi(const Arguments& given) {                                                \
    return fetchAndUpdateNbi<with_floats>(given, operation, 2, 3, 4);                          \
  }
UCXX_SHMEM_FETCH(swap, Set, true, "Set an element of a PE and fetch it, atomically.",
                 UCXX_SHMEM_ALL_TYPES)
UCXX_SHMEM_FETCH(fetch_add, Add, false, "Add to an element of a PE and fetch it, atomically.",
                 UCXX_SHMEM_INTEGERS)
UCXX_SHMEM_FETCH(fetch_and, And, false,
                 "Do `element &= value` at a PE and fetch what was there, atomically.",
                 UCXX_SHMEM_INTEGERS)
UCXX_SHMEM_FETCH(fetch_or, Or, false,
                 "Do `element |= value` at a PE and fetch what was there, atomically.",
                 UCXX_SHMEM_INTEGERS)
UCXX_SHMEM_FETCH(fetch_xor, Xor, false,
                 "Do `element ^= value` at a PE and fetch what was there, atomically.",
                 UCXX_SHMEM_INTEGERS)

Signature inc_signature{
    "atomic_inc(target, pe, ctx=None)\n--\n\nAdd 1 to an element of a PE, atomically.\n\n"
    "Does not wait for its completion at the PE.\n\nArgs:\n" UCXX_SHMEM_TARGET UCXX_SHMEM_PE
    "\ndtypes: " UCXX_SHMEM_INTEGERS};
PyObject* incTarget(const Arguments& given) { return increment(given, 1, 2); }

Signature fetch_inc_signature{
    "atomic_fetch_inc(target, pe, ctx=None)\n--\n\n"
    "Add 1 to an element of a PE and fetch it, atomically.\n\n"
    "Returns what was there, a Python number.\n\nArgs:\n" UCXX_SHMEM_TARGET UCXX_SHMEM_PE
    "\ndtypes: " UCXX_SHMEM_INTEGERS};
PyObject* fetchIncTarget(const Arguments& given) { return fetchAndIncrement(given, 1, 2); }

Signature fetch_inc_nbi_signature{
    "atomic_fetch_inc_nbi(fetch, target, pe, ctx=None)\n--\n\n"
    "Add 1 to an element of a PE and fetch it, atomically.\n\n"
    "Returns at once; what was there is in `fetch` after the next quiet.\n\nArgs:\n"
    "    fetch: an array of this PE, of one element and the same dtype.\n" UCXX_SHMEM_TARGET
        UCXX_SHMEM_PE "\ndtypes: " UCXX_SHMEM_INTEGERS};
PyObject* fetchIncNbi(const Arguments& given) { return fetchAndIncrementNbi(given, 2, 3); }

Signature fetch_signature{
    "atomic_fetch(source, pe, ctx=None)\n--\n\nFetch an element of a PE, atomically.\n\n"
    "Returns a Python number.\n\nArgs:\n"
    "    source: a symmetric array of one element (a[i, ...] or a[i:i+1] are views of "
    "one).\n" UCXX_SHMEM_PE "\ndtypes: " UCXX_SHMEM_ALL_TYPES};
PyObject* fetchSource(const Arguments& given) {
  const Array source = elementOf(given, 0, false);
  return withType<true>(given, source, [&](auto type) {
    using T = decltype(type);
    const Remote remote = remoteOf(given, 1, 2);
    return numberOf(atomicFunctions<T>().fetch(remote.ctx, at<T>(source), remote.pe));
  });
}

Signature fetch_nbi_signature{
    "atomic_fetch_nbi(fetch, source, pe, ctx=None)\n--\n\nFetch an element of a PE, atomically.\n\n"
    "Returns at once; what was there is in `fetch` after the next quiet.\n\nArgs:\n"
    "    fetch: an array of this PE, of one element and the same dtype.\n"
    "    source: a symmetric array of one element (a[i, ...] or a[i:i+1] are views of "
    "one).\n" UCXX_SHMEM_PE "\ndtypes: " UCXX_SHMEM_ALL_TYPES};
PyObject* fetchSourceNbi(const Arguments& given) {
  const Array source = elementOf(given, 1, false);
  const Array fetched = fetchedInto(given, 0, source);
  return withType<true>(given, source, [&](auto type) {
    using T = decltype(type);
    const Remote remote = remoteOf(given, 2, 3);
    atomicFunctions<T>().fetch_nbi(remote.ctx, at<T>(fetched), at<T>(source), remote.pe);
    return none();
  });
}

Signature compare_swap_signature{
    "atomic_compare_swap(target, cond, value, pe, ctx=None)\n--\n\n"
    "Set an element of a PE where it is equal to `cond`, atomically.\n\n"
    "Returns what was there, a Python number.\n\nArgs:\n" UCXX_SHMEM_TARGET
    "    cond: a number that the dtype holds, or an array of one.\n"
    "    value: another one.\n" UCXX_SHMEM_PE "\ndtypes: " UCXX_SHMEM_INTEGERS};
PyObject* compareSwap(const Arguments& given) {
  const Array target = elementOf(given, 0);
  return withType<false>(given, target, [&](auto type) {
    using T = decltype(type);
    const T cond = valueOf<T>(given, 1), value = valueOf<T>(given, 2);
    const Remote remote = remoteOf(given, 3, 4);
    return numberOf(
        atomicFunctions<T>().compare_swap(remote.ctx, at<T>(target), cond, value, remote.pe));
  });
}

Signature compare_swap_nbi_signature{
    "atomic_compare_swap_nbi(fetch, target, cond, value, pe, ctx=None)\n--\n\n"
    "Set an element of a PE where it is equal to `cond`, atomically.\n\n"
    "Returns at once; what was there is in `fetch` after the next quiet.\n\nArgs:\n"
    "    fetch: an array of this PE, of one element and the same dtype.\n" UCXX_SHMEM_TARGET
    "    cond: a number that the dtype holds, or an array of one.\n"
    "    value: another one.\n" UCXX_SHMEM_PE "\ndtypes: " UCXX_SHMEM_INTEGERS};
PyObject* compareSwapNbi(const Arguments& given) {
  const Array target = elementOf(given, 1);
  const Array fetched = fetchedInto(given, 0, target);
  return withType<false>(given, target, [&](auto type) {
    using T = decltype(type);
    const T cond = valueOf<T>(given, 2), value = valueOf<T>(given, 3);
    const Remote remote = remoteOf(given, 4, 5);
    atomicFunctions<T>().compare_swap_nbi(remote.ctx, at<T>(fetched), at<T>(target), cond, value,
                                          remote.pe);
    return none();
  });
}

int operationOf(const Arguments& given, int argument) {
  return choiceOf(given, argument, kOperations);
}
#define UCXX_SHMEM_OPERATION                                      \
  "    value: a number that the dtype holds; 'inc' ignores it.\n" \
  "    op: one of AMO, or its name: 'set', 'inc', 'add', 'and', 'or', 'xor'.\n"

Signature op_signature{
    "atomic_op(target, value, op, pe, ctx=None)\n--\n\n"
    "Do an operation on an element of a PE, atomically.\n\n"
    "Does not wait for its completion at the PE.\n\nArgs:\n" UCXX_SHMEM_TARGET UCXX_SHMEM_OPERATION
        UCXX_SHMEM_PE "\ndtypes: those of the operation."};
PyObject* operate(const Arguments& given) {
  const int operation = operationOf(given, 2);
  if (operation == Inc) return increment(given, 3, 4);
  if (operation == Set) return update<true>(given, operation, 1, 3, 4);
  return update<false>(given, operation, 1, 3, 4);
}

Signature fetch_op_signature{
    "atomic_fetch_op(target, value, op, pe, ctx=None)\n--\n\n"
    "Do an operation on an element of a PE and fetch what was there, atomically.\n\n"
    "Returns what was there, a Python number; with 'set' it is "
    "atomic_swap.\n\nArgs:\n" UCXX_SHMEM_TARGET UCXX_SHMEM_OPERATION UCXX_SHMEM_PE
    "\ndtypes: those of the operation."};
PyObject* fetchOperate(const Arguments& given) {
  const int operation = operationOf(given, 2);
  if (operation == Inc) return fetchAndIncrement(given, 3, 4);
  if (operation == Set) return fetchAndUpdate<true>(given, operation, 1, 3, 4);
  return fetchAndUpdate<false>(given, operation, 1, 3, 4);
}

Signature fetch_op_nbi_signature{
    "atomic_fetch_op_nbi(fetch, target, value, op, pe, ctx=None)\n--\n\n"
    "Do an operation on an element of a PE and fetch what was there, atomically.\n\n"
    "Returns at once; what was there is in `fetch` after the next quiet.\n\nArgs:\n"
    "    fetch: an array of this PE, of one element and the same dtype.\n" UCXX_SHMEM_TARGET
        UCXX_SHMEM_OPERATION UCXX_SHMEM_PE "\ndtypes: those of the operation."};
PyObject* fetchOperateNbi(const Arguments& given) {
  const int operation = operationOf(given, 3);
  if (operation == Inc) return fetchAndIncrementNbi(given, 4, 5);
  if (operation == Set) return fetchAndUpdateNbi<true>(given, operation, 2, 4, 5);
  return fetchAndUpdateNbi<false>(given, operation, 2, 4, 5);
}

constexpr Function kFunctions[] = {
    function<set_signature, setTarget>(),
    function<add_signature, addTarget>(),
    function<and_signature, andTarget>(),
    function<or_signature, orTarget>(),
    function<xor_signature, xorTarget>(),
    function<inc_signature, incTarget>(),
    function<fetch_signature, fetchSource>(),
    function<fetch_nbi_signature, fetchSourceNbi>(),
    function<swap_signature, swapTarget>(),
    function<swap_nbi_signature, swapNbi>(),
    function<compare_swap_signature, compareSwap>(),
    function<compare_swap_nbi_signature, compareSwapNbi>(),
    function<fetch_inc_signature, fetchIncTarget>(),
    function<fetch_inc_nbi_signature, fetchIncNbi>(),
    function<fetch_add_signature, fetch_addTarget>(),
    function<fetch_add_nbi_signature, fetch_addNbi>(),
    function<fetch_and_signature, fetch_andTarget>(),
    function<fetch_and_nbi_signature, fetch_andNbi>(),
    function<fetch_or_signature, fetch_orTarget>(),
    function<fetch_or_nbi_signature, fetch_orNbi>(),
    function<fetch_xor_signature, fetch_xorTarget>(),
    function<fetch_xor_nbi_signature, fetch_xorNbi>(),
    function<op_signature, operate>(),
    function<fetch_op_signature, fetchOperate>(),
    function<fetch_op_nbi_signature, fetchOperateNbi>(),
};

}  // namespace

std::span<const Function> atomicsOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
