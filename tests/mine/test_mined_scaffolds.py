"""Bug folders of mined candidates whose issues are reproduced beside the sources of the repository."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_repository import TinyRepository

from bugloss.core.bug import Twin
from bugloss.corpus.bug_file import read_bug
from bugloss.corpus.entry import Entry
from bugloss.show.cli.main import main
from bugloss.workflows.upstream.public_address import public_address
from bugloss.workflows.upstream.sources import provide_sources

HEAD = "import torch\nfrom torch import nn\n\n\ndef make_head(width):\n    return nn.Linear({}, 2)\n"
ISSUE = """# RuntimeError: mat1 and mat2 shapes cannot be multiplied

I call the head of tinylib on a batch and it fails.

```python
import torch
import tinylib

head = tinylib.make_head(8)
print(head(torch.zeros(4, 8)))
```

```
Traceback (most recent call last):
  File "use.py", line 5, in <module>
    print(head(torch.zeros(4, 8)))
RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x8 and 9x2)
```
"""
OTHER = ISSUE.replace("tinylib.make_head(8)", "torch.nn.Linear(9, 2)")  # a mistake of the reporter's own


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[TinyRepository]:
    made = TinyRepository.at(tmp_path / "mirror" / "somebody+tinylib" / "repo")
    made.now = 1_700_000_000  # the time of a current PyTorch
    made.commit({"src/tinylib/__init__.py": HEAD.format("width + 1"), "LICENSE": "Use it.\n"})
    made.commit({"src/tinylib/__init__.py": HEAD.format("width")}, "Fix size of nn.Linear in the head, closes #7")
    yield made


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    folder = tmp_path / "issues"
    folder.mkdir()
    return folder


def mine(repository: TinyRepository, new: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, object]:
    command = ["mine", str(repository.folder), "--scaffold", str(new), "--reproduce", "--offline", "--json", *more]
    assert main(command) == 0
    [made] = json.loads(capsys.readouterr().out)["scaffolds"]
    return dict(made)


@pytest.mark.stack
def test_a_scaffold_shows_the_bug_where_its_issue_is_reproduced(
    repository: TinyRepository, reports: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (reports / "7.md").write_text(ISSUE)
    made = mine(repository, tmp_path / "new", capsys, "--reports", str(reports))
    assert (made["level"], made["gone"], made["reason"]) == ("R4", True, "")
    bug = read_bug(Path(str(made["folder"])))
    assert bug.upstream is not None
    assert (bug.upstream.root, bug.upstream.sources) == ("src", ("src/tinylib",))
    assert (bug.oracle.exception, bug.oracle.raised_in) == ("RuntimeError", "<module>")
    entry = Entry(bug)
    provide_sources(entry, mirror=tmp_path / "mirror", offline=True)
    assert "width + 1" in (entry.program(Twin.BUGGY) / "tinylib" / "__init__.py").read_text()
    assert "tinylib" in (entry.program(Twin.FIXED) / bug.entry).read_text()


@pytest.mark.stack
def test_a_failure_that_the_fix_does_not_touch_is_not_its_bug(
    repository: TinyRepository, reports: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (reports / "7.md").write_text(OTHER)
    made = mine(repository, tmp_path / "new", capsys, "--reports", str(reports))
    assert (made["gone"], made["reason"]) == (False, "the failure is the same with the fix")
    assert read_bug(Path(str(made["folder"]))).upstream is None


def test_without_the_report_of_an_issue_a_template_is_written_and_the_reason_given(
    repository: TinyRepository, reports: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = mine(repository, tmp_path / "new", capsys, "--reports", str(reports))
    assert made["level"] is None
    assert "no issue" in str(made["reason"])
    made = mine(repository, tmp_path / "other", capsys)
    assert "--offline" in str(made["reason"])


@pytest.mark.parametrize("options", [["--reproduce"], ["--scaffold", "new", "--reports", "."]])
def test_options_without_effect_are_refused(
    options: list[str], repository: TinyRepository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mine", str(repository.folder), *options, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["schema"] == "bugloss.error/1"


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("git@github.com:owner/name.git", "https://github.com/owner/name"),
        ("https://gitlab.com/owner/name", "https://gitlab.com/owner/name"),
        ("/somewhere/else", "https://github.com/somebody/tinylib"),
    ],
)
def test_the_address_is_that_of_the_remote_or_of_the_place_in_a_mirror(
    repository: TinyRepository, remote: str, address: str
) -> None:
    repository.git("remote", "add", "origin", remote)
    assert public_address(repository.folder) == address
