// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "log_lines.h"

#include <cerrno>
#include <chrono>
#include <new>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "bind.h"

namespace ucxx::python {
namespace {

PyObject* deliver_function = nullptr;     // ucxx._process.log._deliver
thread_local bool is_delivering = false;  // a handler may do what delivers

nb::list listOf(const std::vector<LogLines::Line>& lines) {
  nb::list result;
  for (const LogLines::Line& line : lines) {
    result.append(nb::make_tuple(static_cast<int>(line.level), line.time, text(line.component),
                                 text(line.text)));
  }
  return result;
}

void deliver() {
  const LogLines::Batch batch = LogLines::get().take();
  if (batch.lines.empty() && batch.lost == 0) return;
  const nb::list lines = listOf(batch.lines);
  const nb::int_ lost(batch.lost);
  PyObject* const arguments[] = {lines.ptr(), lost.ptr()};
  // Nothing within that has references: the interpreter may end there.
  PyObject* const result =
      callingPython([&] { return PyObject_Vectorcall(deliver_function, arguments, 2, nullptr); });
  if (result == nullptr) throw nb::python_error();
  Py_DECREF(result);
}

double now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

}  // namespace

nb::str text(std::string_view said) {
  PyObject* const object =
      PyUnicode_DecodeUTF8(said.data(), static_cast<Py_ssize_t>(said.size()), "backslashreplace");
  if (object == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(object);
}

LogLines::LogLines() : descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (descriptor_ < 0)
    throw std::system_error(errno, std::generic_category(), "cannot make an eventfd");
}

LogLines& LogLines::get() {
  static auto* const lines = new LogLines;
  return *lines;
}

void LogLines::push(LogLevel level, std::string_view component, std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (lines_.size() == kMost) {
    ++lost_;
    return;
  }
  lines_.push_back({level, now(), std::string(component), std::string(text)});
  if (!is_empty_.exchange(false)) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
}

LogLines::Batch LogLines::take() {
  const std::lock_guard lock(mutex_);
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(descriptor_, &count, sizeof count);
  is_empty_ = true;
  return {std::exchange(lines_, {}), std::exchange(lost_, 0)};
}

void LogLines::forgetInChild() noexcept {
  // Another thread may have had the lock and been at work, and the parent reads the descriptor.
  new (&mutex_) std::mutex;
  new (&lines_) std::vector<Line>;
  lost_ = 0;
  is_empty_ = true;
  // Python knows it by its number.
  const int own = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (own >= 0) {
    ::dup3(own, descriptor_, O_CLOEXEC);
    ::close(own);
  }
}

void deliverLogLines() noexcept {
  if (std::exchange(is_delivering, true)) return;
  const nb::error_scope kept;  // whoever calls may be about to raise something
  if (guarded([] {
        deliver();
        return Py_None;
      }) == nullptr)
    discardError(deliver_function);
  is_delivering = false;
}

void bindLog(nb::module_& module) {
  module.def(
      "_begin_log",
      [](nb::object function) {
        LogLines& lines = LogLines::get();
        deliver_function = function.release().ptr();
        setLogSink([&lines](LogLevel level, std::string_view component, std::string_view text) {
          lines.push(level, component, text);
        });
        return lines.descriptor();
      },
      "deliver"_a,
      nb::sig("def _begin_log(deliver: Callable[[list[tuple[int, float, str, str]], int], object]) "
              "-> int"));
  module.def("_end_log", [] {
    setLogSink(nullptr);
    lookForLogLines();
  });
  module.def("_deliver_log", &deliverLogLines);
  module.def("_set_log_level", [](int level) { setLogLevel(static_cast<LogLevel>(level)); });
  // For tests: any thread of C++ may log.
  module.def(
      "_log",
      [](int level, const char* text) { logLine(static_cast<LogLevel>(level), "%s", text); },
      "level"_a, "text"_a);
}

}  // namespace ucxx::python
