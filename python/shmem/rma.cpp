// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "rma.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "module_functions.h"
#include "strided.h"
#include "values.h"

namespace ucxx::python::shmem {

namespace {

/// Whether elements of both lie in the same bytes; true also where that is hard to find out.
bool shareMemory(const Array& one, const Array& other) {
  const Ref numpy(need(PyImport_ImportModule("numpy")));
  const Ref answer(
      PyObject_CallMethod(numpy.get(), "shares_memory", "OOi", one.object, other.object, 100000));
  if (answer.get() == nullptr) PyErr_Clear();
  return answer.get() != Py_False;
}
bool areSame(const Array& one, const Array& other) noexcept {
  return one.data == other.data && PyArray_SAMESHAPE(one.object, other.object) &&
         PyArray_CompareLists(PyArray_STRIDES(one.object), PyArray_STRIDES(other.object),
                              PyArray_NDIM(one.object)) != 0;
}

}  // namespace

void requireApart(const Arguments& given, const Array& target, const Array& source,
                  std::size_t bytes) {
  const bool are_flat = areFlat(target, source);
  if (are_flat && target.data == source.data) return;
  if (are_flat && (target.data + bytes <= source.data || source.data + bytes <= target.data))
    return;
  if (!are_flat && (areSame(target, source) || !shareMemory(target, source))) return;
  raise(PyExc_ValueError, "%s: %s and %s overlap, of this PE: must be apart", given.call(),
        given.nameOf(target.argument), given.nameOf(source.argument));
}

namespace {

template <Direction direction>
PyObject* transfer(const Arguments& given, MoveBytes move) {
  constexpr bool is_put = direction == Direction::Put;
  requireRunning(given);
  const Array target = is_put ? targetOf(given, 0) : resultOf(given, 0);
  const Array source = is_put ? arrayOf(given, 1) : symmetricOf(given, 1);
  requireSameType(given, target, source);
  const Remote remote = remoteOf(given, 2, 4);
  const std::ptrdiff_t count = sizeOf(given, 3, std::min(target.count, source.count));
  if (remote.is_self) [[unlikely]]
    requireApart(given, target, source, static_cast<std::size_t>(count * target.item_bytes));
  if (areFlat(target, source)) [[likely]]
    moveFlat(move, target, source, count, remote);
  else
    moveStrided(direction, target, source, count, remote);
  return none();
}

#define UCXX_SHMEM_TRANSFER_ARGUMENTS                                                            \
  "    pe: the PE; one of the context's team.\n"                                                 \
  "    size: how many elements; as many as both have if it is not given.\n"                      \
  "    ctx: the context; the default one if it is not given.\n\n"                                \
  "Elements are counted in C's order of indices, or in Fortran's if both arrays are contiguous " \
  "in that and have the same shape.\n\n"                                                         \
  "Raises:\n"                                                                                    \
  "    TypeError: an argument is no array, or the dtypes differ.\n"                              \
  "    ValueError: not symmetric, freed, read-only, no such PE, or a size beyond an array."
#define UCXX_SHMEM_PUT_ARGUMENTS                       \
  "Args:\n"                                            \
  "    target: a symmetric array, or a view of one.\n" \
  "    source: any array of the same dtype.\n" UCXX_SHMEM_TRANSFER_ARGUMENTS
#define UCXX_SHMEM_GET_ARGUMENTS                                   \
  "Args:\n"                                                        \
  "    target: any array.\n"                                       \
  "    source: a symmetric array of the same dtype, or a view of " \
  "one.\n" UCXX_SHMEM_TRANSFER_ARGUMENTS

Signature put_signature{
    "put(target, source, pe, size=None, ctx=None)\n--\n\n"
    "Copy an array to a PE's copy of a symmetric array.\n\n"
    "Returns when `source` may be changed; `quiet` waits until the data is "
    "there.\n\n" UCXX_SHMEM_PUT_ARGUMENTS};
PyObject* put(const Arguments& given) {
  return transfer<Direction::Put>(given, functions.ctx_putmem);
}
Signature get_signature{
    "get(target, source, pe, size=None, ctx=None)\n--\n\n"
    "Copy a PE's copy of a symmetric array to an array.\n\n"
    "Returns when the data is there.\n\n" UCXX_SHMEM_GET_ARGUMENTS};
PyObject* get(const Arguments& given) {
  return transfer<Direction::Get>(given, functions.ctx_getmem);
}
Signature put_nbi_signature{
    "put_nbi(target, source, pe, size=None, ctx=None)\n--\n\n"
    "Begin to copy an array to a PE's copy of a symmetric array.\n\n"
    "Until the next `quiet` neither array may be changed. Arrays that are "
    "not contiguous are copied before it returns.\n\n" UCXX_SHMEM_PUT_ARGUMENTS};
PyObject* putNbi(const Arguments& given) {
  return transfer<Direction::Put>(given, functions.ctx_putmem_nbi);
}
Signature get_nbi_signature{
    "get_nbi(target, source, pe, size=None, ctx=None)\n--\n\n"
    "Begin to copy a PE's copy of a symmetric array to an array.\n\n"
    "The data is there after the next `quiet`. Arrays that are not "
    "contiguous are copied before it returns.\n\n" UCXX_SHMEM_GET_ARGUMENTS};
PyObject* getNbi(const Arguments& given) {
  return transfer<Direction::Get>(given, functions.ctx_getmem_nbi);
}

std::ptrdiff_t strideOf(const Arguments& given, int argument, std::ptrdiff_t least) {
  const long stride = given[argument] == nullptr ? least : longOf(given, argument);
  if (stride < least)
    raise(PyExc_ValueError, "%s: %s = %ld: must be at least %zd", given.call(),
          given.nameOf(argument), stride, least);
  return stride;
}

/// How many blocks an array has room for, of which the first elements are `stride` apart.
std::ptrdiff_t blocksIn(const Array& array, std::ptrdiff_t block, std::ptrdiff_t stride) noexcept {
  return array.count < block ? 0 : (array.count - block) / stride + 1;
}

/// The positions of the arguments of a strided call.
struct StridedArguments {
  int tst, sst, bsize, size, ctx;  // bsize: -1: blocks of one element
};

template <Direction direction>
PyObject* stridedTransfer(const Arguments& given, const StridedArguments& at) {
  constexpr bool is_put = direction == Direction::Put;
  requireRunning(given);
  const Array target = is_put ? targetOf(given, 0) : resultOf(given, 0);
  const Array source = is_put ? arrayOf(given, 1) : symmetricOf(given, 1);
  requireSameType(given, target, source);
  requireSameOrder(given, target, source);
  const std::ptrdiff_t block = at.bsize < 0 ? 1 : strideOf(given, at.bsize, 1);
  std::ptrdiff_t tst = strideOf(given, at.tst, block), sst = strideOf(given, at.sst, block);
  const std::ptrdiff_t most = std::min(blocksIn(target, block, tst), blocksIn(source, block, sst));
  const auto count = static_cast<std::size_t>(sizeOf(given, at.size, most));
  const Remote remote = remoteOf(given, 2, at.ctx);
  if (count == 0 || target.item_bytes == 0) return none();
  if (count == 1) tst = sst = block;  // as they are they may be beyond all numbers of bytes
  if (remote.is_self && shareMemory(target, source))
    raise(PyExc_ValueError, "%s: target and source overlap, of this PE: must be apart",
          given.call());
  const Unit unit = unitOf(target.item_bytes);
  const std::ptrdiff_t units = target.item_bytes / unit.bytes;
  const StridedFunctions& of_unit = functions.strided[unit.index];
  const auto move = [&] {
    if (block * units == 1)
      (is_put ? of_unit.iput : of_unit.iget)(remote.ctx, target.data, source.data, tst, sst, count,
                                             remote.pe);
    else
      (is_put ? of_unit.ibput : of_unit.ibget)(remote.ctx, target.data, source.data, tst * units,
                                               sst * units, static_cast<std::size_t>(block * units),
                                               count, remote.pe);
  };
  withoutGilIfLong(count * static_cast<std::size_t>(block * target.item_bytes), move);
  return none();
}

#define UCXX_SHMEM_STRIDED_ARGUMENTS                                                        \
  "    pe: the PE; one of the context's team.\n"                                            \
  "    tst, sst: how many elements further the next one is, in `target` and in `source`.\n" \
  "    size: how many elements; as many as both have room for if it is not given.\n"        \
  "    ctx: the context; the default one if it is not given.\n\n"                           \
  "Both arrays must be contiguous. `put` and `get` take views that are not."

Signature iput_signature{
    "iput(target, source, pe, tst=1, sst=1, size=None, ctx=None)\n--\n\n"
    "Copy elements at regular distances to a PE's copy of an array.\n\n"
    "Args:\n    target: a symmetric array.\n"
    "    source: any array of the same dtype.\n" UCXX_SHMEM_STRIDED_ARGUMENTS};
PyObject* iput(const Arguments& given) {
  return stridedTransfer<Direction::Put>(given, {3, 4, -1, 5, 6});
}
Signature iget_signature{
    "iget(target, source, pe, tst=1, sst=1, size=None, ctx=None)\n--\n\n"
    "Copy elements at regular distances from a PE's copy of an array.\n\n"
    "Args:\n    target: any array.\n"
    "    source: a symmetric array of the same dtype.\n" UCXX_SHMEM_STRIDED_ARGUMENTS};
PyObject* iget(const Arguments& given) {
  return stridedTransfer<Direction::Get>(given, {3, 4, -1, 5, 6});
}

#define UCXX_SHMEM_BLOCK_ARGUMENTS                                                         \
  "    pe: the PE; one of the context's team.\n"                                           \
  "    tst, sst: how many elements further the next block begins; `bsize` if not given.\n" \
  "    bsize: how many elements a block has.\n"                                            \
  "    size: how many blocks; as many as both have room for if it is not given.\n"         \
  "    ctx: the context; the default one if it is not given.\n\n"                          \
  "Both arrays must be contiguous. OpenSHMEM 1.6."

Signature ibput_signature{
    "ibput(target, source, pe, tst=None, sst=None, bsize=1, size=None, ctx=None)\n--\n\n"
    "Copy blocks at regular distances to a PE's copy of an array.\n\n"
    "Args:\n    target: a symmetric array.\n"
    "    source: any array of the same dtype.\n" UCXX_SHMEM_BLOCK_ARGUMENTS};
PyObject* ibput(const Arguments& given) {
  return stridedTransfer<Direction::Put>(given, {3, 4, 5, 6, 7});
}
Signature ibget_signature{
    "ibget(target, source, pe, tst=None, sst=None, bsize=1, size=None, ctx=None)\n--\n\n"
    "Copy blocks at regular distances from a PE's copy of an array.\n\n"
    "Args:\n    target: any array.\n"
    "    source: a symmetric array of the same dtype.\n" UCXX_SHMEM_BLOCK_ARGUMENTS};
PyObject* ibget(const Arguments& given) {
  return stridedTransfer<Direction::Get>(given, {3, 4, 5, 6, 7});
}

/// Room for one element of any type.
class Element {
 public:
  explicit Element(const Array& like) : bytes_(static_cast<std::size_t>(like.item_bytes)) {
    if (bytes_ > sizeof small_) large_ = std::make_unique<char[]>(bytes_);
  }
  char* data() noexcept { return large_ ? large_.get() : small_; }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  alignas(16) char small_[32] = {};
  std::unique_ptr<char[]> large_;
  std::size_t bytes_;
};

/// Throws Raised if elements are numbers, and the value is none.
void requireNumber(const Arguments& given, int argument, PyObject* value, const Array& target) {
  const int type = PyArray_TYPE(target.object);
  if (!PyTypeNum_ISNUMBER(type) && !PyTypeNum_ISBOOL(type)) return;
  if (isReal(value) || PyComplex_Check(value) || PyArray_IsScalar(value, Number) ||
      PyArray_IsScalar(value, Bool))
    return;
  const Ref dtype = typeOf(target);
  raiseNoNumber(given, given.nameOf(argument), value, PyUnicode_AsUTF8(dtype.get()));
}

/// Has NumPy store a value, as it does for structures, texts and complex numbers.
void storeByNumpy(const Arguments& given, int argument, const Array& target, char* element) {
  Ref value(Py_NewRef(given.raw(argument)));
  if (PyArray_Check(value.get())) {
    requireOneElement(given, given.nameOf(argument), value.get());
    auto* const array = reinterpret_cast<PyArrayObject*>(value.get());
    value = Ref(need(PyArray_ToScalar(PyArray_DATA(array), array)));
  }
  requireNumber(given, argument, value.get(), target);
  if (PyArray_SETITEM(target.object, element, value.get()) < 0) raiseWithName(given, argument);
  requireRunning(given);  // once more: the value may be of any class
  requireSymmetric(given, target);
}

/// Puts the argument, a value of the target's dtype, where there is room for one element.
void store(const Arguments& given, int argument, const Array& target, Element& element) {
  const auto store_number = [&](auto type) {
    const auto number = valueOf<decltype(type)>(given, argument);
    std::memcpy(element.data(), &number, sizeof number);
    if (PyArray_ISBYTESWAPPED(target.object))
      std::reverse(element.data(), element.data() + sizeof number);
  };
  withReal(nativeKindOf(target), store_number,
           [&] { storeByNumpy(given, argument, target, element.data()); });
}

Signature p_signature{
    "p(target, value, pe, ctx=None)\n--\n\n"
    "Put one value to a PE's copy of an element.\n\n"
    "Args:\n"
    "    target: a symmetric array of one element, of any dtype.\n"
    "    value: a number that the dtype holds, or an array of one; of dtypes that are no numbers "
    "what NumPy stores.\n"
    "    pe: the PE; one of the context's team.\n"
    "    ctx: the context; the default one if it is not given."};
PyObject* putValue(const Arguments& given) {
  requireRunning(given);
  const Array target = targetOf(given, 0);
  requireOne(given, target);
  const Remote remote = remoteOf(given, 2, 3);
  Element element(target);
  store(given, 1, target, element);
  functions.ctx_putmem(remote.ctx, target.data, element.data(), element.bytes(), remote.pe);
  return none();
}

/// Fields that are arrays become views of an array, which must live on.
PyObject* getStructured(const Array& source, Remote remote) {
  PyArray_Descr* const type = PyArray_DESCR(source.object);
  Py_INCREF(reinterpret_cast<PyObject*>(type));
  const Ref made(need(PyArray_SimpleNewFromDescr(0, nullptr, type)));
  auto* const element = reinterpret_cast<PyArrayObject*>(made.get());
  functions.ctx_getmem(remote.ctx, PyArray_DATA(element), source.data,
                       static_cast<std::size_t>(source.item_bytes), remote.pe);
  return PyArray_GETITEM(element, PyArray_BYTES(element));
}

Signature g_signature{
    "g(source, pe, ctx=None)\n--\n\n"
    "Get the value of a PE's copy of an element, as `item()` would.\n\n"
    "Args:\n"
    "    source: a symmetric array of one element, of any dtype.\n"
    "    pe: the PE; one of the context's team.\n"
    "    ctx: the context; the default one if it is not given."};
PyObject* getValue(const Arguments& given) {
  requireRunning(given);
  const Array source = symmetricOf(given, 0);
  requireOne(given, source);
  const Remote remote = remoteOf(given, 1, 2);
  if (PyArray_TYPE(source.object) == NPY_VOID) return getStructured(source, remote);
  Element element(source);
  functions.ctx_getmem(remote.ctx, element.data(), source.data, element.bytes(), remote.pe);
  return PyArray_GETITEM(source.object, element.data());
}

constexpr Function kFunctions[] = {
    function<put_signature, put>(),        function<get_signature, get>(),
    function<put_nbi_signature, putNbi>(), function<get_nbi_signature, getNbi>(),
    function<iput_signature, iput>(),      function<iget_signature, iget>(),
    function<ibput_signature, ibput>(),    function<ibget_signature, ibget>(),
    function<p_signature, putValue>(),     function<g_signature, getValue>(),
};

}  // namespace

std::span<const Function> rmaOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
