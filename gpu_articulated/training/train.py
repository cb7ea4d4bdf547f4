# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Trains the network of regressPose(), and writes its weights.

    python3 train.py person.yaml joint_network.weights --joints joints.npy

person.yaml is a file by saveSkeleton() of makeHumanSkeleton(). joints.npy is one by
recorded_joints.py; without it, all poses are random. Needs an NVIDIA GPU, PyTorch 2.11,
Triton and PyYAML. One H200 draws and learns from 29,000 views a second. Several GPUs of
one machine share the work:

    torchrun --nproc-per-node 3 train.py person.yaml joint_network.weights

The weights in src/regression/ are of seven runs on H200s, each from those of the run
before (--initial). Four had random poses alone: 330 s with the rate 3e-3 and 265 s with
2e-3 on one, 480 s with 2e-3 on three, 470 s with 1.5e-3 on two. Three had recorded poses
as well, with 2e-3 on two: 520 s with 29,000 poses of people who walk, run, jump, play
ball games, direct traffic, dance or fight; 450 s with 46,600 poses, of people who sit,
climb, box, wash windows and so on, too; 505 s with 50,000 poses of these kinds, from the
mean of the weights of the two runs before. The clips that benchmark_poses and
benchmark_people show were left out. Runs are not repeatable to the last bit.

Clips that were converted for another body ("Daz-friendly" ones) bend elbows by 25 and
knees by 14 degrees more than the recorded people did. The last run had the directions of
the recorded bones, which are constant in the frames of that body's joints.

The recorded poses were obtained from mocap.cs.cmu.edu. The database was created with
funding from NSF EIA-0196217.
"""

from __future__ import annotations

import argparse
import io
import math
import os
import struct
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional
from body_views import CELL_SIZE, CELLS, ViewGenerator
from pose_fit import fit_poses
from random_bodies import BodyGenerator
from torch import Tensor, distributed, nn

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


def layers_of(network: JointNetwork) -> list[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """Returns the convolutions in their order, and the normalization after each."""
    layers: list[tuple[nn.Conv2d, nn.BatchNorm2d | None]] = []
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            layers.append((module, None))
        elif isinstance(module, nn.BatchNorm2d):
            layers[-1] = (layers[-1][0], module)
    return layers


def write_weights(network: JointNetwork, file: Path) -> None:
    """Writes each layer: its sizes, then a scale and a bias for each output, then 8-bit
    integers in the order of Convolution::weights."""
    with open(file.with_suffix(".part"), "wb") as out:
        for layer, norm in layers_of(network):
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


@torch.no_grad()
def read_weights(network: JointNetwork, file: Path, pictures: Tensor) -> None:
    """Sets a network to a file's weights. The file has no normalization: here each
    layer gets that of its outputs for the given pictures."""
    layers = layers_of(network)
    numbers = io.BytesIO(file.read_bytes())
    shifts: dict[nn.Module, tuple[Tensor, Tensor]] = {}
    for layer, norm in layers:
        inputs, outputs, width, _ = struct.unpack("<4i", numbers.read(16))
        scale, bias = np.frombuffer(numbers.read(8 * outputs), "<f4").reshape(2, -1)
        shape = (width, width, inputs, outputs)
        integers = np.frombuffer(numbers.read(math.prod(shape)), np.int8)
        values = (integers.reshape(shape) * scale).transpose(3, 2, 0, 1)
        weight = torch.from_numpy(values.copy()).cuda()[: layer.out_channels]
        shift = torch.from_numpy(bias.copy()).cuda()[: layer.out_channels]
        if norm is None:
            assert layer.bias is not None
            layer.bias.copy_(shift)
        else:
            # Normalized layers get the size at which AdamW keeps them.
            size = weight.square().mean((1, 2, 3)).sqrt() / 0.1
            weight /= size[:, None, None, None]
            shifts[norm] = shift, size
        layer.weight.copy_(weight)

    def normalize(norm: nn.Module, arguments: tuple[Tensor]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        shift, size = shifts[norm]
        variance, mean = torch.var_mean(arguments[0], (0, 2, 3))
        norm.running_mean, norm.running_var = mean, variance
        norm.weight.copy_((variance + norm.eps).sqrt() * size)
        norm.bias.copy_(mean * size + shift)

    hooks = [norm.register_forward_pre_hook(normalize) for norm in shifts]
    network.eval()(pictures)
    network.train()
    for hook in hooks:
        hook.remove()


def average(tensors: list[Tensor]) -> None:
    """Sets tensors to their means over all processes."""
    if not distributed.is_initialized():
        return
    numbers = torch.cat([each.flatten() for each in tensors])
    distributed.all_reduce(numbers)
    numbers /= distributed.get_world_size()
    parts = numbers.split([each.numel() for each in tensors])
    for each, part in zip(tensors, parts):
        each.copy_(part.view(each.shape))


class Training:
    """Steps of training in one CUDA graph: draws views, and learns from them."""

    def __init__(
        self, views: ViewGenerator, start: Path | None, batch: int, seed: int
    ) -> None:
        self._views, self._batch = views, batch
        torch.manual_seed(1)
        self.network = JointNetwork().cuda().to(memory_format=torch.channels_last)
        if start:
            read_weights(self.network, start, views.draw(batch).pictures)
        torch.cuda.manual_seed(seed)
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
        begin, step, report, settled = time.monotonic(), 0, 500, 400
        share = torch.zeros(1, device="cuda")
        while share < 1:
            warm = min(1, step / 300)
            self.rate.fill_(
                rate * (warm * (0.5 + 0.5 * torch.cos(math.pi * share[0])) + 1e-3)
            )
            for _ in range(20):
                self._graph.replay()
            step += 20
            share.fill_((time.monotonic() - begin) / seconds)
            average([share, *self.state])
            if step == settled:
                torch._foreach_copy_(self.means, self.state)
            if step % report == 0:
                average([self.sums])
                error, near = (self.sums / report).tolist()
                self.sums.zero_()
                print(
                    f"{step}: {100 * error:.2f} cm, {100 * near:.1f} % within 10 cm",
                    flush=True,
                )
        average(self.means)
        torch._foreach_copy_(self.state, self.means)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("skeleton", type=Path, help="file by saveSkeleton()")
    parser.add_argument("weights", type=Path, help="file to write")
    parser.add_argument("--joints", type=Path, help="file by recorded_joints.py")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument(
        "--rate", type=float, default=3e-3, help="of learning, at the start"
    )
    parser.add_argument("--batch", type=int, default=1024, help="views a step and GPU")
    parser.add_argument("--initial", type=Path, help="weights to start from")
    options = parser.parse_args()
    rank = int(os.environ.get("LOCAL_RANK", 0))
    torch.cuda.set_device(rank)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    bodies = BodyGenerator(options.skeleton, "cuda")
    if options.joints:
        joints = torch.from_numpy(np.load(options.joints)).cuda()
        bodies.recorded = fit_poses(bodies, joints)
    views = ViewGenerator(bodies)
    training = Training(views, options.initial, options.batch, rank + 1)
    # Not before: NCCL disturbs the capture of graphs.
    if "LOCAL_RANK" in os.environ:
        distributed.init_process_group("nccl")
    training.run(options.seconds, options.rate)
    if rank == 0:
        write_weights(training.network, options.weights)


if __name__ == "__main__":
    main()
