# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Two ends of a pair whose workers have progress threads, and what they send, for programs on devices."""

import asyncio
import contextlib
import threading

from conditional import Pair
from cuda_driver import DEADLINE, use_device

import ucxx


class Ends:
    """Two ends of the synchronous API."""

    def __init__(self, has_threads=True):
        """Connect them, and make the device current."""
        use_device()
        self._pair = Pair({})
        self.workers, self.left, self.right = self._pair.workers, self._pair.left, self._pair.right
        if has_threads:
            for worker in self.workers:
                worker.start_progress_thread()

    @staticmethod
    def finish(*requests):
        """Wait for the requests; return their results."""
        return [request.wait(DEADLINE) for request in requests]


# Each posts a transfer of bytes; what came are those of the room, or of the result.
SENDS = {
    "tag": lambda end, data, condition=None: end.tag_send(data, 1, condition=condition),
    "multi": lambda end, data, condition=None: end.tag_send_multi([data, data], 1, condition=condition),
    "active message": lambda end, data, condition=None: end.am_send(data, condition=condition),
    "stream": lambda end, data, condition=None: end.stream_send(data, condition=condition),
}
RECEIVES = {
    "tag": lambda end, room, condition=None: end.tag_recv(room, 1, condition=condition),
    "multi": lambda end, room, condition=None: end.tag_recv_multi(1, condition=condition),
    "active message": lambda end, room, condition=None: end.am_recv(condition=condition),
    "stream": lambda end, room, condition=None: end.stream_recv(room, condition=condition),
}


def came(kind, room, result):
    """Return the bytes that were received."""
    return {"multi": lambda: result[1], "active message": lambda: result}.get(kind, lambda: room)()


@contextlib.contextmanager
def raises(kind, *words):
    """The body raises an error of that class, whose text has the words."""
    try:
        yield
    except kind as error:
        missing = [word for word in words if word not in str(error)]
        assert not missing, f"{error!r} lacks {missing}"
    else:
        raise AssertionError(f"no {kind.__name__}")


def in_another_thread(function):
    """Call a function in a thread of its own, which has ended then; return what it has raised, or None."""
    raised = []

    def call():
        try:
            function()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join(DEADLINE)
    assert not thread.is_alive()
    return raised[0] if raised else None


@contextlib.asynccontextmanager
async def ends_of_loop(mode):
    """Two ends of the asynchronous API, whose worker moves as that progress mode says."""
    ucxx.init(progress_mode=mode)
    accepted = asyncio.get_running_loop().create_future()
    listener = ucxx.create_listener(accepted.set_result)
    here, there = await ucxx.create_endpoint("127.0.0.1", listener.port), await accepted
    yield here, there
    listener.close()
    await asyncio.gather(here.close(), there.close())
