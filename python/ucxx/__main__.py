# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx`: what is here, whether it works, how fast it is."""

if __name__ == "__main__":
    from ucxx.cli import run

    run("ucxx.cli.root", "python -m ucxx")
