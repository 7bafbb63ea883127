"""What pip needs besides a stack's pins, on a machine that is not this one."""

from __future__ import annotations

from bugloss.stacks.stack import Stack

TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def pip_options(stack: Stack) -> list[str]:
    """Where pip finds the CPU build of torch; other machines' own indexes are none of an export's business."""
    needs_torch = any(package.startswith("torch==") for package in stack.packages)
    return [f"--extra-index-url {TORCH_CPU_INDEX}"] if needs_torch else []
