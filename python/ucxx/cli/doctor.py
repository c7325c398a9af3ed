# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx doctor`: whether this machine is fit, and what to mend."""

import pathlib
from collections.abc import Iterator

import click
from rich.table import Table
from rich.text import Text

from ucxx.cli import SETTINGS, checks, output
from ucxx.cli.checks import container, dask, devices, kernel, limits, live

_STYLES = {checks.OK: "green", checks.NOTE: "yellow", checks.PROBLEM: "bold red"}


@click.command(name="doctor", context_settings=SETTINGS)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--quick", is_flag=True, help="Start no processes: without the self-tests.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=pathlib.Path),
    default="/",
    hidden=True,
    help="Look at the files of this folder.",
)
@click.pass_context
def command(context: click.Context, as_json: bool, quick: bool, root: pathlib.Path) -> None:
    """Check what matters on this machine. Status 1: there is a problem."""
    findings = list(_examine(root, quick))
    if as_json:
        output.print_json([finding.as_dict() for finding in findings])
    else:
        _show(findings)
    context.exit(1 if any(finding.state == checks.PROBLEM for finding in findings) else 0)


def _examine(root: pathlib.Path, quick: bool) -> Iterator[checks.Finding]:
    """Give each finding, in the order of the table."""
    yield live.ucx()
    if not quick:
        yield from live.self_tests()
    yield kernel.ptrace_scope(root)
    yield kernel.shared_memory(root)
    yield limits.open_files(root)
    yield limits.locked_memory(root, bool(devices.rdma_names(root)))
    yield limits.address_space(root)
    yield devices.gpu(root, live.cuda_support() if root == pathlib.Path("/") else None)
    if root == pathlib.Path("/"):
        yield live.driver()
    yield devices.rdma(root)
    yield devices.interfaces(root)
    yield container.container(root)
    yield dask.dask()


def _show(findings: list[checks.Finding]) -> None:
    console = output.console()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("check", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("what was found", overflow="fold")
    for finding in findings:
        table.add_row(finding.name, Text(finding.state, _STYLES[finding.state]), _words(finding))
    console.print(table)
    counts = {state: sum(f.state == state for f in findings) for state in _STYLES}
    console.print(f"\n{counts['ok']} ok, {counts['note']} notes, {counts['problem']} problems")


def _words(finding: checks.Finding) -> Text:
    text = Text(finding.found)
    for name, words in (("costs", finding.cost), ("remedy", finding.fix)):
        if words:
            text.append(f"\n{name}: ", "bold").append(words, "default")
    return text
