"""Seconds and megabytes of three more packages over a stack: the first build, and again with uv's cache filled."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from bugloss.run.environment import provide
from bugloss.run.layer import Additions, provide_layer
from bugloss.stacks.stack import load_stack
from bugloss.workflows.environment_choice import limits_of

STACK = "torch"
PACKAGES = ("einops", "seaborn", "tqdm")
WARM = 3  # builds that count, after one that fills the cache


def measure() -> dict[str, object]:
    below = provide(load_stack(STACK))
    additions = Additions(PACKAGES, limits_of(load_stack(STACK)))
    shutil.rmtree(provide_layer(below, additions).path)
    warm, cpu = [], []
    for repeat in range(WARM):
        begin, before = time.monotonic(), os.times()
        folder = Path(provide_layer(below, additions).path)
        warm.append(round(time.monotonic() - begin, 1))
        after = os.times()
        cpu.append(round(sum(after[:4]) - sum(before[:4]), 1))  # of bugloss and of uv: the rest is waiting for others
        megabytes = round(sum(os.lstat(path).st_size for path in folder.rglob("*")) / 1e6)
        if repeat < WARM - 1:
            shutil.rmtree(folder)
    begin = time.monotonic()
    provide_layer(below, additions)
    there = round(time.monotonic() - begin, 2)
    print(f"   {', '.join(PACKAGES)} over {STACK}: {warm} s warm ({cpu} s CPU), {megabytes} MB; {there} s after")
    result: dict[str, object] = {"stack": STACK, "packages": PACKAGES, "warm_seconds": warm, "cpu_seconds": cpu}
    return {**result, "megabytes": megabytes, "built_already_seconds": there}
