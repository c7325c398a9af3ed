# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx.benchmarks.send_recv` with the options of RAPIDS UCXX's program of that name.

They are put into words of `python -m ucxx benchmark send_recv`, by one table.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import click

from ucxx import utils
from ucxx.benchmarks import backends, settings
from ucxx.cli import SETTINGS, measuring, send_recv

# Names of backends that are others here.
_RENAMED = {"socket": "sockets"}
_BACKENDS = (*backends.NAMES, *_RENAMED)
_MEMORY = ("numpy", "cupy", "rmm")


@dataclasses.dataclass(frozen=True)
class _Option:
    """An option there.

    Attributes:
        names: its names, separated by blanks.
        means: what it is here: an option that takes its value, or all words of a flag; empty: it is
            read by `_words`, or has no effect.
        says: what it does, or why it has no effect.
        takes: the type of its value; None: a flag.
        metavar: what help calls the value.
        repeats: whether it may be given several times.
    """

    names: str
    means: str
    says: str
    takes: Any = None
    metavar: str | None = None
    repeats: bool = False

    @property
    def key(self) -> str:
        """The longest name, as a name of Python's."""
        return self.names.split()[-1].strip("-").replace("-", "_")

    @property
    def is_idle(self) -> bool:
        """Whether it has no effect here."""
        return self.says.startswith(_IDLE)

    def parameter(self) -> click.Option:
        """Return it for click."""
        names = [*self.names.split(), self.key]
        words = f"{self.says} [{self.means}]" if self.means else self.says
        if self.takes is None:
            return click.Option(names, help=words, is_flag=True)
        return click.Option(
            names, help=words, type=self.takes, metavar=self.metavar, multiple=self.repeats
        )

    def words(self, value: Any) -> Iterator[str]:
        """Give what it is here with a value."""
        for one in value if self.repeats else (value,):
            yield from self.means.split()
            if self.takes is not None:
                text = ",".join(map(str, one)) if isinstance(one, tuple) else str(one)
                yield _RENAMED.get(text, text)


_IDLE = "No effect: "
_COUNT, _NUMBER = click.IntRange(1), click.IntRange(0)
_TABLE = (
    _Option("-n --n-bytes", "--sizes", "Default 10_000_000.", measuring.Sizes(), "BYTES"),
    _Option("-x --n-buffers", "--multi-buffers", "Buffers in each message.", _COUNT, "N"),
    _Option("--n-iter", "--iterations", "Measured round trips; default 10.", _COUNT, "N"),
    _Option("--n-warmup-iter", "--warm-up", "Round trips before; default 10.", _NUMBER, "N"),
    _Option("-b --server-cpu-affinity", "", "The server's processor: the second of --pin.", int, "N"),
    _Option("-c --client-cpu-affinity", "", "The client's processor: the first of --pin.", int, "N"),
    _Option("-o --object_type", "--object-type", "Whose memory.", click.Choice(_MEMORY)),
    _Option("-s --server-address", "--address", "Where the server listens.", str, "IP"),
    _Option("-p --port", "--port", "At which port.", click.IntRange(0, 65535), "PORT"),
    _Option("--server-only", "--side server", "Start the server alone."),
    _Option("--client-only", "--side client", "Start the client alone."),
    _Option("--reuse-alloc", "--receive-into same", "Into the same memory, not new each time."),
    _Option("--enable-am", "--active-messages", "Active messages instead of tags."),
    _Option("-l --backend", "--backend", "What sends.", click.Choice(_BACKENDS), repeats=True),
    _Option("--progress-mode", "--progress-mode", "Who progresses.", click.Choice(settings.MODES)),
    _Option("-v --verbose", "", _IDLE + "--json FILE writes all that is measured."),
    _Option("--no-detailed-report", "", _IDLE + "the table has no line for each iteration."),
    _Option("-d --server-dev", "", _IDLE + "CUDA_VISIBLE_DEVICES chooses the GPU.", int, "N"),
    _Option("-e --client-dev", "", _IDLE + "CUDA_VISIBLE_DEVICES chooses the GPU.", int, "N"),
    _Option("--cuda-profile", "", _IDLE + "a profiler is started around the whole command."),
    _Option("--rmm-init-pool-size", "", _IDLE + "RMM is not used.", str, "BYTES"),
    _Option("--rmm-managed-memory", "", _IDLE + "RMM is not used."),
    _Option("--report-gil-contention", "", _IDLE + "the library's threads never take the GIL."),
    _Option("--asyncio-wait", "", _IDLE + "--backend ucxx-async awaits, ucxx-core does not."),
    _Option("--delay-progress", "", _IDLE + "one message is under way at a time."),
    _Option("--max-outstanding", "", _IDLE + "one message is under way at a time.", _COUNT, "N"),
    _Option("--error-handling", "", _IDLE + "every connection is watched."),
    _Option("--no-error-handling", "", _IDLE + "every connection is watched."),
)

# Where neither the option there nor the one here is given.
_DEFAULTS = (
    ("n_bytes", "--sizes", "10_000_000"),
    ("n_iter", "--iterations", "10"),
    ("n_warmup_iter", "--warm-up", "10"),
    ("backend", "--backend", backends.FIRST),
)


def _is_given(value: Any) -> bool:
    return value is not None and value is not False and value != ()


def _words(given: dict[str, Any], rest: list[str]) -> Iterator[str]:
    """Give the arguments of `python -m ucxx benchmark send_recv` for what was given."""
    for key, name, value in _DEFAULTS:
        if name not in rest and not _is_given(given[key]):
            yield from (name, value)
    for option in _TABLE:
        if option.means and _is_given(given[option.key]):
            yield from option.words(given[option.key])
    if not given["reuse_alloc"] and "--receive-into" not in rest:
        yield from ("--receive-into", "new")
    pin = [given["client_cpu_affinity"], given["server_cpu_affinity"]]
    if pin != [None, None]:
        yield "--pin=" + ",".join("-" if n is None or n < 0 else str(n) for n in pin)
    if "--runs" not in rest:
        yield from ("--runs", "1")


@click.pass_context
def _run(context: click.Context, /, **given: Any) -> None:
    if given["object_type"] == "rmm":
        raise click.UsageError("-o rmm: memory of RMM is not measured here; -o cupy is a GPU's")
    if given["server_only"] and given["client_only"]:
        raise click.UsageError("--server-only or --client-only, not both")
    if given["client_only"] and not (given["server_address"] and given["port"]):
        raise click.UsageError("--client-only needs -s and -p: address and port of the server")
    for option in _TABLE:
        if option.is_idle and _is_given(given[option.key]):
            click.echo(f"{option.names.split()[-1]}: {option.says}", err=True)
    arguments = list(_words(given, context.args))
    report = send_recv.command.main(
        [*arguments, *context.args], prog_name=context.command_path, standalone_mode=False
    )
    for row in report["results"]:
        _show_latency(row["half_round_trip_us"])


def _show_latency(us: dict[str, float]) -> None:
    """Print the lines that programs look for in what the established command prints."""
    for name, key in (("average", "mean"), ("median", "p50")):
        utils.print_key_value(f"Latency ({name})", f"{round(us[key] * 1000)} ns")


command = click.Command(
    "send_recv",
    callback=_run,
    params=[option.parameter() for option in _TABLE],
    context_settings={
        **SETTINGS,
        "ignore_unknown_options": True,
        "allow_extra_args": True,
    },
    help="""Send messages to and fro between two processes: with the options of RAPIDS UCXX.

    In brackets: what each is for `python -m ucxx benchmark send_recv`, whose own options are taken,
    too, and which measures several ways to send, in several runs.
    """,
)
