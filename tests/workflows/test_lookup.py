"""From a pasted text to solved bugs: what is near is found, what is not near is not made up."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CommandLine, parse_document
from tiny_corpus import TinyCorpus

from bugloss.core.bug import Status
from bugloss.corpus.collection import Corpus, load
from bugloss.corpus.register import retire
from bugloss.workflows.lookup import look_up

REPOSITORY = Path(__file__).resolve().parents[2]
SAME = 0.005  # of a score: no difference that a person sees
LINEAR = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 1024x10)"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load(REPOSITORY / "bugs")


def crashes(corpus: Corpus) -> list[str]:
    return [bug for bug in corpus if corpus[bug].bug.oracle.exception]


def pasted_failure(report: str) -> str:
    """The traceback of a report; where only its end was pasted, the last fenced block."""
    start = report.rfind("Traceback (most recent call last)")
    return report[start:].split("```")[0] if start >= 0 else report.split("```")[-2]


def test_every_crash_of_the_corpus_finds_itself_by_its_own_traceback(corpus: Corpus) -> None:
    for bug in crashes(corpus):
        found = look_up(pasted_failure(corpus[bug].report), corpus).matches
        own = next((match for match in found if match.bug == bug), None)
        assert own is not None, bug
        assert own.score > max(0.6, found[0].score - SAME)  # two bugs may end in the same words
        # No test clones the repositories of upstream bugs.
        assert own.diff.startswith("diff --git") or corpus[bug].bug.upstream is not None


# Messages of other releases and other programs than those in the corpus, written by hand.
OTHERS = {
    "linear": (LINEAR, "torch-0003"),
    "linear, old": ("RuntimeError: size mismatch, m1: [64 x 3200], m2: [800 x 500] at /pytorch/aten/src/TH/x.cpp:2070", "torch-0003"),
    "device": ("RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!", "torch-0004"),
    "loss type": ("RuntimeError: Found dtype Long but expected Float", "torch-0006"),
    "window": ("ValueError: Negative dimension size caused by subtracting 5 from 2 for 'conv2d_3/Conv2D' (op: 'Conv2D') with input shapes: [?,2,2,64], [5,5,64,64].", "keras-0039"),
    "generator": ("AttributeError: 'Sequential' object has no attribute 'fit_generator'", "keras-0007"),
    "session": ("AttributeError: module 'tensorflow' has no attribute 'Session'", "tf-0005"),
    "uninitialised": ("tensorflow.python.framework.errors_impl.FailedPreconditionError: Attempting to use uninitialized value dense/kernel", "tf-0002"),
    "dtype": ("TypeError: Input 'y' of 'Add' Op has type float64 that does not match type float32 of argument 'x'.", "tf-0004"),
    "lists": ("ValueError: Unrecognized data type: x=[1, 2, 3] (of type <class 'list'>)", "keras-0008"),
    "flatten": ("ValueError: Arguments `target` and `output` must have the same rank (ndim). Received: target.shape=(None, 3), output.shape=(None, 8, 8, 3)", "keras-0005"),
}  # fmt: skip


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_a_message_of_another_program_or_release_finds_the_bug_that_it_is_like(
    corpus: Corpus, text: tuple[str, str]
) -> None:
    message, bug = text
    matches = look_up(message, corpus).matches
    assert bug in {match.bug for match in matches if match.score == matches[0].score}


STRANGE = (
    "RuntimeError: the moon is out of phase",
    "ModuleNotFoundError: No module named 'cv2'",
    "PermissionError: [Errno 13] Permission denied: '/mnt/results/run7'",
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 7.80 GiB total capacity)",
    "NameError: name 'optimzer' is not defined",
    "the quick brown fox jumps over the lazy dog",
)


@pytest.mark.parametrize("text", STRANGE)
def test_where_nothing_is_near_nothing_is_shown(corpus: Corpus, text: str) -> None:
    assert look_up(text, corpus).matches == ()


def test_the_reasons_say_what_is_similar(corpus: Corpus) -> None:
    why = look_up(LINEAR, corpus).matches[0].why
    assert "same cause: layer-size-mismatch" in why
    assert "same exception: RuntimeError" in why
    assert any(reason.startswith("similar message (100%)") for reason in why)


def test_the_exception_is_explained_also_where_no_bug_is_near(corpus: Corpus) -> None:
    found = look_up("ModuleNotFoundError: No module named 'cv2'", corpus)
    assert found.kind == "import-error"
    assert "opencv-python" in found.causes[0].advice


def test_a_text_without_an_exception_is_compared_by_its_words(tiny: TinyCorpus) -> None:
    tiny.add(
        "torch-0001",
        kind="symptom",
        files={
            "report.md": "# Loss oscillates wildly\n\nTags: x\n\nThe gradients explode after warmup of the transformer.\n"
        },
    )
    for number in range(2, 6):
        tiny.add(
            f"torch-{number:04}",
            kind="symptom",
            files={"report.md": f"# Something else {number}\n\nTags: x\n\nAccuracy stays low.\n"},
        )
    found = look_up("the gradients explode and the loss oscillates wildly after warmup", tiny.load())
    assert (found.kind, found.exception, found.causes) == (None, None, ())
    assert [match.bug for match in found.matches] == ["torch-0001"]


def test_the_limit_holds_and_a_retired_bug_is_left_out(tiny: TinyCorpus) -> None:
    for number in (1, 2, 3):
        tiny.add(f"torch-{number:04}")
    retire(tiny.root, "torch-0001", Status.DEPRECATED, "a copy")
    text = "IndexError: list index out of range"
    assert [match.bug for match in look_up(text, tiny.load(), 1).matches] == ["torch-0002"]
    assert [match.bug for match in look_up(text, tiny.load(), 9).matches] == ["torch-0002", "torch-0003"]


def test_a_bug_without_report_or_with_a_binary_program_does_not_hide_the_others(tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    spoilt = tiny.add("torch-0002")
    (spoilt / "report.md").unlink()
    (spoilt / "buggy" / "program.py").write_bytes(b"\xff\x00")
    tiny.add("torch-0003", files={"bug.toml": "id ="})
    found = look_up("IndexError: list index out of range", tiny.load())
    assert {match.bug: bool(match.diff) for match in found.matches} == {"torch-0001": True, "torch-0002": False}


def test_an_empty_corpus_has_nothing_near(tiny: TinyCorpus) -> None:
    assert look_up(LINEAR, tiny.load()).matches == ()


def test_what_was_read_is_kept_and_a_changed_report_is_read_anew(tiny: TinyCorpus, own_cache: Path) -> None:
    bug = tiny.add("torch-0001")
    text = "IndexError: list index out of range"
    first = look_up(text, tiny.load())
    (index,) = (own_cache / "indexes").iterdir()
    assert look_up(text, tiny.load()) == first
    index.write_text("[{}]")
    assert look_up(text, tiny.load()) == first
    (bug / "report.md").write_text("# Another one\n\n```\nKeyError: 'x'\n```\n")
    assert look_up(text, tiny.load()) != first


@pytest.mark.parametrize("place", ["cache", "cache/indexes"])
def test_without_a_writable_cache_it_works_all_the_same(tiny: TinyCorpus, tmp_path: Path, place: str) -> None:
    tiny.add("torch-0001")
    blocked = tmp_path / place
    blocked.parent.mkdir(exist_ok=True)
    blocked.write_text("a file where a folder should be")
    assert look_up("IndexError: list index out of range", tiny.load()).matches


def test_the_verb_reads_a_file_and_prints_its_document(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    (cli.folder / "error.txt").write_text(
        'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nIndexError: list index out of range\n'
    )
    done = cli.inside("lookup", "error.txt", "--json")
    assert done.code == 0
    document = done.document
    assert document["schema"] == "bugloss.lookup/1"
    assert document.keys() == {"schema", "kind", "exception", "causes", "matches"}
    assert document["exception"]["kind"] == "IndexError"
    (match,) = document["matches"]
    assert match.keys() == {"bug", "title", "score", "why", "fix_pattern", "diff"}
    assert (match["bug"], match["fix_pattern"]) == ("torch-0001", "layer-dimension")
    assert "+    return [1, 2, 3][2]" in match["diff"]


def test_for_people_the_verb_shows_meaning_bug_reasons_and_fix(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    (cli.folder / "error.txt").write_text("IndexError: list index out of range\n")
    done = cli.inside("lookup", "error.txt")
    assert (done.code, done.err) == (0, "")
    for part in (
        "IndexError: list index out of range",
        "torch-0001",
        "same exception: IndexError",
        "layer-dimension",
        "+    return [1, 2, 3][2]",
    ):
        assert part in done.out


def piped(folder: Path, content: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "bugloss", "lookup", *arguments]
    return subprocess.run(command, cwd=folder, input=content, capture_output=True, check=False)


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_the_verb_reads_standard_input(tiny: TinyCorpus, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    tiny.add("torch-0001")
    done = piped(tmp_path, b"KeyError: 'moon'\n", *arguments, "--json")
    assert done.returncode == 1
    assert parse_document(done.stdout.decode())["matches"] == []
    assert done.stderr == b""


@pytest.mark.parametrize("content", [b"", b" \n\t\n", b"\x7fELF\x00\x01\x02" * 50, bytes(range(128, 256)) * 20])
def test_empty_and_binary_input_is_refused(tiny: TinyCorpus, tmp_path: Path, content: bytes) -> None:
    done = piped(tmp_path, content, "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"] == "invalid-input"


@pytest.mark.parametrize("name", ["nowhere.txt", "."])
def test_a_file_that_cannot_be_read_is_said_so(cli: CommandLine, tiny: TinyCorpus, name: str) -> None:
    done = cli.inside("lookup", name, "--json")
    assert done.code == 2
    assert name in done.document["message"] or "directory" in done.document["message"]
