"""Whatever a user calls a report becomes one, or one clear sentence."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from pace import within

from bugloss.core.errors import InvalidInput
from bugloss.core.report import ReportSource
from bugloss.intake.given import parse_report, read_report
from bugloss.intake.reading import take_apart
from bugloss.intake.remote import Library
from bugloss.intake.text_limits import LONGEST_BODY

MARKDOWN = """\
# Loss is nan after one epoch

Tags: keras, loss-function

It worked yesterday.
"""


def parse(text: str, name: str = "report.md") -> object:
    return parse_report(text.encode(), name)


def test_a_markdown_file_is_its_own_body() -> None:
    report = parse_report(MARKDOWN.encode(), "report.md")
    assert report.title == "Loss is nan after one epoch"
    assert report.tags == ("keras", "loss-function")
    assert report.body == MARKDOWN
    assert report.source is ReportSource.TEXT


def test_text_without_a_heading_takes_its_first_line_for_a_title() -> None:
    assert parse_report(b"My net does not learn\n\nWhy?", "x.txt").title == "My net does not learn"
    long = parse_report(b"word " * 100, "x.txt")
    assert long.title.endswith("…")
    assert len(long.title) <= 160


def test_a_link_in_the_head_tells_the_source() -> None:
    report = parse_report(b"# T\nURL: https://github.com/a/b/issues/3\nDate: 2020-05-06\n\nText", "x.md")
    assert report.source is ReportSource.GITHUB
    assert report.created_at == date(2020, 5, 6)


def test_plain_json_keeps_the_body_as_it_is() -> None:
    data = {"title": "T", "body": "one\ntwo", "tags": ["a", "b"], "created_at": "2021-02-03T00:00:00Z"}
    report = parse_report(json.dumps(data).encode(), "x.json")
    assert (report.title, report.body, report.tags) == ("T", "one\ntwo", ("a", "b"))
    assert report.created_at == date(2021, 2, 3)


def test_an_answer_of_stack_exchange_is_a_question_with_its_html_as_markdown() -> None:
    body = "<p>Shapes <code>x</code> &amp; y</p>\n<pre><code>import keras\nif a &lt; b:\n    pass\n</code></pre>"
    item = {
        "question_id": 1,
        "title": "Why &quot;nan&quot;?",
        "body": body,
        "tags": ["keras"],
        "creation_date": 1500000000,
    }
    report = parse_report(json.dumps({"items": [item]}).encode(), "so.json")
    assert report.title == 'Why "nan"?'
    assert "```\nimport keras\nif a < b:\n    pass\n```" in report.body
    assert "Shapes `x` & y" in report.body
    assert report.source is ReportSource.STACK_OVERFLOW
    assert report.created_at == date(2017, 7, 14)


def test_an_issue_of_github_has_its_labels_as_tags() -> None:
    data = {
        "number": 7,
        "title": "Crash",
        "body": None,
        "labels": [{"name": "bug"}],
        "html_url": "https://github.com/a/b/issues/7",
    }
    report = parse_report(json.dumps(data).encode(), "gh.json")
    assert (report.title, report.body, report.tags, report.source) == ("Crash", "", ("bug",), ReportSource.GITHUB)


def test_a_notebook_is_its_cells_and_what_they_printed() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# It fails\n", "Help."]},
        {
            "cell_type": "code",
            "source": "import torch\nx",
            "outputs": [{"output_type": "error", "traceback": ["\x1b[31mNameError\x1b[0m: name 'x' is not defined"]}],
        },
    ]
    report = parse_report(json.dumps({"cells": cells, "nbformat": 4}).encode(), "n.ipynb")
    assert report.title == "It fails"
    assert "```python\nimport torch\nx\n```\n\n```\nNameError: name 'x' is not defined\n```" in report.body


def test_html_pages_become_markdown() -> None:
    report = parse_report(b"<html><body><h1>It fails</h1><p>Here.</p><script>evil()</script></body></html>", "x.html")
    assert report.title == "It fails"
    assert "evil" not in report.body


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (b"", "x.md", "is empty"),
        (b" \n\n", "x.md", "is empty"),
        (b"\x00\x01\x02", "x.bin", "is not text"),
        (bytes(range(128, 256)) * 40, "x.md", "is not text"),
        (b"{\"title\": ", "x.json", "is not valid JSON"),
        (b"[1, 2]", "x.json", "neither a title nor a body"),
        (b"[" * 100_000, "x.json", "nested too deeply"),
        (b"{\"items\": []}", "x.json", "contains no question"),
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused_with_one_sentence(content: bytes, name: str, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        parse_report(content, name)


def test_a_file_that_is_not_there_says_what_would_be() -> None:
    with pytest.raises(InvalidInput, match=r"cannot be read") as caught:
        read_report("/no/such/report.md", Library())
    assert "so:NUMBER" in caught.value.hint


def test_single_broken_bytes_are_shown_and_remarked() -> None:
    reading = take_apart(parse_report(b"# Title\n\nThe loss \xff is nan, please help me with it.", "x.md"))
    assert any("UTF-8" in remark for remark in reading.remarks)


@pytest.mark.parametrize(
    "content",
    [
        b"loss nan " * 1_200_000,
        b"(" * 10_000_000,
        b"[1, " * 2_500_000,
        b"a.b/" * 2_500_000,
        b"\n" * 10_000_000,
        b"# x\n\n    " * 1_000_000,
        b"expected " * 1_000_000,
        b"<div>" * 2_000_000,
        b"<pre>" * 2_000_000,
        b"```\n" * 2_500_000,
        b"version 1.2.3 torch 1" * 480_000,
        b"X" * 10_000_000,
        b"Error: " * 1_400_000,
    ],
    ids=lambda content: repr(content[:12]),
)
def test_ten_megabytes_are_read_quickly_and_said_to_be_too_long(content: bytes) -> None:
    try:
        with within(8):
            reading = take_apart(parse_report(b"A long report.\n" + content, "x.md"))
    except InvalidInput:
        return
    assert len(reading.report.body) <= LONGEST_BODY + 100
    if len(reading.report.body) > LONGEST_BODY:
        assert any("very long" in remark for remark in reading.remarks)


def test_the_end_of_a_long_report_is_kept() -> None:
    text = "# T\n" + "Epoch 1\n" * 100_000 + "ValueError: the very last line"
    assert parse_report(text.encode(), "x.md").body.endswith("ValueError: the very last line")


def test_standard_input_is_read_for_a_dash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_text(MARKDOWN)
    with path.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert read_report("-", Library()).title == "Loss is nan after one epoch"
