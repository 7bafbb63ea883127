"""Which releases a program was written for."""

from __future__ import annotations

import pytest

from bugloss.check.releases.written_for import CandidateReleases, idioms, oldest_python, rank_candidates
from bugloss.source.program import Program
from bugloss.source.text.source_file import SourceFile, parse_source

OLD = CandidateReleases("old", {"keras": "1.2.2", "tensorflow": "1.4.1", "numpy": "1.16.6"}, "3.6")
MIDDLE = CandidateReleases("middle", {"keras": "2.8.0", "tensorflow": "2.8.4", "numpy": "1.22.4"}, "3.8")
NEW = CandidateReleases("new", {"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"}, "3.13")


def best(*sources: str) -> str:
    return rank_candidates(sources, [NEW, MIDDLE, OLD])[0].name


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import keras\n", "new"),
        ("import tensorflow as tf\ntf.Session()\n", "old"),  # a name that was removed
        ("import keras\nkeras.ops.relu(1)\n", "new"),  # a name that was not there yet
        ("from keras.layers import Dense\nDense(output_dim=3)\n", "old"),  # a parameter that has another name now
        ("from keras.layers import Dense\nmodel.fit(x, y, nb_epoch=2)\n", "old"),  # the same of a method
        ("import keras\nmodel.fit_generator(g)\n", "middle"),  # a method that was removed
        ("import keras\nimport numpy as np\nx = np.float(3)\n", "middle"),  # another library of its time
        ("import keras\nif (n := 3):\n    pass\nmodel.fit_generator(g)\n", "middle"),
        ("import keras\nmatch n:\n    case 3:\n        pass\n", "new"),  # syntax
    ],
)
def test_the_likeliest_candidate_has_what_the_program_uses(source: str, expected: str) -> None:
    assert best(source) == expected


def test_modules_of_a_program_count_as_well() -> None:
    assert best("import keras\n", "from keras.layers import Dense\nDense(3, W_regularizer=r)\n") == "old"


def test_what_a_guard_protects_says_nothing() -> None:
    assert best("import tensorflow as tf\ntry:\n    tf.Session()\nexcept AttributeError:\n    pass\n") == "new"


def test_an_outdated_name_alone_does_not_make_a_program_old() -> None:
    """A release that warns of half its names would lose every program to an earlier one."""
    late = CandidateReleases("late", {"tensorflow": "1.15.5"})
    early = CandidateReleases("early", {"tensorflow": "1.4.1"})
    source = "import tensorflow as tf\nwith tf.Session() as s:\n    s.run(tf.placeholder(tf.float32))\n"
    assert rank_candidates([source], [late, early])[0].name == "late"


def test_reasons_name_what_others_lack() -> None:
    first = rank_candidates(["from keras.layers import Dense\nDense(output_dim=3)\n"], [NEW, MIDDLE, OLD])[0]
    assert first.reasons[0] == "output_dim="


def test_every_idiom_is_at_home_somewhere() -> None:
    for idiom in idioms():
        assert idiom.words
        assert idiom.first or idiom.last, idiom.words
        assert 0 < idiom.weight <= 1


@pytest.mark.parametrize(
    ("text", "version"),
    [("x = 1", (3, 6)), ("(y := 2)", (3, 8)), ("def f(a, /): pass", (3, 8)), ("match x:\n    case 1: pass", (3, 10))],
)
def test_syntax_tells_the_oldest_python(text: str, version: tuple[int, int]) -> None:
    source = parse_source(text, "a.py")
    assert isinstance(source, SourceFile)
    assert oldest_python(Program(source)) == version
