# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Starts the C++ programs that the wheel holds."""

import os
import sys
from pathlib import Path


def run() -> None:
    """Becomes the program by whose name it was called."""
    name = Path(sys.argv[0]).name
    program = Path(__file__).parent / "bin" / name
    if not program.exists():
        sys.exit(f"{name}: error: this package was built without the programs")
    os.execv(program, [str(program), *sys.argv[1:]])
