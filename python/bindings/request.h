// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <ucxx/request.h>

#include "completions.h"
#include "python.h"
#include "view.h"
#include "waiter.h"
#include "worker_state.h"

namespace ucxx::python {

/// What a transfer has besides one buffer: more buffers, words that it fetches; and what becomes of
/// them. Lives as long as the transfer.
class Extra {
 public:
  virtual ~Extra() = default;
  /// The result of a transfer that has ended well, new; null with a Python error.
  virtual PyObject* result(Request& request) = 0;
  /// Whether the result is what was received: a buffer, or a list of them.
  virtual bool isReceived() const noexcept { return false; }
};

/// The Python object of one transfer: what an await takes, in the task that awaits it a future of
/// asyncio's protocol, and a coroutine to what makes tasks (`gather`, `wait_for`, ...), also of
/// uvloop. Not by nanobind: it is made and awaited for each message, and that is the whole cost of
/// one that ends at once.
///
/// The buffer is pinned from the call until the core has let go of it, whatever becomes of this
/// object: one that is dropped before leaves the pin behind. That of a receive that has ended well
/// is pinned until somebody has the result, or this object goes: its message may be given back.
/// Everything needs the GIL, but for `onEnd`.
struct RequestObject {
  PyObject_HEAD PyObject* weakrefs;  // the first: its offset is told to Python

  /// Has a reference to the object while it waits.
  struct Watch final : Waiter {
    explicit Watch(RequestObject& owner_) : owner(owner_) {}
    void onEnd() override { owner.state->completions->push(*this); }
    void run() override;
    void cancel() noexcept override;
    void takeCallbacks(nb::list& to) override;
    int traverse(visitproc visit, void* arg) override {
      Py_VISIT(owner.object());
      return 0;
    }
    RequestObject& owner;
  };

  static RequestObject* of(PyObject* self) noexcept {
    return reinterpret_cast<RequestObject*>(self);
  }
  PyObject* object() noexcept { return reinterpret_cast<PyObject*>(this); }

  /// Whether the transfer has ended; then `value` is there, and the buffer given back.
  bool isDone() noexcept {
    if (!done && request->isCompleted()) finish();
    return done;
  }
  /// Takes what the core says of the end.
  void finish() noexcept;
  /// Has the completions tell of the end. False: it has ended.
  bool startWatch();
  void stopWatch() noexcept;
  /// Nobody wants it: what has not ended is cancelled, and a message that nobody has got goes back
  /// to those that wait to be received. False: there was no memory for that, the message is lost,
  /// and the Python error says so.
  bool disown();
  /// Somebody has its result: from now on its message is theirs.
  void wasTaken() noexcept {
    taken = true;
    if (view.isOnDevice()) request->takeMessage();
    view.release();
  }
  /// Binds the worker to the running loop, if it is bound to none. False: a Python error is set.
  bool bindToRunningLoop();
  /// The result of one that is done, for somebody who has it now, new, or null with its exception
  /// set.
  PyObject* outcome();
  /// Sets what it has failed with as the Python error; null, to be returned. A new exception each
  /// time: one that is kept keeps, by its traceback, the frame that has this object.
  PyObject* raiseFailure();
  void callBack();
  void wakeTask();
  PyObject* resultOfSuccess();

  std::shared_ptr<Request> request;
  WorkerState* state;
  PyObject* worker;  // whose state it is
  View view;
  std::unique_ptr<Extra> extra;
  Watch watch;
  PyObject* value;  // the result, or what making it raised; null until done, and on failure
  /// What wakes the task that awaits it, the first if there are several, and its context; or null.
  PyObject* wakeup;
  PyObject* wakeup_context;
  PyObject* callbacks;  // list of (callback, context, argument or None for the object), or null
  PyObject* cancel_message;  // or null
  bool receives;             // its result is a number of bytes
  bool failed;
  bool done;
  bool watched;
  bool cancelled;   // by `cancel`, before its end, or given back after it
  bool taken;       // somebody has its result
  bool blocking;    // asyncio's: yielded, and not taken yet
  bool is_awaited;  // ... and now it was: the next callback is that of the task
  bool suspends;    // a task that awaits it has left its turn to others
};

/// What a task is woken with in place of the request, whose result it takes when it goes on: not
/// before, since it may be cancelled instead.
extern PyObject* woken;

/// A transfer that was posted. Takes `view` and `extra`. Null with a Python error.
PyObject* makeRequest(std::shared_ptr<Request> request, WorkerState& state, PyObject* worker,
                      View& view, bool receives, std::unique_ptr<Extra> extra = nullptr);

void bindRequest(nb::module_& module);

}  // namespace ucxx::python
