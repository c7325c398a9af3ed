// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "arguments.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "numbers.h"

namespace ucxx::python::shmem {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

}  // namespace

void Signature::prepare() {
  const std::string_view line(text_, std::strchr(text_, '\n') - text_);
  const auto open = line.find('(');
  line.copy(name_, std::min(open, sizeof name_ - 1));
  std::string_view rest = line.substr(open + 1, line.rfind(')') - open - 1);
  count_ = required_ = positional_ = 0;
  bool by_name_only = false;
  while (!(rest = trimmed(rest)).empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    if (one == "*") {
      by_name_only = true;
      continue;
    }
    const bool has_default = one.find('=') != std::string_view::npos;
    const std::string_view name = one.substr(0, one.find('='));
    if (!has_default) ++required_;
    if (!by_name_only) ++positional_;
    names_[count_++] =
        need(PyUnicode_FromStringAndSize(name.data(), static_cast<Py_ssize_t>(name.size())));
  }
}

int Signature::find(PyObject* name) const {
  for (int i = 0; i < count_; ++i) {
    if (PyUnicode_Compare(names_[i], name) == 0) return i;
  }
  raise(PyExc_TypeError, "%s: there is no argument %R", shown(), name);
}

void Signature::placeSlowly(PyObject* const* given, Py_ssize_t count, PyObject* keywords,
                            PyObject** placed) const {
  if (count > positional_)
    raise(PyExc_TypeError, "%s: %zd arguments by position, but it takes %d at most", shown(), count,
          positional_);
  std::fill_n(std::copy_n(given, count, placed), count_ - count, nullptr);
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* const name = PyTuple_GET_ITEM(keywords, i);
    const int argument = find(name);
    if (placed[argument] != nullptr)
      raise(PyExc_TypeError, "%s: the argument %R is given twice", shown(), name);
    placed[argument] = given[count + i];
  }
  for (int i = 0; i < required_; ++i) {
    if (placed[i] == nullptr)
      raise(PyExc_TypeError, "%s: the argument %R is missing", shown(), names_[i]);
  }
}

void raiseNoInteger(const Arguments& given, int argument) {
  const bool is_too_large =
      PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  PyErr_Clear();
  PyObject* const value = given.raw(argument);
  requireOneElement(given, given.nameOf(argument), value);
  raise(is_too_large ? PyExc_OverflowError : PyExc_TypeError, "%s: %s = %R: must be an integer%s",
        given.call(), given.nameOf(argument), value, is_too_large ? " of 64 bits" : "");
}

void raiseWithName(const Arguments& given, int argument) {
  for (PyObject* const kind : {PyExc_TypeError, PyExc_ValueError, PyExc_OverflowError}) {
    if (PyErr_ExceptionMatches(kind) == 0) continue;
    PyObject *type = nullptr, *text = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &text, &trace);
    const Ref owned_type(type), owned_text(text), owned_trace(trace);
    raise(kind, "%s: %s = %R: %S", given.call(), given.nameOf(argument), given.raw(argument), text);
  }
  throw Raised{};
}

void requireOneElement(const Arguments& given, const char* name, PyObject* value) {
  if (!PyArray_Check(value)) return;
  const npy_intp count = PyArray_SIZE(reinterpret_cast<PyArrayObject*>(value));
  if (count != 1)
    raise(Error::Size, "%s: %s has %zd elements: must be a number, or an array of one element",
          given.call(), name, static_cast<std::ptrdiff_t>(count));
}

long slowLong(const Arguments& given, int argument) {
  const Ref integer = integerFrom(given.raw(argument));
  if (integer.get() == nullptr) raiseNoInteger(given, argument);
  const long number = PyLong_AsLong(integer.get());
  if (number == -1 && PyErr_Occurred() != nullptr) raiseNoInteger(given, argument);
  return number;
}

}  // namespace ucxx::python::shmem
