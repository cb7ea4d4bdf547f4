# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Types of arguments and results."""

from typing import Protocol


class Array(Protocol):
    """An array of NumPy, PyTorch, CuPy, JAX, Warp or this package: it has DLPack.

    NumPy types `__dlpack__` for numbers alone, not for bool, so it is not asked for here.
    """

    def __dlpack_device__(self) -> tuple[int, int]: ...
