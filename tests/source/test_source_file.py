"""Reading source files: encodings, line ends, notebooks, and the reason when a file is not read."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.source.text.source_file import (
    LARGEST_BYTES,
    Skipped,
    SourceFile,
    encoded_like,
    ignored_rules,
    parse_notebook,
    parse_source,
    read_source,
)


def read(tmp_path: Path, content: bytes, name: str = "a.py") -> SourceFile | Skipped:
    path = tmp_path / name
    path.write_bytes(content)
    return read_source(path, name)


def text_of(source: SourceFile | Skipped) -> str:
    assert isinstance(source, SourceFile), source
    return source.text


def reason_of(source: SourceFile | Skipped) -> str:
    assert isinstance(source, Skipped)
    return source.reason


def notebook(*cells: dict[str, object] | str) -> bytes:
    full = [
        {"cell_type": "code", "source": cell, "outputs": [], "metadata": {}} if isinstance(cell, str) else cell
        for cell in cells
    ]
    return json.dumps({"cells": full, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        ("x = 'é'\n".encode(), "x = 'é'\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        ("# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"), "# -*- coding: latin-1 -*-\nx = 'é'\n"),
        ("# coding: gbk\nx = '中'\n".encode("gbk"), "# coding: gbk\nx = '中'\n"),
        (b"x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n"),
        (b"x = 1\ry = 2\r", "x = 1\ny = 2\n"),
        (b"x = 1\n\x0cy = 2\n", "x = 1\n\x0cy = 2\n"),
    ],
)  # fmt: skip
def test_a_file_is_read_in_its_encoding_and_with_line_feeds(tmp_path: Path, content: bytes, text: str) -> None:
    assert text_of(read(tmp_path, content)) == text


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"x = '\xff\xfe'\n", "not text in its declared encoding"),
        (b"# coding: no-such\nx = 1\n", "not text in its declared encoding"),
        (b"# coding: ascii\nx = '\xc3\xa9'\n", "not text in its declared encoding"),
        (b"x = 1\x00\n", "a binary file"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "a binary file"),
        (b"x = (\n", "does not parse: line 1: '(' was never closed"),
        (b"print 'hello'\n", "it looks like Python 2"),
        (b"print x, y\n", "it looks like Python 2"),
        (b"x = " + b"-" * 100_000 + b"1\n", "does not parse: nested too deeply"),
        (b"x = " + b"[" * 10_000 + b"\n", "does not parse: line 1: too many nested parentheses"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, content: bytes, reason: str) -> None:
    assert reason in reason_of(read(tmp_path, content))


def test_files_that_are_gone_or_folders_say_what_the_system_says(tmp_path: Path) -> None:
    assert reason_of(read_source(tmp_path / "gone.py", "gone.py")) == "No such file or directory"
    assert reason_of(read_source(tmp_path, "folder.py")) == "Is a directory"


def test_a_file_of_many_megabytes_is_left_out(tmp_path: Path) -> None:
    assert reason_of(read(tmp_path, b"x = 1\n" * (LARGEST_BYTES // 6 + 1))) == "larger than 2 MB"


def test_a_notebook_may_hold_large_pictures_but_not_so_much_code(tmp_path: Path) -> None:
    picture: dict[str, object] = {"cell_type": "code", "source": "x = 1", "outputs": ["A" * LARGEST_BYTES]}
    assert text_of(read(tmp_path, notebook(picture), "a.ipynb")) == "x = 1"
    code = notebook("x = 1\n" * (LARGEST_BYTES // 6 + 1))
    assert reason_of(read(tmp_path, code, "b.ipynb")) == "more than 2 MB of code"


def test_the_segment_of_a_node_counts_characters_rightly() -> None:
    source = parse_source("é = f('ü', (1,\n  2)); y = 3\n", "a.py")
    assert isinstance(source, SourceFile)
    first, second = source.tree.body
    assert (source.segment(first), source.segment(second)) == ("é = f('ü', (1,\n  2))", "y = 3")


@given(st.text(max_size=40))
def test_no_text_breaks_the_reader_and_lines_are_those_of_the_parser(text: str) -> None:
    source = parse_source(text, "a.py")
    if isinstance(source, SourceFile):
        for node in ast.walk(source.tree):
            assert getattr(node, "end_lineno", 1) <= len(source.lines)


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader_of_notebooks(content: bytes) -> None:
    assert isinstance(parse_notebook(content, "a.ipynb"), (SourceFile, Skipped))


def test_code_cells_are_joined_and_know_their_places() -> None:
    source = parse_notebook(
        notebook(
            {"cell_type": "markdown", "source": ["# title\n", "import nothing ("]},
            "import torch\nx = 1",
            {"cell_type": "raw", "source": "not code ("},
            {"cell_type": "code", "source": ["y = x\n", "z = y"]},
            "",
        ),
        "a.ipynb",
    )
    assert text_of(source) == "import torch\nx = 1\ny = x\nz = y\n"
    assert isinstance(source, SourceFile)
    assert source.cells == ((2, 1), (2, 2), (4, 1), (4, 2), (5, 1))


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("%matplotlib inline\nx = 1", ["x"]),
        ("!pip install torch\nx = 1", ["x"]),
        ("if True:\n    !pip install torch\nx = 1", ["x"]),
        ("files = !ls\nx = 1", ["files", "x"]),
        ("t = %timeit -o f()\nx = 1", ["t", "x"]),
        ("torch.nn?\nx = 1", ["x"]),
        ("?torch.nn\nx = 1", ["x"]),
        ("x = ('%d'\n     % 3)", ["x"]),
        ("x = '''\n% of all\n! and so on\n'''", ["x"]),
        ("%%bash\nls -l | grep x", []),
        ("  %%time\nx = 1", ["x"]),
        ("%%html\n<b>x</b>", []),
        ("!pip install \\\n  this\nx = 1", ["x"]),
        ("await f()\nx = 1", ["x"]),
    ],
)  # fmt: skip
def test_magics_and_shell_lines_do_not_stop_the_reading(cell: str, names: list[str]) -> None:
    source = parse_notebook(notebook(cell), "a.ipynb")
    assert isinstance(source, SourceFile), source
    stored = [n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    assert stored == names


def test_text_that_only_looks_like_a_magic_keeps_its_words() -> None:
    assert "% of all" in text_of(parse_notebook(notebook("x = '''\n% of all\n'''"), "a.ipynb"))


def test_a_cell_that_does_not_parse_is_named() -> None:
    assert reason_of(parse_notebook(notebook("x = 1", "y = 2\nz = ("), "a.ipynb")).startswith(
        "does not parse: cell 2, line 2"
    )


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"3", b"null", b"{}", b'{"worksheets": [{"cells": []}]}', b'{"cells": 3}', b'{"cells": {"a": 1}}',
        b'{"cells": [3]}', b'{"cells": [{}]}', b'{"cells": [{"cell_type": "code"}]}', b'{"cells": [[]]}', b"\xff\xfe",
        b'{"cells": [{"cell_type": "code", "source": [1, 2]}]}', b"[" * 100_000,
    ],
)  # fmt: skip
def test_a_malformed_notebook_says_that_it_is_none(content: bytes) -> None:
    assert reason_of(parse_notebook(content, "a.ipynb")) == "not a notebook of format 4"


@pytest.mark.parametrize(
    ("comment", "rules"),
    [
        ("# bugloss: ignore", set()),
        ("#bugloss:ignore", set()),
        ("# bugloss: ignore[one-rule]", {"one-rule"}),
        ("# bugloss: ignore[one, two  three]", {"one", "two", "three"}),
        ("# noqa  # bugloss: ignore[one]", {"one"}),
        ("# bugloss: ignore[one]  because it is meant", {"one"}),
        ("# bugloss: ignore[unknown/rule]", {"unknown/rule"}),
        ("# bugloss: ignored", None),
        ("# bugloss: ignore[one", None),
        ("# bugless: ignore", None),
    ],
)  # fmt: skip
def test_comments_that_excuse_a_line(comment: str, rules: set[str] | None) -> None:
    source = parse_source(f"x = 1\ny = 2  {comment}\n", "a.py")
    assert isinstance(source, SourceFile)
    assert ignored_rules(source) == ({} if rules is None else {2: rules})


@pytest.mark.parametrize(
    "content",
    [
        b"x = 1\n",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1\ry = 2\r",
        b"\xef\xbb\xbfx = 1\n",
        b"x = 1",
        b"",
        "# coding: latin-1\r\nx = 'é'\r\n".encode("latin-1"),
    ],
)  # fmt: skip
def test_an_unchanged_text_is_written_back_byte_by_byte(tmp_path: Path, content: bytes) -> None:
    assert encoded_like(content, text_of(read(tmp_path, content))) == content


def test_a_text_that_cannot_be_written_back_faithfully_is_not() -> None:
    assert encoded_like(b"x = 1\ny = 2\r\n", "x = 1\ny = 3\n") is None
    assert encoded_like(b"# coding: latin-1\n", "# coding: latin-1\nx = '中'\n") is None
