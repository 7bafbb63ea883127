"""What is read from a report, and what it points at."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pace import within

from bugloss.core.raised import Frame
from bugloss.core.report import Report
from bugloss.intake.reading import take_apart
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.question.mentions import Pointer, Resolver
from bugloss.localize.question.query import Query, read_query

TRACE = """It crashes:

```
Traceback (most recent call last):
  File "/home/me/run.py", line 3, in <module>
    trainer.fit_model(batches)
  File "/usr/lib/python3.7/site-packages/pkg/trainer.py", line 6, in fit_model
    return focal_loss(batches)
  File "C:\\\\Python\\\\lib\\\\pkg\\\\loss.py", line 3, in focal_loss
    raise ValueError("predictions must not be empty here")
ValueError: predictions must not be empty here
```
"""
NOTEBOOK = """
```
<ipython-input-5-abc> in <module>()
----> 1 fit()

~/env/lib/python3.6/site-packages/pkg/data.py in load_images(self, folder)
      3     def load_images(self, folder):
----> 4         return folder

IndexError: list index out of range
```
"""


def query_of(title: str, body: str = "") -> Query:
    return read_query(take_apart(Report(title, body)))


def pointed(corpus: FileCorpus, query: Query) -> set[tuple[str, str]]:
    return {(corpus.index.paths[m.file], m.pointer.value) for m in Resolver(corpus.index).mentions(query)}


def test_frames_are_read_from_outermost_to_innermost() -> None:
    assert [frame.function for frame in query_of("t", TRACE).frames] == ["<module>", "fit_model", "focal_loss"]


def test_frames_of_notebooks_have_the_line_of_the_arrow() -> None:
    frames = query_of("t", NOTEBOOK).frames
    assert frames[-1] == Frame("~/env/lib/python3.6/site-packages/pkg/data.py", 4, "load_images", "return folder")


def test_frames_are_mapped_to_files_by_the_end_of_their_path(open_library: Callable[[], FileCorpus]) -> None:
    found = pointed(open_library(), query_of("t", TRACE))
    assert ("pkg/loss.py", Pointer.INNERMOST_FRAME.value) in found
    assert ("pkg/trainer.py", Pointer.FRAME.value) in found


@pytest.mark.parametrize(
    ("title", "body", "path", "pointer"),
    [
        ("Broken", "see pkg/data.py please", "pkg/data.py", Pointer.PATH),
        ("Broken", "see [here](https://github.com/a/b/blob/master/pkg/data.py#L3)", "pkg/data.py", Pointer.LINK),
        ("Broken", "I import `pkg.trainer` first", "pkg/trainer.py", Pointer.MODULE),
        ("Broken", "```python\nfrom pkg import ImageLoader\n```", "pkg/data.py", Pointer.DOTTED_NAME),
        ("ImageLoader is slow", "", "pkg/data.py", Pointer.CLASS_IN_TITLE),
        ("Broken", "calling focal_loss fails", "pkg/loss.py", Pointer.FUNCTION_IN_PROSE),
        ("Broken", "```python\nx = focal_loss(1)\n```", "pkg/loss.py", Pointer.FUNCTION_IN_CODE),
        ("The trainer stops", "", "pkg/trainer.py", Pointer.STEM_IN_TITLE),
    ],
)
def test_a_report_points_at_files(
    open_library: Callable[[], FileCorpus], title: str, body: str, path: str, pointer: Pointer
) -> None:
    assert (path, pointer.value) in pointed(open_library(), query_of(title, body))


def test_what_the_library_does_not_have_points_nowhere(open_library: Callable[[], FileCorpus]) -> None:
    assert (
        pointed(open_library(), query_of("numpy fails", "torch.nn.Linear in torch/nn/linear.py, see other.py")) == set()
    )


def test_options_are_names() -> None:
    assert "batch_size" in query_of("--batch-size is ignored").title


def test_messages_and_markup_are_told_from_words() -> None:
    query = query_of("t", f"{TRACE}\n<denchmark-link:https://x.y/zebra>text</denchmark-link>")
    assert query.errors == ("predictions must not be empty here",)
    assert "zebra" not in query.prose


def test_hostile_reports_take_no_longer_than_their_length() -> None:
    with within(10):
        for piece in ("a/", "a.", "a\\", '"', "File ", "`a", "<a", "from a import ", "----> 1", "a.py "):
            query = query_of(piece * 50, piece * 20_000)
            assert len(query.paths) + len(query.dotted) + len(query.errors) < 100  # one thing said often is one thing
