"""Reading bug.toml: a Bug, or one sentence that says what is wrong with the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_corpus import FACTS, toml, write_bug

from bugloss.core.bug import Framework, OracleKind
from bugloss.core.errors import InvalidInput
from bugloss.core.taxonomy import Category, EditAction
from bugloss.corpus.bug_file import read_bug


def test_a_bug_is_read_with_everything_its_file_says(tmp_path: Path) -> None:
    bug = read_bug(write_bug(tmp_path / "torch-0001", notes="a note", pins=["numpy==1.0"]))
    assert (bug.id, bug.framework, bug.stack, bug.seconds) == ("torch-0001", Framework.TORCH, "torch", 1.0)
    assert bug.labels.category is Category.TENSOR
    assert bug.labels.edit_actions == (EditAction("import-addition"),)
    assert (bug.oracle.kind, bug.oracle.exception) == (OracleKind.EXCEPTION, "IndexError")
    assert (bug.notes, bug.pins, bug.folder) == ("a note", ("numpy==1.0",), tmp_path / "torch-0001")


LABELS = FACTS["labels"]
WRONG = {
    "unknown key": ({"colour": "red"}, "has an unknown key 'colour'."),
    "the reader's own key": ({"folder": "/etc"}, "has an unknown key 'folder'."),
    "unknown framework": ({"framework": "theano"}, "framework is 'theano', which is not one of its values."),
    "unknown label": ({"labels": {**LABELS, "category": "tensors"}}, "labels.category is 'tensors', which is not one"),
    "label of the wrong type": ({"labels": {**LABELS, "category": 5}}, "labels.category is 5, which is not one"),
    "labels that are no table": ({"labels": "tensor"}, "labels must be a table, not 'tensor'."),
    "text for a number": ({"seconds": "fast"}, "seconds must be of type float, not 'fast'."),
    "pins that are no list": ({"pins": "numpy==1.0"}, "pins must be a list, not 'numpy==1.0'."),
    "a pin that is not exact": ({"pins": ["numpy>=1.0"]}, "'numpy>=1.0' is not an exact pin."),
    "another id": ({"id": "torch-0002"}, "the id 'torch-0002' differs from the name of its folder, 'torch-0001'."),
    "unknown stack": ({"stack": "tortch"}, "there is no stack called 'tortch'."),
    "an exception oracle without one": (
        {"oracle": {"kind": "exception"}},
        "an exception oracle must name an exception.",
    ),
    "another oracle with one": (
        {"oracle": {"kind": "value", "exception": "ValueError"}},
        "only an exception oracle may name an exception.",
    ),
}


@pytest.mark.parametrize(("facts", "sentence"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_with_the_file_and_the_key(
    tmp_path: Path, facts: dict[str, object], sentence: str
) -> None:
    folder = write_bug(tmp_path / "torch-0001", **facts)
    with pytest.raises(InvalidInput) as refused:
        read_bug(folder)
    assert refused.value.message.startswith(f"{folder / 'bug.toml'}: ")
    assert sentence in refused.value.message


@pytest.mark.parametrize("key", ["title", "framework", "labels", "oracle", "origin", "data"])
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    folder = write_bug(tmp_path / "torch-0001")
    facts = {"id": "torch-0001", **FACTS, "oracle": {"kind": "value"}}
    del facts[key]
    (folder / "bug.toml").write_text(toml(facts))
    with pytest.raises(InvalidInput, match=f"lacks the key '{key}'"):
        read_bug(folder)


def test_a_misspelt_stack_is_answered_with_the_nearest_one(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_bug(write_bug(tmp_path / "torch-0001", stack="tortch"))
    assert refused.value.hint == "Did you mean 'torch' or 'torch1'?"


BROKEN = {
    "empty": b"",
    "no TOML": b"id = ",
    "binary": bytes(range(256)) * 40,
    "UTF-16": 'id = "torch-0001"'.encode("utf-16"),
    "a number without end": b"seconds = " + b"9" * 5000,
    "nested without end": b"x = " + b"[" * 20000,
    "huge": b'notes = "' + b"x" * 3_000_000 + b'"\n',
    "a number that no float holds": b"seconds = 1" + b"0" * 400,
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_no_bug_file_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    folder = write_bug(tmp_path / "torch-0001")
    (folder / "bug.toml").write_bytes(content)
    with pytest.raises(InvalidInput) as refused:
        read_bug(folder)
    assert str(folder / "bug.toml") in refused.value.message
    assert "\n" not in refused.value.message
    assert len(refused.value.message) < 500


def test_a_folder_in_the_place_of_the_file_is_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "torch-0001"
    (folder / "bug.toml").mkdir(parents=True)
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_bug(folder)


def test_a_folder_without_a_bug_file_is_no_bug(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"is not a bug folder: it has no bug\.toml") as refused:
        read_bug(tmp_path)
    assert refused.value.hint == "Create one: bugloss new NAME"


def test_the_working_folder_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as inside:
        inside.chdir(write_bug(tmp_path / "torch-0001"))
        assert read_bug(Path()).id == "torch-0001"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode(errors="replace")))
def test_whatever_the_file_holds_it_is_refused_in_our_words(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bug.toml").write_bytes(content)
    with pytest.raises(InvalidInput):
        read_bug(tmp_path)
