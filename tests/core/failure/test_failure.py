"""A failure: what an exception says, and whose lines led to it."""

from __future__ import annotations

import pytest

from bugloss.core.failure.failure import Failure
from bugloss.core.failure.frames import is_users, raising_library_function
from bugloss.core.raised import Frame, RaisedException

OWN = Frame("/home/me/train.py", 3, "<module>", "model.fit(x)")
LIBRARY = Frame("/usr/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py", 122, "filter.<locals>.handler")
WORKER = (
    "Caught IndexError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\n"
    '  File "data.py", line 9, in __getitem__\n    return self.rows[at]\nIndexError: list index out of range\n'
)


def test_the_exception_inside_speaks_for_the_one_outside() -> None:
    failure = Failure.of(RaisedException("RuntimeError", "RuntimeError", WORKER, (), (OWN, LIBRARY)))
    assert (failure.kind, failure.text) == ("IndexError", "list index out of range")
    assert [frame.path for frame in failure.own_frames] == ["/home/me/train.py", "data.py"]
    assert failure.library_frames == (LIBRARY,)


@pytest.mark.parametrize(
    "path",
    [
        "C:\\Users\\me\\Anaconda3\\lib\\json\\decoder.py",
        "/opt/conda/lib/python3.10/threading.py",
        "torch/functional.py",
        "/src/torch/_tensor.py",
        "tensorflow_core/python/ops/math_ops.py",
        ".../keras/engine/training.py",
        "<frozen importlib._bootstrap>",
        "<__array_function__ internals>",
        "",
    ],
)
def test_frames_of_libraries_are_not_the_users(path: str) -> None:
    assert not is_users(Frame(path, 1, "f"))


@pytest.mark.parametrize("path", ["train.py", "<stdin>", "<cell 3>", "<ipython-input-3-9f>", "/home/torch/nets/net.py"])
def test_frames_of_programs_and_cells_are_the_users(path: str) -> None:
    assert is_users(Frame(path, 1, "f"))


def test_a_library_function_raised_only_where_it_is_innermost() -> None:
    assert raising_library_function(RaisedException("E", "E", "", (), (OWN, LIBRARY))) == "handler"
    assert raising_library_function(RaisedException("E", "E", "", (), (LIBRARY, OWN))) == ""
    assert raising_library_function(RaisedException("E", "E", "")) == ""
