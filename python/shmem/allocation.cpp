// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <limits>

#include "arrays.h"
#include "module_functions.h"

// Symmetric memory and symmetric arrays.

namespace ucxx::python::shmem {
namespace {

Wish wishOf(const Arguments& given, int align, int hints, bool clear) {
  return {given[align] == nullptr ? 0 : longOf(given, align),
          given[hints] == nullptr ? 0 : longOf(given, hints), clear};
}
bool truthOf(const Arguments& given, int argument) {
  if (given.raw(argument) == nullptr) return true;
  const int truth = PyObject_IsTrue(given.raw(argument));
  if (truth < 0) throw Raised{};
  return truth != 0;
}
std::size_t countOf(const Arguments& given, int argument) {
  const long count = longOf(given, argument);
  if (count < 0)
    raise(PyExc_ValueError, "%s: %s = %ld: must not be negative", given.call(),
          given.nameOf(argument), count);
  return static_cast<std::size_t>(count);
}
[[noreturn]] void raiseTooLarge(const Arguments& given) {
  raise(PyExc_MemoryError, "%s: so many bytes do not fit an address", given.call());
}

#define UCXX_SHMEM_WISHES                                                         \
  "    align: a power of two, up to 64 MiB, that the address is a multiple of.\n" \
  "    hints: what it is used for, of MALLOC; nothing beside `align`.\n"
#define UCXX_SHMEM_ALLOCATION_END \
  "\nRaises:\n"                   \
  "    MemoryError: on all PEs, if one has no room."

Signature alloc_signature{
    "alloc(count, size=1, align=None, hints=None, clear=True)\n--\n\n"
    "Allocate symmetric memory; return a memoryview of its bytes.\n\n"
    "Collective: all PEs ask for the same. Only `free` gives the memory back.\n\n"
    "Args:\n"
    "    count: how many objects.\n"
    "    size: bytes of an object.\n" UCXX_SHMEM_WISHES
    "    clear: whether the bytes are 0.\n" UCXX_SHMEM_ALLOCATION_END};
PyObject* alloc(const Arguments& given) {
  const std::size_t count = countOf(given, 0);
  const std::size_t size = given[1] == nullptr ? 1 : countOf(given, 1);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > std::numeric_limits<Py_ssize_t>::max())
    raiseTooLarge(given);
  const Ref memory = allocate(given, bytes, wishOf(given, 2, 3, truthOf(given, 4)));
  return PyMemoryView_FromObject(memory.get());
}

Signature free_signature{
    "free(mem)\n--\n\n"
    "Give symmetric memory back. Collective.\n\n"
    "The memory stays where it is, so that a view that was kept reads and writes wrong data, but "
    "does not crash; calls refuse it.\n\n"
    "Args:\n    mem: a memoryview of `alloc`, or a symmetric array.\n\n"
    "Raises:\n    NotSymmetricError: it is freed already, or not symmetric, or begins within the "
    "memory."};
PyObject* free(const Arguments& given) {
  PyObject* const value = given.raw(0);
  Memory* const memory = memoryOf(value);
  if (memory == nullptr) {
    requireRunning(given);
    if (!PyArray_Check(value) && !PyMemoryView_Check(value))
      raise(PyExc_TypeError,
            "%s: %s is of type %s: must be a symmetric array, or a memoryview of "
            "alloc()",
            given.call(), given.nameOf(0), Py_TYPE(value)->tp_name);
    raise(
        Error::NotSymmetric,
        "%s: %s is not symmetric: it was not allocated here, or is a memoryview that was released",
        given.call(), given.nameOf(0));
  }
  const void* const begin = PyArray_Check(value)
                                ? PyArray_DATA(reinterpret_cast<PyArrayObject*>(value))
                                : PyMemoryView_GET_BUFFER(value)->buf;
  if (begin != memory->address)
    raise(Error::NotSymmetric,
          "%s: %s begins %zd bytes after its memory does: give the array itself", given.call(),
          given.nameOf(0), static_cast<const char*>(begin) - memory->address);
  release(given, *memory);
  return none();
}

Signature del_array_signature{
    "del_array(a)\n--\n\n"
    "Give the memory of a symmetric array back. Collective; the same as `free`."};

Signature del_signal_signature{
    "del_signal(signal)\n--\n\n"
    "Give a word for signals back. Collective. Nothing happens to one that was given back."};
Signature del_lock_signature{
    "del_lock(lock)\n--\n\n"
    "Give a lock back that nobody holds. Collective. Nothing happens to one that was given back."};
Signature lock_destroy_signature{"lock_destroy(lock)\n--\n\nEnd the lock of a Lock.", "destroy"};
PyObject* freeOnce(const Arguments& given) {
  const Memory* const memory = memoryOf(given.raw(0));
  return memory != nullptr && memory->is_freed ? none() : free(given);
}

/// What an array is to look like.
struct Form {
  PyArray_Dims shape{nullptr, 0};
  PyArray_Descr* type = nullptr;
  NPY_ORDER order = NPY_CORDER;
  Form() = default;
  Form(const Form&) = delete;
  Form& operator=(const Form&) = delete;
  ~Form() {
    PyDimMem_FREE(shape.ptr);
    Py_XDECREF(reinterpret_cast<PyObject*>(type));
  }
};

NPY_ORDER orderOf(const Arguments& given, int argument) {
  NPY_ORDER order = NPY_CORDER;
  const bool is_known = PyArray_OrderConverter(given[argument], &order) != NPY_FAIL;
  if (is_known && (order == NPY_CORDER || order == NPY_FORTRANORDER)) return order;
  const bool is_text = PyUnicode_Check(given[argument]) != 0;
  raise(is_text ? PyExc_ValueError : PyExc_TypeError, "%s: order = %R: must be 'C' or 'F'",
        given.call(), given[argument]);
}

void readForm(const Arguments& given, Form& form) {
  if (PyArray_IntpConverter(given.raw(0), &form.shape) == NPY_FAIL) raiseWithName(given, 0);
  if (given[1] == nullptr)
    form.type = PyArray_DescrFromType(NPY_DOUBLE);
  else if (PyArray_DescrConverter(given[1], &form.type) == NPY_FAIL)
    raiseWithName(given, 1);
  if (given[2] != nullptr) form.order = orderOf(given, 2);
  if (PyDataType_REFCHK(form.type))
    raise(PyExc_TypeError,
          "%s: dtype = %S: elements are Python objects, which mean nothing to "
          "another PE",
          given.call(), reinterpret_cast<PyObject*>(form.type));
}

std::size_t bytesOf(const Arguments& given, const Form& form) {
  auto bytes = static_cast<std::size_t>(PyDataType_ELSIZE(form.type));
  for (int i = 0; i < form.shape.len; ++i) {
    if (form.shape.ptr[i] < 0)
      raise(PyExc_ValueError, "%s: shape has the dimension %zd: must not be negative", given.call(),
            static_cast<std::ptrdiff_t>(form.shape.ptr[i]));
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(form.shape.ptr[i]), &bytes) ||
        bytes > std::numeric_limits<Py_ssize_t>::max())
      raiseTooLarge(given);
  }
  return bytes;
}

PyObject* arrayOver(const Arguments& given, Form& form, Ref memory) {
  auto& block = *reinterpret_cast<Memory*>(memory.get());
  const int order = form.order == NPY_FORTRANORDER ? NPY_ARRAY_F_CONTIGUOUS : 0;
  PyArray_Descr* const type = form.type;
  form.type = nullptr;  // goes with the array
  Ref array(PyArray_NewFromDescr(&PyArray_Type, type, form.shape.len, form.shape.ptr, nullptr,
                                 block.address, NPY_ARRAY_WRITEABLE | order, nullptr));
  if (array.get() == nullptr) {  // NumPy knows no such array: so it is on all PEs
    release(given, block);
    throw Raised{};
  }
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array.get()), memory.release()) < 0)
    throw Raised{};
  return array.release();
}

PyObject* newArray(const Arguments& given, bool clear) {
  requireRunning(given);
  Form form;
  readForm(given, form);
  return arrayOver(given, form, allocate(given, bytesOf(given, form), wishOf(given, 3, 4, clear)));
}

#define UCXX_SHMEM_ARRAY_ARGUMENTS                                               \
  "Collective: all PEs ask for the same. Only `free` gives the memory back.\n\n" \
  "Args:\n"                                                                      \
  "    shape: an integer or a tuple of them; () is an array of one element.\n"   \
  "    dtype: whatever NumPy takes for one, but of Python objects.\n"            \
  "    order: 'C' or 'F'.\n" UCXX_SHMEM_WISHES

Signature new_array_signature{
    "new_array(shape, dtype='float', order='C', *, align=None, hints=None, clear=True)\n--\n\n"
    "Make a symmetric array.\n\n" UCXX_SHMEM_ARRAY_ARGUMENTS
    "    clear: whether its bytes are 0.\n" UCXX_SHMEM_ALLOCATION_END};
PyObject* newArrayClear(const Arguments& given) { return newArray(given, truthOf(given, 5)); }

Signature zeros_signature{
    "zeros(shape, dtype='float', order='C', *, align=None, hints=None)\n--\n\n"
    "Make a symmetric array of zeros.\n\n" UCXX_SHMEM_ARRAY_ARGUMENTS UCXX_SHMEM_ALLOCATION_END};
PyObject* zeros(const Arguments& given) { return newArray(given, true); }

Signature empty_signature{
    "empty(shape, dtype='float', order='C', *, align=None, hints=None)\n--\n\n"
    "Make a symmetric array of which the content is not defined.\n\n" UCXX_SHMEM_ARRAY_ARGUMENTS
        UCXX_SHMEM_ALLOCATION_END};
PyObject* empty(const Arguments& given) { return newArray(given, false); }

// What the package calls for its functions of other names, so that messages have those names.
#define UCXX_SHMEM_MAKER(name, shown)                                                          \
  Signature make_##name##_signature{                                                           \
      "make_" #name "(shape, dtype, order='C', align=None, hints=None)\n--\n\nMake an array.", \
      shown};
UCXX_SHMEM_MAKER(array, "array")
UCXX_SHMEM_MAKER(full, "full")
UCXX_SHMEM_MAKER(ones, "ones")
UCXX_SHMEM_MAKER(signal, "new_signal")
UCXX_SHMEM_MAKER(lock, "new_lock")
UCXX_SHMEM_MAKER(lock_of_class, "Lock")

constexpr Function kFunctions[] = {
    function<alloc_signature, alloc>(),
    function<free_signature, free>(),
    function<del_array_signature, free>(),
    function<del_signal_signature, freeOnce>(),
    function<del_lock_signature, freeOnce>(),
    function<lock_destroy_signature, freeOnce>(),
    function<new_array_signature, newArrayClear>(),
    function<zeros_signature, zeros>(),
    function<empty_signature, empty>(),
    function<make_array_signature, empty>(),
    function<make_full_signature, empty>(),
    function<make_ones_signature, empty>(),
    function<make_signal_signature, zeros>(),
    function<make_lock_signature, zeros>(),
    function<make_lock_of_class_signature, zeros>(),
};

}  // namespace

std::span<const Function> allocationOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
