# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx.benchmarks.send_recv`: another name of `python -m ucxx benchmark send_recv`."""

if __name__ == "__main__":
    from ucxx.cli import run

    run("ucxx.cli.send_recv", "python -m ucxx.benchmarks.send_recv")
