# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx.benchmarks.send_recv`: the benchmark, with the options of RAPIDS UCXX."""

if __name__ == "__main__":
    from ucxx.cli import run

    run("ucxx.cli.established", "python -m ucxx.benchmarks.send_recv")
