"""The launcher in real interpreters: the script sees what it would see without it, and its end is written down."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bugloss.run.interpreters import Interpreter

LAUNCH = Path(str(files("bugloss.probes") / "launch.py"))
PROBES = sorted(str(path.relative_to(LAUNCH.parent)) for path in LAUNCH.parent.rglob("*.py"))


def start(
    folder: Path, text: str, *arguments: str, python: str = sys.executable, **variables: str
) -> tuple[subprocess.CompletedProcess[str], list[dict[str, Any]]]:
    """Runs the text as script.py below the launcher; returns the process and the lines of evidence."""
    (folder / "script.py").write_text(text)
    evidence = folder / "evidence.jsonl"
    done = subprocess.run(
        [python, str(LAUNCH), "script.py", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], "BUGLOSS_EVIDENCE": str(evidence), "PYTHONIOENCODING": "utf-8", **variables},
    )  # fmt: skip
    lines = evidence.read_text().splitlines() if evidence.exists() else []
    return done, [json.loads(line) for line in lines]


def directly(
    folder: Path, text: str, *arguments: str, python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """The same script without us."""
    (folder / "script.py").write_text(text)
    command = [python, "script.py", *arguments]
    environment = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("name", PROBES)
def test_probes_keep_to_the_syntax_of_python_3_6(name: str) -> None:
    source = (files("bugloss.probes") / name).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))


def test_probes_compile_in_every_interpreter(old_and_new: Interpreter) -> None:
    paths = [str(files("bugloss.probes") / name) for name in PROBES]
    check = "import sys\nfor path in sys.argv[1:]: compile(open(path, encoding='utf-8').read(), path, 'exec')"
    command = [str(old_and_new.path), "-W", "error", "-c", check, *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_script_that_ends_well_is_written_down_in_every_interpreter(old_and_new: Interpreter, tmp_path: Path) -> None:
    done, lines = start(tmp_path, "print('hello')", python=str(old_and_new.path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "hello\n", "")
    assert [(line["event"], line["exit"]) for line in lines] == [("ended", 0)]
    assert 1000 < lines[0]["peak_kilobytes"] < 200_000


def test_an_exception_is_written_down_in_every_interpreter(old_and_new: Interpreter, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def fail(x):\n    raise ValueError('ä is %d' % x)\n")
    text = "import helper\n\ndef main():\n    helper.fail(7)\n\nmain()\n"
    done, lines = start(tmp_path, text, python=str(old_and_new.path))
    assert done.returncode == 1
    assert [line["event"] for line in lines] == ["exception", "ended"]
    exception = lines[0]["exception"]
    assert (exception["kind"], exception["qualified"]) == ("ValueError", "builtins.ValueError")
    assert exception["message"] == "ä is 7"
    assert exception["bases"] == ["Exception", "BaseException"]
    frames = [(Path(frame["path"]).name, frame["line"], frame["function"]) for frame in exception["frames"]]
    assert frames == [("script.py", 6, "<module>"), ("script.py", 4, "main"), ("helper.py", 2, "fail")]
    assert exception["frames"][1]["text"] == "helper.fail(7)"


@pytest.mark.parametrize(
    "text",
    [
        "import sys; print(sys.argv, __name__, __file__, sys.path[0])",
        "import os; print(sorted(globals()), os.getcwd())",
        "1 / 0",
        "def f():\n    raise KeyError('k')\ntry:\n    f()\nexcept KeyError as e:\n    raise TypeError('t') from e",
        "import sys; sys.exit('words')",
        "import sys; sys.exit(9)",
        "def f(:",
        "raise KeyError",
    ],
)
def test_the_script_sees_and_says_what_it_would_without_us(old_and_new: Interpreter, tmp_path: Path, text: str) -> None:
    python = str(old_and_new.path)
    with_us, _ = start(tmp_path, text, "one", "--two", python=python)
    without = directly(tmp_path, text, "one", "--two", python=python)
    assert with_us.returncode == without.returncode
    assert without_place(with_us.stdout, tmp_path) == without_place(without.stdout, tmp_path)
    assert without_place(with_us.stderr, tmp_path) == without_place(without.stderr, tmp_path)


def without_place(text: str, folder: Path) -> str:
    """From Python 3.9 on a script started directly knows its whole path, in tracebacks and in ``__file__``."""
    names = ("__annotations__", "__builtins__", "__cached__", "__loader__", "__package__", "__spec__")
    for name in names:
        text = text.replace(f"'{name}', ", "")
    return text.replace(f"{folder}/script.py", "script.py")


def test_modules_beside_the_script_are_found_and_the_launcher_is_not_among_them(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "beside.py").write_text("value = 5\n")
    (tmp_path / "sub" / "inner.py").write_text("import beside, sys\nprint(beside.value, 'launch' in sys.modules)\n")
    done = subprocess.run(
        [sys.executable, str(LAUNCH), "sub/inner.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("5 False\n", "")


def test_without_a_place_for_evidence_the_script_just_runs(tmp_path: Path) -> None:
    done, lines = start(tmp_path, "print(1)", BUGLOSS_EVIDENCE="")
    assert (done.returncode, done.stdout, lines) == (0, "1\n", [])


def test_a_relative_place_is_found_after_the_script_changed_its_folder(tmp_path: Path) -> None:
    done, lines = start(tmp_path, "import os; os.chdir('/')", BUGLOSS_EVIDENCE="evidence.jsonl")
    assert (done.returncode, [line["event"] for line in lines]) == (0, ["ended"])


def test_evidence_is_added_to_and_never_overwritten(tmp_path: Path) -> None:
    text = "import os; open(os.environ['BUGLOSS_EVIDENCE'], 'a').write('{\"oracle\": 1}\\n')"
    assert start(tmp_path, text)[1][0] == {"oracle": 1}
    assert len(start(tmp_path, text)[1]) == 4


def test_a_place_that_cannot_be_written_takes_nothing_from_the_script(tmp_path: Path) -> None:
    done, _ = start(tmp_path, "print(1); raise ValueError('own')", BUGLOSS_EVIDENCE="/proc/no/such/place")
    assert (done.returncode, done.stdout) == (1, "1\n")
    assert "could not be recorded" in done.stderr
    assert done.stderr.endswith("ValueError: own\n")


def test_a_killed_script_leaves_no_last_word(tmp_path: Path) -> None:
    done, lines = start(tmp_path, "import os; os.kill(os.getpid(), 9)")
    assert (done.returncode, lines) == (-9, [])


def test_children_that_the_script_forks_write_nothing(tmp_path: Path) -> None:
    text = "import os, sys\nif os.fork() == 0:\n    sys.exit(3)\nif os.fork() == 0:\n    1 / 0\nos.wait(); os.wait()"
    done, lines = start(tmp_path, text)
    assert done.returncode == 0
    assert [(line["event"], line["exit"]) for line in lines] == [("ended", 0)]


def test_an_exception_that_cannot_speak_is_written_down_in_every_interpreter(
    old_and_new: Interpreter, tmp_path: Path
) -> None:
    text = "class Mute(Exception):\n    def __str__(self):\n        raise OSError('no voice')\nraise Mute()"
    done, lines = start(tmp_path, text, python=str(old_and_new.path))
    assert done.returncode == 1
    assert lines[0]["exception"]["kind"] == "Mute"
    assert lines[0]["exception"]["message"] == "<str() of the exception raised OSError>"


def test_peak_memory_is_the_scripts_own(tmp_path: Path) -> None:
    """ru_maxrss would count what the starting process held when it forked."""
    small = start(tmp_path, "")[1][0]["peak_kilobytes"]
    (tmp_path / "evidence.jsonl").unlink()
    large = start(tmp_path, "x = bytearray(100 * 2**20)")[1][0]["peak_kilobytes"]
    assert small < 60_000
    assert large - small > 90_000
