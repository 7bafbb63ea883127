"""What is known of the expressions of a crashing line beside its variables."""

from __future__ import annotations

from bugloss.core.raised import Frame, RaisedException
from bugloss.observe.crash.scene import Scene, look_at
from bugloss.observe.crash_event import Crash, Operand

LIBRARY = "/env/lib/python3.11/site-packages/torch/nn/modules/module.py"
PROGRAM = "loss = loss_of(model(inputs[chosen]), labels[chosen])\n"


def scene(program: str, *operands: Operand) -> Scene:
    frames = (Frame("train.py", 1, "<module>", program.strip()), Frame(LIBRARY, 1789, "_call_impl", "return forward()"))
    error = RaisedException("RuntimeError", "RuntimeError", "0D or 1D target tensor expected", (), frames)
    return look_at(Crash(error, operands), {"train.py": program}.get)


def shapes(found: Scene) -> dict[str, tuple[int, ...]]:
    return {one.name: one.shape for one in found.values}


def test_rows_of_a_recorded_tensor_keep_its_other_axes() -> None:
    known = shapes(
        scene(
            PROGRAM,
            Operand("labels", (240, 1), "float32", "cpu", 1, "train.py"),
            Operand("chosen", (48,), "int64", "cpu", 1, "train.py"),
        )
    )
    assert known["labels[chosen]"] == (48, 1)
    assert "inputs[chosen]" not in known


def test_the_frames_below_show_what_the_call_was_given() -> None:
    """``model(…)`` has no name of its own: what it gave is only seen in the frame of the loss."""
    known = shapes(
        scene(
            PROGRAM,
            Operand("args[0]", (48, 3), "float32", "cpu", 1789, LIBRARY),
            Operand("args[1]", (48, 1), "float32", "cpu", 1789, LIBRARY),
        )
    )
    assert known["model(inputs[chosen])"] == (48, 3)
    assert known["labels[chosen]"] == (48, 1)


def test_a_call_that_may_not_be_the_one_that_failed_is_left_out() -> None:
    two_calls = "loss = first(a, b) + second(c, d)\n"
    known = shapes(
        scene(
            two_calls,
            Operand("args[0]", (4, 3), "float32", "cpu", 1789, LIBRARY),
            Operand("args[1]", (4, 1), "float32", "cpu", 1789, LIBRARY),
        )
    )
    assert "a" not in known
    assert "c" not in known
