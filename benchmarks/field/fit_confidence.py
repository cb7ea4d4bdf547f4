#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers
"""Fits the confidence of recognized objects to candidates whose truth is known.

Reads files that "experiment_field arrangements ... --evidence FILE" writes. Prints the
weights of logOdds() in gpu_tensor/src/recognition/pose_evidence.hpp, and how often
candidates of each confidence are right. Needs numpy and scipy.
"""

import argparse

import numpy as np
from scipy.optimize import minimize

LEAST_FIT = 0.3  # of candidates that can be taken for an object
MOST_SUPPORT = 2.0
# Weights that are larger would let rare evidence against a pose speak for it.
MOST = {
    "free": -5.0,
    "hidden": 0.0,
    "unseen": -4.0,
    "larger": -6.0,
    "filled": 0.0,
}
TERMS = ["fit", "near", "aligned", *MOST, "log(0.2 + support)", "constant"]


def read(path):
    """Returns the terms of a file's candidates, and whether they are right."""
    data = np.genfromtxt(path, delimiter=",", names=True)
    data = data[data["fit"] > LEAST_FIT]
    columns = [data[name] for name in TERMS[:-2]]
    columns.append(np.log(0.2 + np.minimum(data["support"], MOST_SUPPORT)))
    columns.append(np.ones(len(data)))
    return np.stack(columns, axis=1), data["right"] > 0.0


def fitted(terms, right):
    """Returns the weights of most likelihood within their bounds."""

    def cost(weights):
        odds = terms @ weights
        wrong = 1.0 / (1.0 + np.exp(-odds)) - right
        return np.logaddexp(0.0, odds).sum() - odds[right].sum(), terms.T @ wrong

    bounds = [(None, MOST.get(name)) for name in TERMS]
    start = np.zeros(len(TERMS))
    return minimize(cost, start, jac=True, bounds=bounds, method="L-BFGS-B").x


def print_reliability(terms, right, weights):
    confidence = 1.0 / (1.0 + np.exp(-terms @ weights))
    print("\n| confidence | candidates | right |\n|---|---|---|")
    for low in np.arange(0.0, 1.0, 0.1):
        among = (confidence >= low) & (confidence < low + 0.1)
        share = f"{100.0 * right[among].mean():.0f} %" if among.any() else ""
        print(f"| {low:.1f} to {low + 0.1:.1f} | {among.sum()} | {share} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", help="evidence to fit to: .csv")
    parser.add_argument(
        "--test", nargs="+", help="evidence whose reliability is printed: .csv"
    )
    options = parser.parse_args()
    parts = [read(path) for path in options.files]
    terms, right = (np.concatenate(part) for part in zip(*parts))
    weights = fitted(terms, right)
    print(f"{len(right)} candidates, {right.sum()} right")
    for name, weight in zip(TERMS, weights):
        print(f"{weight:7.1f}  {name}")
    if options.test:
        parts = [read(path) for path in options.test]
        terms, right = (np.concatenate(part) for part in zip(*parts))
    print_reliability(terms, right, weights)


if __name__ == "__main__":
    main()
