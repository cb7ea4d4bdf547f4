# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Trains the network of regressPose(), and writes its weights.

    python3 train.py person.yaml joint_network.weights --seconds 600

person.yaml is a file by saveSkeleton() of makeHumanSkeleton(). Needs an NVIDIA GPU,
PyTorch 2.11, Triton and PyYAML. One H200 draws and learns from 29,000 views a second.
The weights in src/regression/ are of 595 s: 330 s with the rate 3e-3, then 265 s from
there (--start) with 2e-3. Runs are not repeatable to the last bit.
"""

from __future__ import annotations

import argparse
import math
import os
import struct
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional
from body_views import CELL_SIZE, CELLS, ViewGenerator
from random_bodies import BodyGenerator
from torch import Tensor, nn

JOINTS = 15
VOTING_CELLS = 20


class Block(nn.Module):
    """Two layers whose output is added to their input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.layers(x))


def stage(inputs: int, outputs: int, stride: int, blocks: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
        *(Block(outputs) for _ in range(blocks)),
    )


class JointNetwork(nn.Module):
    """Finds joints by votes of all places. See joint_network.cpp."""

    def __init__(self) -> None:
        super().__init__()
        self.start = stage(4, 16, 1, 0)
        self.halves = stage(16, 32, 2, 2)
        self.quarters = stage(32, 64, 2, 3)
        self.eighths = stage(64, 128, 2, 4)
        self.votes = stage(128 + 64, 64, 1, 2)
        self.last = nn.Conv2d(64, JOINTS * 5, 1)
        middle = torch.arange(VOTING_CELLS) + 0.5 - 0.5 * VOTING_CELLS
        middle = middle * CELL_SIZE * CELLS / VOTING_CELLS
        rows, columns = torch.meshgrid(-middle, middle, indexing="ij")
        places = torch.stack([columns, rows, torch.zeros_like(rows)])
        self.register_buffer("places", places.view(1, 1, 3, -1), persistent=False)

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """Returns joints and their expected errors."""
        quarters = self.quarters(self.halves(self.start(pictures)))
        coarse = functional.interpolate(self.eighths(quarters), scale_factor=2)
        votes = self.last(self.votes(torch.cat([quarters, coarse], 1))).float()
        votes = votes.view(len(pictures), JOINTS, 5, -1)
        weights = torch.softmax(votes[:, :, 0], -1)
        joints = (weights[:, :, None] * (votes[:, :, 1:4] + self.places)).sum(-1)
        errors = functional.softplus((weights * votes[:, :, 4]).sum(-1)) + 1e-3
        return joints, errors


def write_weights(network: JointNetwork, file: Path) -> None:
    """Writes each layer: its sizes, then a scale and a bias for each output, then 8-bit
    integers in the order of Convolution::weights."""
    layers: list[tuple[nn.Conv2d, nn.BatchNorm2d | None]] = []
    modules = [
        m for m in network.modules() if isinstance(m, (nn.Conv2d, nn.BatchNorm2d))
    ]
    for i, module in enumerate(modules):
        if isinstance(module, nn.Conv2d):
            after = modules[i + 1] if i + 1 < len(modules) else None
            layers.append(
                (module, after if isinstance(after, nn.BatchNorm2d) else None)
            )
    with open(file.with_suffix(".part"), "wb") as out:
        for layer, norm in layers:
            weight = layer.weight.detach().double().cpu().numpy()
            if norm is None:
                assert layer.bias is not None
                bias = layer.bias.detach().double().cpu().numpy()
            else:
                numbers = (norm.weight, norm.bias, norm.running_mean, norm.running_var)
                gain, shift, mean, variance = (
                    n.detach().double().cpu().numpy() for n in numbers
                )
                gain = gain / np.sqrt(variance + norm.eps)
                weight, bias = weight * gain[:, None, None, None], shift - mean * gain
            missing = -len(bias) % 16
            weight = np.concatenate([weight, np.zeros((missing, *weight.shape[1:]))])
            bias = np.concatenate([bias, np.zeros(missing)])
            outputs, inputs, width, _ = weight.shape
            scale = np.maximum(np.abs(weight).reshape(outputs, -1).max(1), 1e-12) / 127
            integers = np.rint(weight / scale[:, None, None, None]).astype(np.int8)
            out.write(struct.pack("<4i", inputs, outputs, width, layer.stride[0]))
            out.write(scale.astype("<f4").tobytes() + bias.astype("<f4").tobytes())
            out.write(integers.transpose(2, 3, 1, 0).tobytes())
    os.replace(file.with_suffix(".part"), file)


class Training:
    """Steps of training in one CUDA graph: draws views, and learns from them."""

    def __init__(self, views: ViewGenerator, start: Path | None, batch: int) -> None:
        self._views, self._batch = views, batch
        self.network = JointNetwork().cuda().to(memory_format=torch.channels_last)
        if start:
            self.network.load_state_dict(torch.load(start, map_location="cuda"))
        self.rate = torch.zeros((), device="cuda")
        self._optimizer = torch.optim.AdamW(
            self.network.parameters(),
            self.rate,
            weight_decay=0.02,
            fused=True,
            capturable=True,
        )
        self.state = [
            v for v in self.network.state_dict().values() if v.is_floating_point()
        ]
        self.means = [v.clone() for v in self.state]  # over the last thousand steps
        self.sums = torch.zeros(
            2, device="cuda"
        )  # of errors, and of joints within 10 cm
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(4):
                self._step()
        torch.cuda.current_stream().wait_stream(side)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._step()

    def _step(self) -> None:
        with torch.no_grad():
            views = self._views.draw(self._batch)
        pictures = views.pictures.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cuda", torch.bfloat16, cache_enabled=False):
            joints, errors = self.network(pictures)
        distances = ((joints - views.joints) ** 2).sum(-1).add(1e-6).sqrt()
        # The expected error is that of a Laplace density; it does not move the joints.
        doubt = distances.detach() / errors + torch.log(errors)
        weights = views.counts[:, None] / views.counts.mean()
        ((10 * distances + 0.3 * doubt) * weights).mean().backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=False)
        with torch.no_grad():
            torch._foreach_lerp_(self.means, self.state, 0.001)
            self.sums.add_(
                torch.stack([distances.mean(), (distances < 0.1).float().mean()])
            )

    def run(self, seconds: float, rate: float) -> None:
        begin, step, report, settled = time.monotonic(), 0, 1000, 400
        while (share := (time.monotonic() - begin) / seconds) < 1:
            warm = min(1, step / 300)
            self.rate.fill_(
                rate * (warm * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-3)
            )
            self._graph.replay()
            step += 1
            if step == settled:
                torch._foreach_copy_(self.means, self.state)
            if step % 20 == 0:
                torch.cuda.synchronize()
            if step % report == 0:
                error, near = (self.sums / report).tolist()
                self.sums.zero_()
                print(
                    f"{step}: {100 * error:.2f} cm, {100 * near:.1f} % within 10 cm",
                    flush=True,
                )
        torch._foreach_copy_(self.state, self.means)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("skeleton", type=Path, help="file by saveSkeleton()")
    parser.add_argument("weights", type=Path, help="file to write")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument(
        "--rate", type=float, default=3e-3, help="of learning, at the start"
    )
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--start", type=Path, help="a state that was saved before")
    parser.add_argument("--state", type=Path, help="file for the network's state")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    views = ViewGenerator(BodyGenerator(options.skeleton, "cuda"))
    training = Training(views, options.start, options.batch)
    training.run(options.seconds, options.rate)
    write_weights(training.network, options.weights)
    if options.state:
        torch.save(training.network.state_dict(), options.state)


if __name__ == "__main__":
    main()
