"""Dictionaries that a report uses and does not show: their entries get names of their own."""

from __future__ import annotations

import ast

import pytest

from bugloss.reproduce.names.entries import is_dictionary, with_names
from bugloss.reproduce.program.draft import undefined


def named(text: str, name: str) -> str | None:
    tree = ast.parse(text)
    use = undefined(text)[name]
    return with_names(text, use, tree) if is_dictionary(use, tree) else None


@pytest.mark.parametrize(
    ("text", "name", "after"),
    [
        (
            'for x, y in dataloaders["train"]:\n    pass\n',
            "dataloaders",
            "for x, y in train_dataloaders:\n    pass\n",
        ),
        (
            'picture, label = image_datasets["val"][3]\n',
            "image_datasets",
            "picture, label = val_image_datasets[3]\n",
        ),
        ('out = bert(encoding["input_ids"])\n', "encoding", "out = bert(input_ids_encoding)\n"),
        ('rate = config["lr"] * config["decay"]\n', "config", "rate = lr_config * decay_config\n"),
    ],
)
def test_an_entry_becomes_a_name(text: str, name: str, after: str) -> None:
    assert named(text, name) == after


def test_a_loop_over_phases_takes_the_one_for_training() -> None:
    text = 'for phase in ["val", "train"]:\n    for x, y in loaders[phase]:\n        pass\n'
    assert "for x, y in train_loaders:" in (named(text, "loaders") or "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('y = df["label"]\n', "df"),  # a table has columns
        ('n = len(loaders)\nfor x in loaders["train"]:\n    pass\n', "loaders"),  # it is used as a whole, too
        ('loaders["train"] = 3\n', "loaders"),  # it is written to
        ("for x in loaders[0]:\n    pass\n", "loaders"),  # a list
        ("for x in loaders[phase]:\n    pass\n", "loaders"),  # nobody knows the phase
    ],
)
def test_what_may_be_something_else_is_left_alone(text: str, name: str) -> None:
    assert named(text, name) is None
