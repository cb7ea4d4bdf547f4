# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Types of arguments and results."""

from typing import Any, Protocol


class Array(Protocol):
    """An array of NumPy, PyTorch, CuPy, JAX, Warp or this package: it has DLPack."""

    def __dlpack__(self) -> Any: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...
