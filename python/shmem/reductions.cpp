// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>

#include "collectives.h"
#include "module_functions.h"
#include "values.h"

// Reductions and scans.

namespace ucxx::python::shmem {
namespace {

enum Operation {
  And,
  Or,
  Xor,
  Max,
  Min,
  Sum,
  Prod,
  Inscan,
  Exscan
};  // the first are ucxx.shmem.OP

constexpr Named kOperations[] = {{"and", And}, {"or", Or},   {"xor", Xor},  {"max", Max},
                                 {"min", Min}, {"sum", Sum}, {"prod", Prod}};

/// The functions for elements of that kind. Truth values are bytes that are 0 or 1, and stay so but
/// for sums.
Reduction functionOf(Kind kind, int operation) noexcept {
  if (kind == Kind::Other) return nullptr;
  if (kind == Kind::Bool && operation > Min) return nullptr;
  const auto& of_kind =
      functions.reductions[static_cast<int>(kind == Kind::Bool ? Kind::Uint8 : kind)];
  const Reduction all[] = {of_kind.bit_and, of_kind.bit_or, of_kind.bit_xor,
                           of_kind.max,     of_kind.min,    of_kind.sum,
                           of_kind.prod,    of_kind.inscan, of_kind.exscan};
  return all[operation];
}

[[noreturn, gnu::cold]] void raiseNoReduction(const Arguments& given, const Array& array,
                                              int operation) {
  const Ref type = typeOf(array);
  const char* const which = operation <= Xor   ? "integers and bool"
                            : operation <= Min ? "integers, bool, float32, float64 and longdouble"
                                               : "integers, floats from float32 on and complex";
  raise(Error::Dtype, "%s: %s is of dtype %S: must be one of %s, in this machine's byte order",
        given.call(), given.nameOf(0), type.get(), which);
}

PyObject* reduceBy(const Arguments& given, int operation, int size_at, int team_at) {
  const Pair pair = pairOf(given, Overlap::OneBuffer);
  const Reduction reduction = functionOf(kindOf(pair.target), operation);
  if (reduction == nullptr) raiseNoReduction(given, pair.target, operation);
  for (const Array& array : {pair.target, pair.source}) {
    if ((PyArray_FLAGS(array.object) & NPY_ARRAY_ALIGNED) == 0)
      raiseNotAligned(given, array, PyDataType_ALIGNMENT(PyArray_DESCR(array.object)));
  }
  const Group group = groupOf(given, team_at);
  const auto size = static_cast<std::size_t>(
      sizeOf(given, size_at, std::min(pair.target.count, pair.source.count)));
  return together(given,
                  [&] { return reduction(group.team, pair.target.data, pair.source.data, size); });
}

#define UCXX_SHMEM_REDUCTION_ARGUMENTS                                                       \
  "\n\nCollective over the team. Other threads run meanwhile. Ctrl-C waits for its end.\n\n" \
  "Args:\n"                                                                                  \
  "    target: a contiguous symmetric array.\n"                                              \
  "    source: one of the same dtype; it may be the same array.\n"
#define UCXX_SHMEM_REDUCTION_END                                                   \
  "    size: how many elements; as many as both arrays have if it is not given.\n" \
  "    team: the team; all PEs if it is not given.\n\ndtypes: "

Signature reduce_signature{
    "reduce(target, source, op='sum', size=None, team=None)\n--\n\n"
    "Combine the sources of all PEs, element by element, in the target of "
    "all." UCXX_SHMEM_REDUCTION_ARGUMENTS
    "    op: one of OP, or its name: 'and', 'or', 'xor', 'max', 'min', "
    "'sum', 'prod'.\n" UCXX_SHMEM_REDUCTION_END "those of the operation."};
PyObject* reduce(const Arguments& given) {
  const int operation = given[2] == nullptr ? Sum : choiceOf(given, 2, kOperations);
  return reduceBy(given, operation, 3, 4);
}

#define UCXX_SHMEM_BITS "integers and bool."
#define UCXX_SHMEM_ORDERED "integers, bool, float32, float64, longdouble."
#define UCXX_SHMEM_NUMBERS "integers, float32, float64, longdouble, complex64, complex128."

#define UCXX_SHMEM_REDUCTION(name, operation, what, types)                                      \
  Signature operation##_signature{                                                              \
      name "(target, source, size=None, team=None)\n--\n\n" what UCXX_SHMEM_REDUCTION_ARGUMENTS \
          UCXX_SHMEM_REDUCTION_END types};                                                      \
  PyObject* reduceBy##operation(const Arguments& given) { return reduceBy(given, operation, 2, 3); }
UCXX_SHMEM_REDUCTION("and_reduce", And, "Combine the sources of all PEs by `&`, in all targets.",
                     UCXX_SHMEM_BITS)
UCXX_SHMEM_REDUCTION("or_reduce", Or, "Combine the sources of all PEs by `|`, in all targets.",
                     UCXX_SHMEM_BITS)
UCXX_SHMEM_REDUCTION("xor_reduce", Xor, "Combine the sources of all PEs by `^`, in all targets.",
                     UCXX_SHMEM_BITS)
UCXX_SHMEM_REDUCTION("max_reduce", Max, "The largest elements of all PEs, in all targets.",
                     UCXX_SHMEM_ORDERED)
UCXX_SHMEM_REDUCTION("min_reduce", Min, "The smallest elements of all PEs, in all targets.",
                     UCXX_SHMEM_ORDERED)
UCXX_SHMEM_REDUCTION("sum_reduce", Sum, "The sums of the elements of all PEs, in all targets.",
                     UCXX_SHMEM_NUMBERS)
UCXX_SHMEM_REDUCTION("prod_reduce", Prod,
                     "The products of the elements of all PEs, in all targets.", UCXX_SHMEM_NUMBERS)
UCXX_SHMEM_REDUCTION("sum_inscan", Inscan,
                     "The sums of the elements of this PE and those before it. OpenSHMEM 1.6.",
                     UCXX_SHMEM_NUMBERS)
UCXX_SHMEM_REDUCTION("sum_exscan", Exscan,
                     "The sums of the elements of the PEs before this one; PE 0 gets zeros. "
                     "OpenSHMEM 1.6.",
                     UCXX_SHMEM_NUMBERS)

constexpr Function kFunctions[] = {
    function<reduce_signature, reduce>(),         function<And_signature, reduceByAnd>(),
    function<Or_signature, reduceByOr>(),         function<Xor_signature, reduceByXor>(),
    function<Max_signature, reduceByMax>(),       function<Min_signature, reduceByMin>(),
    function<Sum_signature, reduceBySum>(),       function<Prod_signature, reduceByProd>(),
    function<Inscan_signature, reduceByInscan>(), function<Exscan_signature, reduceByExscan>(),
};

}  // namespace

std::span<const Function> reductionsOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
