# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The synchronous names, imported as they are there: addresses, tags, requests, a progress thread."""

import numpy as np

import ucxx._lib.libucxx as ucx_api
from ucxx._lib.arr import Array
from ucxx.testing import wait_requests

started = []
ctx = ucx_api.UCXContext(feature_flags=(ucx_api.Feature.TAG, ucx_api.Feature.WAKEUP))
worker = ucx_api.UCXWorker(ctx)
worker.set_progress_thread_start_callback(started.append, cb_args=("thread",))
worker.start_progress_thread(polling_mode=False)
address = ucx_api.UCXAddress.create_from_buffer(bytes(ucx_api.UCXAddress.from_worker(worker)))
ep = ucx_api.UCXEndpoint.create_from_worker_address(worker, address, endpoint_error_handling=True)
send, recv = np.arange(8), np.empty(8, dtype="i8")
requests = [ep.tag_send(Array(send), tag=ucx_api.UCXXTag(42)), ep.tag_recv(Array(recv), tag=ucx_api.UCXXTag(42))]
wait_requests(worker, "thread", requests)
multi = ep.tag_recv_multi(tag=ucx_api.UCXXTag(1))
for request in [*ep.tag_send_multi((send, recv), tag=ucx_api.UCXXTag(1)).requests, *multi.requests]:
    request.wait()
worker.stop_progress_thread()
print(started, recv.tolist() == send.tolist(), len(multi.py_buffers), ucx_api.UCXXTag(42))
