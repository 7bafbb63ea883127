"""What a crash's message and the values of its line make of a program, each on programs of two shapes."""

from __future__ import annotations

import pytest
from crash_cases import CASES_OF_CALLS, Case
from crash_value_cases import CASES_OF_VALUES

from bugloss.core.run import Frame, RaisedException
from bugloss.observe.crash import explain
from bugloss.observe.recording import Crash, Operand

CASES = (*CASES_OF_CALLS, *CASES_OF_VALUES)
# Programs in which the words of a message lead nowhere.
ALONE = (
    ("net(x)\n", 1, "RuntimeError: pass verbose=True to see more"),
    ("x = tf.concat([a, b], 1)\n", 1, "TypeError: Expected int32, got list containing Tensors of type '_Message'"),
    ("y = x.squeeze(1)\n", 1, "RuntimeError: got torch.Size([]) and torch.Size([1])"),
    ("print(table['speed'])\n", 1, "KeyError: 'speed'"),
    ("x = Dense(3)(y)\n", 1, "TypeError: Layer dense_1 does not support masking"),
    ("x = rows[index]\n", 1, "TypeError: list indices must be integers or slices, not float"),
    ("x = open('data.csv', 'r')\n", 1, "FileNotFoundError: [Errno 2] No such file or directory: 'data.csv'"),
    ("def run(x, fast):\n    pass\n\nrun(1, fastt=2)\n", 4, "TypeError: run() got an unexpected keyword argument 'q'"),
    (
        "class Net:\n    def forward(self, x):\n        return x\n\nnet = Net()\nnet(1, mask=2)\n",
        6,
        "TypeError: Net.forward() got an unexpected keyword argument 'mask'",
    ),
    ("net = keras.models.load_model('a')\n", 1, "ValueError: Unknown layer: 'Attention'. Please ensure"),
    ("layer = nn.Dropout(share)\n", 1, "ValueError: dropout probability has to be between 0 and 1, but got 30"),
    ("import torch\n\nz = a - b\n", 3, "RuntimeError: the `-` operator is fine"),
)


def explained(program: str, line: int, raised: str, operands: tuple[Operand, ...] = ()) -> list[str]:
    """The program after each edit of the likeliest cause."""
    kind, _, message = raised.partition(": ")
    frame = Frame("train.py", line, "main", program.split("\n")[line - 1].strip())
    crash = Crash(RaisedException(kind, kind, message, (), (frame,)), operands)
    causes = explain(crash, lambda path: program if path == "train.py" else None)
    return [edit.apply("train.py", program) for edit in (causes[0].edits if causes else ())]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_crash_is_repaired_by(case: Case) -> None:
    found = explained(case.program, case.line, case.raised, case.operands)
    assert found[case.number :]
    assert case.written in found[case.number]
    compile(found[case.number], "train.py", "exec")


@pytest.mark.parametrize(("program", "line", "raised"), ALONE)
def test_words_that_fit_nothing_change_nothing(program: str, line: int, raised: str) -> None:
    assert explained(program, line, raised) == []
