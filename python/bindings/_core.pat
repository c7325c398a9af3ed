# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# Types for the stub python/ucxx/_core.pyi (`./dev stubs`) of what nanobind does not bind: the type
# of requests, the methods that are called for each message, and the buffer protocol. All else has
# its types in the bindings. The syntax is that of nanobind.stubgen; `\doc` is the docstring.

^ucxx._core.__prefix__$:
    \import ucxx.types, numpy, numpy.typing
    \from collections.abc import Callable, Generator, Hashable, Sequence
    \from typing import Any, Literal, Self, TypeVar, overload
    _T_co = TypeVar("_T_co", covariant=True)

    __version__: str
    __git_commit__: str

# The commit of the day.
^ucxx._core.__git_commit__$:

# Python 3.12 and later show the buffer protocol as a method.
\.__(buffer|del)__$:

^ucxx._core.(HostBuffer|Array|UCXAddress|_Memory).__suffix__$:
    def __buffer__(self, flags: int, /) -> memoryview: ...

^ucxx._core.UCXRequest.__(repr|class_getitem)__$:

^ucxx._core.UCXRequest.__iter__$:
    def __iter__(self) -> Generator[Any, Any, _T_co]: ...

^ucxx._core.UCXRequest.__next__$:
    def __next__(self) -> Any: ...

^ucxx._core.UCXRequest.__await__$:
    def __await__(self) -> Generator[Any, Any, _T_co]: ...

^ucxx._core.UCXRequest.send$:
    def send(self, value: Any, /) -> Any:
    \doc

^ucxx._core.UCXRequest.throw$:
    def throw(self, type: Any, value: Any = None, traceback: Any = None, /) -> Any:
    \doc

^ucxx._core.UCXRequest.(close|_give_back)$:
    def \1(self) -> None:
    \doc

^ucxx._core.UCXRequest._make_cancelled_error$:
    def _make_cancelled_error(self) -> asyncio.CancelledError: ...

^ucxx._core.UCXRequest.(done|cancelled|_look)$:
    def \1(self) -> bool:
    \doc

^ucxx._core.UCXRequest.result$:
    def result(self) -> _T_co:
    \doc

^ucxx._core.UCXRequest.exception$:
    def exception(self) -> BaseException | None:
    \doc

^ucxx._core.UCXRequest.cancel$:
    def cancel(self, msg: object = None) -> bool:
    \doc

^ucxx._core.UCXRequest.add_done_callback$:
    \import contextvars
    def add_done_callback(
        self, callback: Callable[[Self], object], /, *, context: contextvars.Context | None = None
    ) -> None:
    \doc

^ucxx._core.UCXRequest.remove_done_callback$:
    def remove_done_callback(self, callback: Callable[[Self], object], /) -> int:
    \doc

^ucxx._core.UCXRequest.get_loop$:
    def get_loop(self) -> asyncio.AbstractEventLoop:
    \doc

^ucxx._core.UCXRequest.wait$:
    def wait(self, timeout: float | None = None) -> _T_co:
    \doc

^ucxx._core.UCXRequest.check_error$:
    def check_error(self) -> None:
    \doc

^ucxx._core.UCXRequest.completed$:
    @property
    def completed(self) -> bool:
    \doc

^ucxx._core.UCXRequest.(status|received_length|sender_tag)$:
    @property
    def \1(self) -> int:
    \doc

^ucxx._core.UCXRequest.recv_buffer$:
    @property
    def recv_buffer(self) -> _T_co | None:
    \doc

^ucxx._core.UCXRequest.py_buffers$:
    @property
    def py_buffers(self) -> tuple[Any, ...]:
    \doc

^ucxx._core.UCXRequest.requests$:
    @property
    def requests(self) -> list[Self]:
    \doc

^ucxx._core.UCXRequest.all_completed$:
    @property
    def all_completed(self) -> bool:
    \doc

^ucxx._core.UCXRequest.future$:
    @property
    def future(self) -> Self:
    \doc

^ucxx._core.UCXRequest.wait_on$:
    def wait_on(self, stream: ucxx.types.StreamLike, /) -> None:
    \doc

^ucxx._core.UCXRequest.wait_yield$:
    def wait_yield(self) -> Self:
    \doc

^ucxx._core.UCXRequest.recv_header$:
    @property
    def recv_header(self) -> bytes:
    \doc

^ucxx._core.UCXRequest._asyncio_future_blocking$:
    _asyncio_future_blocking: bool

^ucxx._core.DeviceBuffer.__prefix__$:
    def __new__(cls, nbytes: int) -> Self: ...

^ucxx._core.DeviceBuffer.__dlpack_device__$:
    def __dlpack_device__(self) -> tuple[int, int]:
    \doc

^ucxx._core.DeviceBuffer.__dlpack__$:
    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
    \doc

^ucxx._core.DeviceBuffer.__len__$:
    def __len__(self) -> int: ...

^ucxx._core.DeviceBuffer.__cuda_array_interface__$:
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

^ucxx._core.UCXRequest._cancel_message$:
    @property
    def _cancel_message(self) -> None: ...

^ucxx._core.UCXEndpoint.tag_send$:
    def tag_send(
        self, array: ucxx.types.BufferLike, tag: int, *, condition: Condition | None = None
    ) -> UCXRequest[None]:
    \doc

^ucxx._core.(UCXEndpoint|_Worker).tag_recv$:
    def tag_recv(
        self,
        array: ucxx.types.BufferLike,
        tag: int,
        tag_mask: int = 0xFFFFFFFFFFFFFFFF,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[int]:
    \doc

^ucxx._core.UCXEndpoint.tag_send_multi$:
    def tag_send_multi(
        self,
        buffers: Sequence[ucxx.types.BufferLike],
        tag: int,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[None]:
    \doc

^ucxx._core.UCXEndpoint.tag_recv_multi$:
    def tag_recv_multi(
        self, tag: int, tag_mask: int = 0xFFFFFFFFFFFFFFFF, *, condition: Condition | None = None
    ) -> UCXRequest[list[numpy.typing.NDArray[numpy.uint8]]]:
    \doc

^ucxx._core._AsyncEndpoint.send$:
    def send(
        self,
        buffer: ucxx.types.BufferLike,
        tag: Hashable = None,
        force_tag: bool = False,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[None]:
    \doc

^ucxx._core._AsyncEndpoint.recv$:
    def recv(
        self,
        buffer: ucxx.types.BufferLike,
        tag: Hashable = None,
        force_tag: bool = False,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[int]:
    \doc

^ucxx._core._AsyncEndpoint.send_multi$:
    def send_multi(
        self,
        buffers: Sequence[ucxx.types.BufferLike],
        tag: Hashable = None,
        force_tag: bool = False,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[None]:
    \doc

^ucxx._core._AsyncEndpoint.recv_multi$:
    def recv_multi(
        self, tag: Hashable = None, force_tag: bool = False, *, condition: Condition | None = None
    ) -> UCXRequest[list[numpy.typing.NDArray[numpy.uint8]]]:
    \doc

^ucxx._core._Prepared.start$:
    @overload
    def start(self, *, stream: None = None, until: Literal["ended", "begun"] = "ended") -> None:
    \doc
    @overload
    def start(self, *, stream: ucxx.types.StreamLike, until: Literal["ended", "begun"] = "ended") -> UCXRequest[None]: ...

^ucxx._core._Prepared.wait_on$:
    def wait_on(self, stream: ucxx.types.StreamLike, /) -> None:
    \doc

^ucxx._core.(PreparedSend|_AsyncPrepared).(ready|_ready)$:
    @overload
    def \2(self, *, stream: None = None) -> None:
    \doc
    @overload
    def \2(self, partition: int, /, *, stream: None = None) -> None: ...
    @overload
    def \2(self, first: int, last: int, /, *, stream: None = None) -> None: ...
    @overload
    def \2(self, *, stream: ucxx.types.StreamLike) -> UCXRequest[None]: ...
    @overload
    def \2(self, partition: int, /, *, stream: ucxx.types.StreamLike) -> UCXRequest[None]: ...
    @overload
    def \2(self, first: int, last: int, /, *, stream: ucxx.types.StreamLike) -> UCXRequest[None]: ...

^ucxx._core.(PreparedRecv|_AsyncPrepared).(arrived|_arrived)$:
    def \2(self, partition: int, /) -> bool:
    \doc

^ucxx._core.(PreparedSend|PreparedRecv).wait$:
    def wait(self, timeout: float | None = None) -> None:
    \doc
