"""What a sandboxed program must still be able to do."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bugloss.core.run import Limits, Outcome
from bugloss.run import sandbox
from bugloss.run.environment import Environment
from bugloss.run.execute import Job, execute

# What must still work.

COMPILE = """
import subprocess
open("hello.c", "w").write('#include <stdio.h>\\nint main(void) { puts("hello"); return 0; }\\n')
subprocess.run(["gcc", "hello.c", "-o", "hello"], check=True)
print(subprocess.run(["./hello"], check=True, capture_output=True, text=True).stdout)
"""
POOL = """
import multiprocessing, multiprocessing.shared_memory, socket
def double(x):
    return 2 * x
if __name__ == "__main__":
    for method in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(double, range(4)) == [0, 2, 4, 6]
    shared = multiprocessing.shared_memory.SharedMemory(create=True, size=4096)
    shared.close()
    shared.unlink()
    server = socket.create_server(("127.0.0.1", 0)) if socket.has_ipv6 is not None else None
    socket.getaddrinfo("localhost", 80)
    print("worked")
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
def test_a_compiler_works(attack: Any) -> None:
    ended = attack(COMPILE)
    assert ended["outcome"] == "finished", ended["err"]
    assert ended["out"].strip() == "hello"


def test_pools_shared_memory_and_loopback_work(attack: Any) -> None:
    ended = attack(POOL)
    assert (ended["outcome"], ended["out"]) == ("finished", "worked\n"), ended["err"]


LOADER = """
import torch
from torch.utils.data import DataLoader, TensorDataset
if __name__ == "__main__":
    loader = DataLoader(TensorDataset(torch.arange(64.0)), batch_size=4, num_workers=2)
    print(int(sum(part[0].sum() for part in loader)))
"""


@pytest.mark.stack
@pytest.mark.bubblewrap
def test_a_data_loader_with_workers_runs(stack: Callable[[str], Environment], tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(LOADER)
    job = Job({"program.py": tmp_path / "program.py"}, "program.py", limits=Limits(wall_seconds=100))
    run = execute(job, stack("torch"), sandbox.isolation("bubblewrap"))
    assert (run.outcome, run.stdout.text) == (Outcome.FINISHED, "2016\n"), run.stderr.text
