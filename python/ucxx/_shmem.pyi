# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The types of the extension `_shmem`. A test compares names and arguments with it."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal, NoReturn, SupportsFloat, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ucxx.shmem._teams import Team as _AnyTeam
from ucxx.shmem._types import Generic, Shape

_Integer = TypeVar("_Integer", bound=np.integer[Any])
_Float = TypeVar("_Float", bound=np.floating[Any])
_Team = TypeVar("_Team", bound=Team)
_Ctx = TypeVar("_Ctx", bound=Ctx)

class Team:
    """A team's handle."""

    @property
    def handle(self) -> int:
        """The shmem_team_t as a number, for the functions of ucxx.shmem.c."""
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

class Ctx:
    """A context's handle."""

    @property
    def handle(self) -> int:
        """The shmem_ctx_t as a number, for the functions of ucxx.shmem.c."""
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

def addr_accessible(addr: NDArray[Any], pe: SupportsIndex) -> bool: ...
def alloc(
    count: int, size: int = ..., align: int | None = ..., hints: int | None = ..., clear: bool = ...
) -> memoryview: ...
def alltoall(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def alltoalls(
    target: NDArray[Generic],
    source: NDArray[Generic],
    tst: SupportsIndex | None = ...,
    sst: SupportsIndex | None = ...,
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def and_reduce(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def atomic_add(
    target: NDArray[np.integer[Any]], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
def atomic_and(
    target: NDArray[np.integer[Any]], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
def atomic_compare_swap(
    target: NDArray[np.integer[Any]],
    cond: SupportsIndex,
    value: SupportsIndex,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> int: ...
def atomic_compare_swap_nbi(
    fetch: NDArray[_Integer],
    target: NDArray[_Integer],
    cond: SupportsIndex,
    value: SupportsIndex,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
@overload
def atomic_fetch(
    source: NDArray[np.integer[Any]], pe: SupportsIndex, ctx: Ctx | None = ...
) -> int: ...
@overload
def atomic_fetch(
    source: NDArray[np.floating[Any]], pe: SupportsIndex, ctx: Ctx | None = ...
) -> float: ...
def atomic_fetch_add(
    target: NDArray[np.integer[Any]], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> int: ...
def atomic_fetch_add_nbi(
    fetch: NDArray[_Integer],
    target: NDArray[_Integer],
    value: SupportsIndex,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
def atomic_fetch_and(
    target: NDArray[np.integer[Any]], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> int: ...
def atomic_fetch_and_nbi(
    fetch: NDArray[_Integer],
    target: NDArray[_Integer],
    value: SupportsIndex,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
def atomic_fetch_inc(
    target: NDArray[np.integer[Any]], pe: SupportsIndex, ctx: Ctx | None = ...
) -> int: ...
def atomic_fetch_inc_nbi(
    fetch: NDArray[_Integer], target: NDArray[_Integer], pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
@overload
def atomic_fetch_nbi(
    fetch: NDArray[_Integer], source: NDArray[_Integer], pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
@overload
def atomic_fetch_nbi(
    fetch: NDArray[_Float], source: NDArray[_Float], pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
@overload
def atomic_fetch_op(
    target: NDArray[np.integer[Any]],
    value: SupportsIndex,
    op: int | str,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> int: ...
@overload
def atomic_fetch_op(
    target: NDArray[np.floating[Any]],
    value: SupportsFloat | SupportsIndex,
    op: int | str,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> float: ...
@overload
def atomic_fetch_op_nbi(
    fetch: NDArray[_Integer],
    target: NDArray[_Integer],
    value: SupportsIndex,
    op: int | str,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
@overload
def atomic_fetch_op_nbi(
    fetch: NDArray[_Float],
    target: NDArray[_Float],
    value: SupportsFloat | SupportsIndex,
    op: int | str,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
def atomic_fetch_or(
    target: NDArray[np.integer[Any]], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> int: ...
def atomic_fetch_or_nbi(
    fetch: NDArray[_Integer],
    target: NDArray[_Integer],
    value: SupportsIndex,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
def atomic_fetch_xor(
    target: NDArray[np.integer[Any]], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> int: ...
def atomic_fetch_xor_nbi(
    fetch: NDArray[_Integer],
    target: NDArray[_Integer],
    value: SupportsIndex,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
def atomic_inc(
    target: NDArray[np.integer[Any]], pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
@overload
def atomic_op(
    target: NDArray[np.integer[Any]],
    value: SupportsIndex,
    op: int | str,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
@overload
def atomic_op(
    target: NDArray[np.floating[Any]],
    value: SupportsFloat | SupportsIndex,
    op: int | str,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
def atomic_or(
    target: NDArray[np.integer[Any]], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
@overload
def atomic_set(
    target: NDArray[np.integer[Any]], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
@overload
def atomic_set(
    target: NDArray[np.floating[Any]],
    value: SupportsFloat | SupportsIndex,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
@overload
def atomic_swap(
    target: NDArray[np.integer[Any]], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> int: ...
@overload
def atomic_swap(
    target: NDArray[np.floating[Any]],
    value: SupportsFloat | SupportsIndex,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> float: ...
@overload
def atomic_swap_nbi(
    fetch: NDArray[_Integer],
    target: NDArray[_Integer],
    value: SupportsIndex,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
@overload
def atomic_swap_nbi(
    fetch: NDArray[_Float],
    target: NDArray[_Float],
    value: SupportsFloat | SupportsIndex,
    pe: SupportsIndex,
    ctx: Ctx | None = ...,
) -> None: ...
def atomic_xor(
    target: NDArray[np.integer[Any]], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
def barrier_all() -> None: ...
def broadcast(
    target: NDArray[Generic],
    source: NDArray[Generic],
    root: SupportsIndex,
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def clear_lock(lock: NDArray[np.int64]) -> None: ...
def collect(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def ctx_create(cls: type[_Ctx], team: Team, options: int) -> _Ctx: ...
def ctx_destroy(ctx: Ctx) -> None: ...
def ctx_team(ctx: Ctx) -> _AnyTeam: ...
def del_array(a: NDArray[Any]) -> None: ...
def del_lock(lock: NDArray[np.int64]) -> None: ...
def del_signal(signal: NDArray[np.uint64]) -> None: ...
@overload
def empty(
    shape: Shape,
    dtype: type[float] = ...,
    order: Literal["C", "F"] = ...,
    *,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[np.float64]: ...
@overload
def empty(
    shape: Shape,
    dtype: type[Generic] | np.dtype[Generic],
    order: Literal["C", "F"] = ...,
    *,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[Generic]: ...
@overload
def empty(
    shape: Shape,
    dtype: DTypeLike,
    order: Literal["C", "F"] = ...,
    *,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[Any]: ...
def fcollect(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def fence(ctx: Ctx | None = ...) -> None: ...
def finalize() -> None: ...
def finalize_at_exit(wanted: bool) -> None: ...
def free(mem: memoryview | NDArray[Any]) -> None: ...
def g(source: NDArray[Generic], pe: SupportsIndex, ctx: Ctx | None = ...) -> Any: ...
def get(
    target: NDArray[Generic],
    source: NDArray[Generic],
    pe: SupportsIndex,
    size: SupportsIndex | None = ...,
    ctx: Ctx | None = ...,
) -> None: ...
def get_nbi(
    target: NDArray[Generic],
    source: NDArray[Generic],
    pe: SupportsIndex,
    size: SupportsIndex | None = ...,
    ctx: Ctx | None = ...,
) -> None: ...
def global_exit(status: int = ...) -> NoReturn: ...
def has_ended() -> bool: ...
def ibget(
    target: NDArray[Generic],
    source: NDArray[Generic],
    pe: SupportsIndex,
    tst: SupportsIndex | None = ...,
    sst: SupportsIndex | None = ...,
    bsize: SupportsIndex = ...,
    size: SupportsIndex | None = ...,
    ctx: Ctx | None = ...,
) -> None: ...
def ibput(
    target: NDArray[Generic],
    source: NDArray[Generic],
    pe: SupportsIndex,
    tst: SupportsIndex | None = ...,
    sst: SupportsIndex | None = ...,
    bsize: SupportsIndex = ...,
    size: SupportsIndex | None = ...,
    ctx: Ctx | None = ...,
) -> None: ...
def iget(
    target: NDArray[Generic],
    source: NDArray[Generic],
    pe: SupportsIndex,
    tst: SupportsIndex | None = ...,
    sst: SupportsIndex | None = ...,
    size: SupportsIndex | None = ...,
    ctx: Ctx | None = ...,
) -> None: ...
def info_get_name() -> str: ...
def info_get_version() -> tuple[int, int]: ...
def init_thread(requested: int) -> int: ...
def init_with(
    requested: int, rank: int, size: int, allgather: Callable[[bytes], Sequence[bytes]]
) -> int: ...
def iput(
    target: NDArray[Generic],
    source: NDArray[Generic],
    pe: SupportsIndex,
    tst: SupportsIndex | None = ...,
    sst: SupportsIndex | None = ...,
    size: SupportsIndex | None = ...,
    ctx: Ctx | None = ...,
) -> None: ...
def is_running() -> bool: ...
def left() -> tuple[int, int]: ...
def library() -> str: ...
def prefix() -> str: ...
def constants() -> dict[str, int]: ...
def vendor() -> str: ...
def lock_acquire(lock: NDArray[np.int64]) -> None: ...
def lock_destroy(lock: NDArray[np.int64]) -> None: ...
def lock_release(lock: NDArray[np.int64]) -> None: ...
def lock_try(lock: NDArray[np.int64]) -> bool: ...
def make_array(
    shape: Shape,
    dtype: np.dtype[Generic],
    order: Literal["C", "F"] = ...,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[Generic]: ...
def make_full(
    shape: Shape,
    dtype: np.dtype[Generic],
    order: Literal["C", "F"] = ...,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[Generic]: ...
def make_lock(
    shape: Shape,
    dtype: type[Generic],
    order: Literal["C", "F"] = ...,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[Generic]: ...
def make_lock_of_class(
    shape: Shape,
    dtype: type[Generic],
    order: Literal["C", "F"] = ...,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[Generic]: ...
def make_ones(
    shape: Shape,
    dtype: np.dtype[Generic],
    order: Literal["C", "F"] = ...,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[Generic]: ...
def make_signal(
    shape: Shape,
    dtype: type[Generic],
    order: Literal["C", "F"] = ...,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[Generic]: ...
def max_reduce(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def min_reduce(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def my_pe() -> int: ...
def n_pes() -> int: ...
@overload
def new_array(
    shape: Shape,
    dtype: type[float] = ...,
    order: Literal["C", "F"] = ...,
    *,
    align: int | None = ...,
    hints: int | None = ...,
    clear: bool = ...,
) -> NDArray[np.float64]: ...
@overload
def new_array(
    shape: Shape,
    dtype: type[Generic] | np.dtype[Generic],
    order: Literal["C", "F"] = ...,
    *,
    align: int | None = ...,
    hints: int | None = ...,
    clear: bool = ...,
) -> NDArray[Generic]: ...
@overload
def new_array(
    shape: Shape,
    dtype: DTypeLike,
    order: Literal["C", "F"] = ...,
    *,
    align: int | None = ...,
    hints: int | None = ...,
    clear: bool = ...,
) -> NDArray[Any]: ...
def or_reduce(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def p(
    target: NDArray[Generic], value: object, pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
def pcontrol(level: int = ...) -> None: ...
def pe_accessible(pe: SupportsIndex) -> bool: ...
def pe_quiet(pes: Sequence[int] | NDArray[Any], ctx: Ctx | None = ...) -> None: ...
def predefined_ctx(cls: type[_Ctx], team: Team, number: int) -> _Ctx: ...
def predefined_team(cls: type[_Team], number: int) -> _Team: ...
def prod_reduce(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def ptr(target: NDArray[Generic], pe: SupportsIndex) -> NDArray[Generic] | None: ...
def put(
    target: NDArray[Generic],
    source: NDArray[Generic],
    pe: SupportsIndex,
    size: SupportsIndex | None = ...,
    ctx: Ctx | None = ...,
) -> None: ...
def put_nbi(
    target: NDArray[Generic],
    source: NDArray[Generic],
    pe: SupportsIndex,
    size: SupportsIndex | None = ...,
    ctx: Ctx | None = ...,
) -> None: ...
def put_signal(
    target: NDArray[Generic],
    source: NDArray[Generic],
    pe: SupportsIndex,
    signal: NDArray[np.uint64],
    value: SupportsIndex,
    sigop: int | str,
    size: SupportsIndex | None = ...,
    ctx: Ctx | None = ...,
) -> None: ...
def put_signal_nbi(
    target: NDArray[Generic],
    source: NDArray[Generic],
    pe: SupportsIndex,
    signal: NDArray[np.uint64],
    value: SupportsIndex,
    sigop: int | str,
    size: SupportsIndex | None = ...,
    ctx: Ctx | None = ...,
) -> None: ...
def query_thread() -> int: ...
def quiet(ctx: Ctx | None = ...) -> None: ...
def reduce(
    target: NDArray[Generic],
    source: NDArray[Generic],
    op: int | str = ...,
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def same_ctx(cls: type[_Ctx], ctx: Ctx) -> _Ctx: ...
def same_team(cls: type[_Team], team: Team) -> _Team: ...
def session_start(
    ctx: Ctx | None = ..., options: int = ..., total_ops: int | None = ...
) -> None: ...
def session_stop(ctx: Ctx | None = ...) -> None: ...
def set_lock(lock: NDArray[np.int64]) -> None: ...
def signal_add(
    signal: NDArray[np.uint64], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
def signal_fetch(signal: NDArray[np.uint64]) -> int: ...
def signal_set(
    signal: NDArray[np.uint64], value: SupportsIndex, pe: SupportsIndex, ctx: Ctx | None = ...
) -> None: ...
def signal_wait_until(signal: NDArray[np.uint64], cmp: int | str, value: SupportsIndex) -> int: ...
def sum_exscan(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def sum_inscan(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def sum_reduce(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
def sync(team: Team | None = ...) -> None: ...
def sync_all() -> None: ...
def team_create_ctx(cls: type[_Ctx], team: Team, options: int) -> _Ctx: ...
def team_destroy(team: Team) -> None: ...
def team_my_pe(team: Team) -> int: ...
def team_n_pes(team: Team) -> int: ...
def team_num_contexts(team: Team) -> int: ...
def team_ptr(
    team: Team, target: NDArray[Generic], pe: SupportsIndex
) -> NDArray[Generic] | None: ...
def team_split_2d(
    team: _Team, xrange: int, x_contexts: int, y_contexts: int
) -> tuple[_Team, _Team]: ...
def team_split_strided(
    team: _Team, start: int, stride: int, size: int, num_contexts: int
) -> _Team: ...
def team_translate_pe(team: Team, pe: int | None, other: Team) -> int: ...
def test(ivar: NDArray[np.integer[Any]], cmp: int | str, value: SupportsIndex) -> bool: ...
def test_all(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    value: SupportsIndex,
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> bool: ...
def test_all_vector(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    values: Sequence[SupportsIndex] | NDArray[Any],
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> bool: ...
def test_any(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    value: SupportsIndex,
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> int | None: ...
def test_any_vector(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    values: Sequence[SupportsIndex] | NDArray[Any],
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> int | None: ...
def test_lock(lock: NDArray[np.int64]) -> bool: ...
def test_some(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    value: SupportsIndex,
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> list[int]: ...
def test_some_vector(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    values: Sequence[SupportsIndex] | NDArray[Any],
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> list[int]: ...
def wait_until(ivar: NDArray[np.integer[Any]], cmp: int | str, value: SupportsIndex) -> None: ...
def wait_until_all(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    value: SupportsIndex,
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> None: ...
def wait_until_all_vector(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    values: Sequence[SupportsIndex] | NDArray[Any],
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> None: ...
def wait_until_any(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    value: SupportsIndex,
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> int | None: ...
def wait_until_any_vector(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    values: Sequence[SupportsIndex] | NDArray[Any],
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> int | None: ...
def wait_until_some(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    value: SupportsIndex,
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> list[int]: ...
def wait_until_some_vector(
    ivars: NDArray[np.integer[Any]],
    cmp: int | str,
    values: Sequence[SupportsIndex] | NDArray[Any],
    status: Sequence[SupportsIndex] | NDArray[Any] | None = ...,
) -> list[int]: ...
def xor_reduce(
    target: NDArray[Generic],
    source: NDArray[Generic],
    size: SupportsIndex | None = ...,
    team: Team | None = ...,
) -> None: ...
@overload
def zeros(
    shape: Shape,
    dtype: type[float] = ...,
    order: Literal["C", "F"] = ...,
    *,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[np.float64]: ...
@overload
def zeros(
    shape: Shape,
    dtype: type[Generic] | np.dtype[Generic],
    order: Literal["C", "F"] = ...,
    *,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[Generic]: ...
@overload
def zeros(
    shape: Shape,
    dtype: DTypeLike,
    order: Literal["C", "F"] = ...,
    *,
    align: int | None = ...,
    hints: int | None = ...,
) -> NDArray[Any]: ...
