// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cstring>
#include <vector>

#include "arrays.h"
#include "handles.h"
#include "module_functions.h"

// Questions to the library: who is who, and where memory is.

namespace ucxx::python::shmem {
namespace {

Signature library_signature{
    "library()\n--\n\nReturn the path of the OpenSHMEM library, or of the adapter to it."};
PyObject* pathOfLibrary(const Arguments&) {
  return PyUnicode_DecodeFSDefault(library().path().c_str());
}
Signature prefix_signature{
    "prefix()\n--\n\nReturn what stands in front of the C names that the library exports."};
PyObject* prefixOfLibrary(const Arguments&) { return PyUnicode_FromString(library().prefix()); }
Signature constants_signature{
    "constants()\n--\n\nReturn the library's numbers by their names, without SHMEM_ in front."};
PyObject* constantsOfLibrary(const Arguments&) { return constantsByName(); }
Signature vendor_signature{"vendor()\n--\n\nReturn the library's SHMEM_VENDOR_STRING."};
PyObject* vendorOfLibrary(const Arguments&) {
  return PyUnicode_DecodeUTF8(constants.VENDOR_STRING,
                              static_cast<Py_ssize_t>(std::strlen(constants.VENDOR_STRING)),
                              "replace");
}

Signature my_pe_signature{"my_pe()\n--\n\nReturn the number of this PE, from 0 on."};
PyObject* myPe(const Arguments& given) {
  requireRunning(given);
  return PyLong_FromLong(state.me);
}
Signature n_pes_signature{"n_pes()\n--\n\nReturn how many PEs there are."};
PyObject* nPes(const Arguments& given) {
  requireRunning(given);
  return PyLong_FromLong(state.pes);
}

Signature info_get_version_signature{
    "info_get_version()\n--\n\n"
    "Return the version of OpenSHMEM: major, minor."};
PyObject* infoGetVersion(const Arguments&) {
  int major = 0, minor = 0;
  functions.info_get_version(&major, &minor);
  return Py_BuildValue("(ii)", major, minor);
}
Signature info_get_name_signature{"info_get_name()\n--\n\nReturn the name of the library."};
PyObject* infoGetName(const Arguments&) {
  std::vector<char> name(static_cast<std::size_t>(constants.MAX_NAME_LEN) + 1);
  functions.info_get_name(name.data());
  return PyUnicode_FromString(name.data());
}

Signature pe_accessible_signature{"pe_accessible(pe)\n--\n\nReturn whether there is such a PE."};
bool isPe(long pe) noexcept { return pe >= 0 && pe < state.pes; }
PyObject* peAccessible(const Arguments& given) {
  requireRunning(given);
  const long pe = longOf(given, 0);
  return PyBool_FromLong(isPe(pe) && functions.pe_accessible(static_cast<int>(pe)) != 0);
}
Signature addr_accessible_signature{
    "addr_accessible(addr, pe)\n--\n\n"
    "Return whether an array is symmetric, and there is a PE that can be given its data.\n\n"
    "Args:\n    addr: any array.\n    pe: the number of a PE."};
PyObject* addrAccessible(const Arguments& given) {
  requireRunning(given);
  const Array array = arrayOf(given, 0);
  const long pe = longOf(given, 1);
  return PyBool_FromLong(isPe(pe) &&
                         functions.addr_accessible(array.data, static_cast<int>(pe)) != 0);
}

Signature pcontrol_signature{
    "pcontrol(level=1)\n--\n\n"
    "Tell a profiling tool how much to record: 0 nothing, 1 its default, "
    "2 write what it has."};
PyObject* pcontrol(const Arguments& given) {
  requireRunning(given);
  functions.pcontrol(given[0] == nullptr ? 1 : static_cast<int>(longOf(given, 0)));
  return none();
}

/// An array of the same shape over another address; null where there is none.
PyObject* arrayAt(const Array& like, void* address) {
  if (address == nullptr) return none();
  Ref memory(need(peer_memory_type.tp_alloc(&peer_memory_type, 0)));
  auto* const block = reinterpret_cast<PyObject*>(like.object);
  Py_INCREF(block);
  reinterpret_cast<PeerMemory*>(memory.get())->block = block;
  PyArray_Descr* const type = PyArray_DESCR(like.object);
  Py_INCREF(reinterpret_cast<PyObject*>(type));
  Ref array(need(PyArray_NewFromDescr(&PyArray_Type, type, PyArray_NDIM(like.object),
                                      PyArray_DIMS(like.object), PyArray_STRIDES(like.object),
                                      address, PyArray_FLAGS(like.object), nullptr)));
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array.get()), memory.release()) < 0)
    throw Raised{};
  return array.release();
}

Signature ptr_signature{
    "ptr(target, pe)\n--\n\n"
    "Return an array over a PE's copy of a symmetric array, or None.\n\n"
    "None: that PE's memory cannot be loaded from and stored to. Stores through "
    "it are seen by the PE, but wake it from a wait only after 10 ms.\n\n"
    "Args:\n    target: a symmetric array.\n    pe: the PE."};
PyObject* ptr(const Arguments& given) {
  requireRunning(given);
  const Array target = symmetricOf(given, 0);
  const int pe = peOf(given, 1, state.pes);
  return arrayAt(target, functions.ptr(target.data, pe));
}
Signature team_ptr_signature{
    "team_ptr(team, target, pe)\n--\n\n"
    "As `ptr`, of a PE by its number in a team. OpenSHMEM 1.6.\n\n"
    "Args:\n    team: the team.\n    target: a symmetric array.\n"
    "    pe: the PE, by its number in the team."};
PyObject* teamPtr(const Arguments& given) {
  requireRunning(given);
  const Group group = groupOf(given, 0);
  const Array target = symmetricOf(given, 1);
  const int pe = peOf(given, 2, group.pes);
  return arrayAt(target, functions.team_ptr(group.team, target.data, pe));
}

constexpr Function kFunctions[] = {
    function<library_signature, pathOfLibrary>(),
    function<prefix_signature, prefixOfLibrary>(),
    function<constants_signature, constantsOfLibrary>(),
    function<vendor_signature, vendorOfLibrary>(),
    function<my_pe_signature, myPe>(),
    function<n_pes_signature, nPes>(),
    function<info_get_version_signature, infoGetVersion>(),
    function<info_get_name_signature, infoGetName>(),
    function<pe_accessible_signature, peAccessible>(),
    function<addr_accessible_signature, addrAccessible>(),
    function<pcontrol_signature, pcontrol>(),
    function<ptr_signature, ptr>(),
    function<team_ptr_signature, teamPtr>(),
};

}  // namespace

std::span<const Function> inquiryOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
