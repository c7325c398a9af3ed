// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>

#include <ucxx/endpoint.h>

#include "callback.h"
#include "python.h"
#include "worker_state.h"

namespace ucxx::python {

/// An endpoint of the synchronous API. Keeps its worker's object, whose state all transfers use.
struct EndpointObject {
  EndpointObject(std::shared_ptr<Endpoint> endpoint_, nb::object worker_)
      : endpoint(std::move(endpoint_)),
        worker(std::move(worker_)),
        state(nb::cast<WorkerState*>(worker)) {}
  ~EndpointObject();

  /// Shut once, by whichever comes first; the core forbids it from callbacks of the worker.
  std::shared_ptr<Endpoint> endpoint;
  nb::object worker;
  WorkerState* state;
  std::shared_ptr<Request> closing;
  bool is_shut = false;      // though the core says otherwise of one that has failed
  std::size_t receives = 0;  // posted so far, of the asynchronous API and active messages
  /// What its close callback keeps, for the collector of cycles.
  std::weak_ptr<Kept> close_callback;
};

/// One of the asynchronous API: with the tags of its pair, unless it is made from an address.
struct AsyncEndpoint : EndpointObject {
  explicit AsyncEndpoint(const EndpointObject& of) : EndpointObject(of.endpoint, of.worker) {
    readTags();
  }

  void readTags();

  PairTags tags{};
  bool has_tags = false;
};

/// Adds to the classes of both what is called for each message: methods of Python itself, which
/// take less time than nanobind's.
void addTransfers(nb::handle endpoint_class, nb::handle async_class, nb::handle worker_class);

/// Fills `tag` from an int. False: a Python error that says what would be right.
bool readTag(PyObject* value, std::uint64_t& tag);

/// The tag that `send` and `recv` take for these arguments. False: a Python error is set.
bool sendTag(const AsyncEndpoint& self, PyObject* tag, PyObject* force_tag, std::uint64_t& result);
bool receiveTag(const AsyncEndpoint& self, PyObject* tag, PyObject* force_tag,
                std::uint64_t& result);

}  // namespace ucxx::python
