# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""GPU modules for 3-D perception on top of the Point Cloud Library.

Arrays are NumPy's on the host, and those of any package with DLPack on a CUDA device.
They are never copied or converted in silence. An algorithm runs where its arrays are.
"""

import importlib
from typing import TYPE_CHECKING, Any

from . import utils

if TYPE_CHECKING:
    from . import articulated, raycast, scenespace, tensor, triangulation

__version__ = "0.1.0"

__all__ = [
    "articulated",
    "raycast",
    "scenespace",
    "tensor",
    "triangulation",
    "utils",
]


def __getattr__(name: str) -> Any:
    # Modules are loaded when they are first used.
    if name in __all__:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
