"""Real inputs to start from: what lies in the repository, and a few documents in the forms that others send."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from recorded_runs import raised, run_of

from bugloss.core.bug import Oracle, OracleKind, Twin
from bugloss.core.codec import encode
from bugloss.core.judgement import Grade, Judgement
from bugloss.core.trial import Trial
from bugloss.observe.sketch import sketch
from bugloss.record.runs import RunFacts

ROOT = Path(__file__).resolve().parents[3]
_MOST = 150  # seeds of a kind


def _files(*patterns: str) -> tuple[bytes, ...]:
    found = sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file())
    step = max(1, len(found) // _MOST)
    return tuple(path.read_bytes() for path in found[::step])


@cache
def reports() -> tuple[bytes, ...]:
    return _files("bugs/*/*/original.md", "bugs/*/*/report.md", "bench/reports/*.md", "tests/reproduce/reports/*.md")


@cache
def programs() -> tuple[bytes, ...]:
    from bugloss.check.running.inspection import all_rules

    snippets = tuple(text.encode() for rule in all_rules() for text in rule.faulty if len(text) < 3_000)
    return (*_files("bugs/*/*/*/*.py", "bench/programs/**/*.py"), *snippets)


@cache
def notebooks() -> tuple[bytes, ...]:
    made = []
    for text in programs()[:60]:
        lines = text.decode("utf-8", "replace").splitlines(keepends=True)
        half = len(lines) // 2
        cells = [
            {"cell_type": "markdown", "metadata": {}, "source": ["# Training\n"]},
            {"cell_type": "code", "metadata": {}, "source": ["%matplotlib inline\n", *lines[:half]], "outputs": []},
            {"cell_type": "code", "metadata": {}, "source": "".join(lines[half:]), "outputs": [_output()]},
        ]
        made.append(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode())
    return tuple(made)


def _output() -> dict[str, object]:
    return {
        "output_type": "error",
        "ename": "ValueError",
        "evalue": "bad",
        "traceback": ["\x1b[31mValueError\x1b[0m: bad"],
    }


@cache
def json_reports() -> tuple[bytes, ...]:
    made: list[object] = []
    for text in reports()[:40]:
        title, _, body = text.decode("utf-8", "replace").partition("\n")
        html = f"<p>{body.replace('```', '</p><pre><code>')}</p>"
        question = {"question_id": 1, "title": title, "body": html, "tags": ["keras"], "creation_date": 1_500_000_000}
        made.append(
            {"items": [{**question, "link": "https://stackoverflow.com/questions/1", "answers": []}], "quota_max": 1}
        )
        made.append(
            {"title": title, "body": body, "tags": ["a"], "created_at": "2020-01-02T03:04:05Z", "url": "https://x"}
        )
        issue = {"number": 3, "title": title, "body": body, "labels": [{"name": "bug"}], "user": {"login": "u"}}
        made.append(
            {
                **issue,
                "html_url": "https://github.com/a/b/issues/3",
                "created_at": "2020-01-02T03:04:05Z",
                "comments": 2,
            }
        )
    return (*(json.dumps(one).encode() for one in made), *notebooks()[:5])


@cache
def tracebacks() -> tuple[bytes, ...]:
    with_traceback = tuple(text for text in reports() if b"Error" in text)
    return (*with_traceback, *(text[text.find(b"Traceback") :] for text in with_traceback if b"Traceback" in text))


@cache
def bug_files() -> tuple[bytes, ...]:
    return _files("bugs/*/*/bug.toml")


def logs() -> tuple[bytes, ...]:
    """Event files, a run file and a table, as their programs write them; of the long one the beginning."""
    files = (ROOT / "tests/observe/logs/recorded").rglob("*.*")
    return tuple(path.read_bytes()[:20_000] for path in sorted(files) if path.is_file())


@cache
def recordings() -> tuple[bytes, ...]:
    """Recorded runs, thinned, and sketches; short enough that many are tried."""
    from bugloss.core.plugin_group import PluginGroup
    from bugloss.core.registry import load
    from bugloss.observe.contract import Detector

    runs = []
    for path in sorted((ROOT / "tests/observe/healthy").glob("*.jsonl.gz")):
        lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
        kept = [*lines[:8], *lines[8 :: max(1, len(lines) // 10)], *lines[-3:]]
        runs.append(b"".join(line for line in kept if len(line) < 3_000))
    drawn = [each.faulty[0] for each in load(PluginGroup.DETECTOR, Detector).values()]
    return (*runs, *(_as_lines(one) for one in [*drawn, sketch()]), *_crashes())


def _as_lines(recording: object) -> bytes:
    from bugloss.observe.recording import _MANY, _ONE

    names = {**{field: event for event, field in _MANY.items()}, **{field: event for event, field in _ONE.items()}}
    lines = []
    for field, value in encode(recording).items():
        for one in value if isinstance(value, list) else [value]:
            if field in names and isinstance(one, dict):
                lines.append(json.dumps({"event": names[field], **one}))
    return "\n".join(lines[:: max(1, len(lines) // 15)]).encode()


def _crashes() -> Iterable[bytes]:
    exceptions = [
        raised("RuntimeError", "mat1 and mat2 shapes cannot be multiplied (8x10 and 12x4)", "train", "torch.linear"),
        raised("ValueError", "Shapes (None, 1) and (None, 10) are incompatible", "fit", "keras.compute_loss"),
        raised("IndexError", "Target 3 is out of bounds.", "train", "torch.cross_entropy"),
        raised("KeyError", "'acc'", "plot"),
    ]
    started = {"event": "started", "framework": "torch", "version": "2.13.0", "python": "3.11.7"}
    for one in exceptions:
        yield "\n".join(json.dumps(line) for line in (started, {"event": "crash", "exception": encode(one)})).encode()


@cache
def run_facts() -> tuple[bytes, ...]:
    facts = [
        RunFacts(
            "train.py", "/tmp/x", ("--lr", "0.1"), "/usr/bin/python", None, "2026-01-02T03:04:05", "finished", 0, 1.5
        ),
        RunFacts(
            "a/b.py", ".", outcome="crashed", exit_code=1, seconds=0.1, settings={"seed": 0, "limits": {"wall": 3}}
        ),
    ]
    return tuple(json.dumps(encode(one)).encode() for one in facts)


@cache
def trials() -> tuple[bytes, ...]:
    evidence = {
        OracleKind.EXCEPTION: ({"oracle": "exception", "survived": True},),
        OracleKind.VALUE: ({"oracle": "value", "name": "score", "value": 0.5, "at_least": 0.9},),
        OracleKind.SYMPTOM: ({"oracle": "symptom", "name": "accuracy", "value": 0.1, "at_least": 0.8, "seed": 0},),
        OracleKind.COST: ({"oracle": "cost", "name": "steps", "value": 100, "ratio": 4},),
    }
    made = []
    for kind, events in evidence.items():
        run = run_of(
            evidence=events,
            exception=raised("IndexError", "out of range", "run") if kind is OracleKind.EXCEPTION else None,
        )
        oracle = Oracle(kind, "IndexError", "out of range", "run") if kind is OracleKind.EXCEPTION else Oracle(kind)
        made.append(Trial("torch-0001", Twin.BUGGY, oracle, run, Judgement(Grade.FAIL, "because"), run))
    return tuple(json.dumps(encode(one)).encode() for one in made)


QUERIES = (
    "category=tensor and framework=torch", "seconds < 3 or not (stack in (torch, keras3))", "title ~ 'loss' and exception != ValueError",
    "id = torch-0003", "edit_actions ~ import and (symptom = crash or symptom=nan)", "python >= 3.8 and seconds<=10",
)  # fmt: skip

_PROJECT = """\
[project]
name = "x"
dependencies = ["torch==2.1.0", "numpy>=1.20,<2", "keras~=2.4"]

[tool.bugloss]
select = ["loop"]
ignore = ["missing-seed"]
target = "torch==2.13"

[tool.bugloss.per-file-ignores]
"tests/*" = ["all"]
"""

PROJECT_FILES = (
    _PROJECT,
    "[tool.poetry.dependencies]\npython = '^3.8'\ntensorflow = {version = '^2.4', extras = ['x']}\ntorch = '*'\n",
    "[options]\ninstall_requires =\n    torch==1.13.1\n    numpy<1.24\n",
    "torch==1.13.1+cu117\nnumpy>=1.19.2,!=1.20.0 ; python_version < '3.9'\n-r other.txt\ntensorflow-gpu==1.15\n",
    "name: x\nchannels:\n  - pytorch\ndependencies:\n  - pytorch=1.7.1=py3.8\n  - pip:\n    - keras==2.4.3\n",
    'lock-version = "1.0"\n[[packages]]\nname = "torch"\nversion = "2.13.0"\nwheels = [{url = "https://x/y.whl", size = 12}]\n',
    '{"version": 1, "known": {"0123456789abcdef": 2}}',
)

_SUBJECT = {
    "id": "a#1", "project": "p", "repository": "r", "commit": "c", "title": "t", "body": "b", "truth": ["a.py"],
    "opened": "2020-01-02", "fixed": "2020-02-03T04:05:06Z", "functions": [{"path": "a.py", "name": "f", "lines": [1]}],
}  # fmt: skip

LINES = (
    '{"id": "a", "method": "bm25", "ranking": ["a.py", "b.py"]}',
    json.dumps(_SUBJECT),
    '{"title": "loss is nan", "body": "x", "files": ["a.py"], "closed": "2020-01-02T03:04:05Z"}',
)
