"""The launcher in real interpreters: the script sees what it would see without it, and its end is written down."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from bugloss.run.channel import Account, Channel
from bugloss.run.interpreters import PythonInterpreter

LAUNCH = Path(str(files("bugloss.probes") / "launch.py"))
SUPERVISE = LAUNCH.with_name("supervise.py")
PROBES = sorted(str(path.relative_to(LAUNCH.parent)) for path in LAUNCH.parent.rglob("*.py"))


def start(
    folder: Path, text: str, *arguments: str, python: str = sys.executable, **variables: str
) -> tuple[subprocess.CompletedProcess[str], Account]:
    """Runs the text as script.py below supervisor and launcher; returns the process and what came over the channel."""
    (folder / "script.py").write_text(text)
    with Channel({"load": (), "installed": ()}) as channel:
        command = [python, "-I", "-S", str(SUPERVISE), str(channel.inner), python, str(LAUNCH), "script.py", *arguments]
        process = subprocess.Popen(
            command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=(channel.inner,),
            env={"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8", **variables},
        )  # fmt: skip
        channel.listen()
        out, err = process.communicate()
        return subprocess.CompletedProcess(command, process.returncode, out, err), channel.account()


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


def test_probes_compile_in_every_interpreter(old_and_new: PythonInterpreter) -> None:
    paths = [str(files("bugloss.probes") / name) for name in PROBES]
    check = "import sys\nfor path in sys.argv[1:]: compile(open(path, encoding='utf-8').read(), path, 'exec')"
    command = [str(old_and_new.path), "-W", "error", "-c", check, *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_script_that_ends_well_is_written_down_in_every_interpreter(
    old_and_new: PythonInterpreter, tmp_path: Path
) -> None:
    done, said = start(tmp_path, "print('hello')", python=str(old_and_new.path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "hello\n", "")
    assert said.end is not None
    assert (said.end.code, said.end.said, said.events, said.exception) == (0, 0, (), None)
    assert 1000 < said.end.peak_kilobytes < 200_000


def test_an_exception_is_written_down_in_every_interpreter(old_and_new: PythonInterpreter, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def fail(x):\n    raise ValueError('ä is %d' % x)\n")
    text = "import helper\n\ndef main():\n    helper.fail(7)\n\nmain()\n"
    done, said = start(tmp_path, text, python=str(old_and_new.path))
    assert done.returncode == 1
    assert said.came_to_end
    exception = said.believed_exception
    assert exception is not None
    assert (exception.kind, exception.qualified) == ("ValueError", "builtins.ValueError")
    assert exception.message == "ä is 7"
    assert exception.bases == ("Exception", "BaseException")
    frames = [(Path(frame.path).name, frame.line, frame.function) for frame in exception.frames]
    assert frames == [("script.py", 6, "<module>"), ("script.py", 4, "main"), ("helper.py", 2, "fail")]
    assert exception.frames[1].text == "helper.fail(7)"


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
def test_the_script_sees_and_says_what_it_would_without_us(
    old_and_new: PythonInterpreter, tmp_path: Path, text: str
) -> None:
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


def test_without_a_supervisor_the_script_just_runs(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("print(1); raise ValueError('own')")
    command = [sys.executable, str(LAUNCH), "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "1\n")
    assert done.stderr.endswith("ValueError: own\n")


def test_a_script_that_closes_every_descriptor_runs_on_and_says_nothing_more(
    old_and_new: PythonInterpreter, tmp_path: Path
) -> None:
    done, said = start(tmp_path, "import os; os.closerange(3, 5000); print(1)", python=str(old_and_new.path))
    assert (done.returncode, done.stdout) == (0, "1\n")
    assert "could not be recorded" in done.stderr
    assert not said.came_to_end


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_a_killed_script_leaves_no_last_word(old_and_new: PythonInterpreter, tmp_path: Path, number: int) -> None:
    done, said = start(tmp_path, f"import os; os.kill(os.getpid(), {number})", python=str(old_and_new.path))
    assert done.returncode == -number
    assert said.end is not None
    assert (said.end.code, said.end.said, said.came_to_end) == (-number, None, False)


@pytest.mark.parametrize("deed", ["os._exit(0)", "os.execv('/bin/true', ['true'])", "os.kill(os.getppid(), 9)"])
def test_a_script_that_evades_its_end_came_to_none(old_and_new: PythonInterpreter, tmp_path: Path, deed: str) -> None:
    _, said = start(tmp_path, f"import os, time; {deed}; time.sleep(60)", python=str(old_and_new.path))
    assert not said.came_to_end


def test_an_exit_code_belies_what_was_said_before(old_and_new: PythonInterpreter, tmp_path: Path) -> None:
    """A handler that runs after the last word can still end the process as it likes."""
    text = "import atexit, os; atexit.register(os._exit, 0); raise ValueError"
    done, said = start(tmp_path, text, python=str(old_and_new.path))
    assert (done.returncode, said.came_to_end, said.believed_exception) == (0, False, None)
    assert said.exception is not None


def test_a_signal_to_the_whole_group_is_the_scripts_own_affair(old_and_new: PythonInterpreter, tmp_path: Path) -> None:
    text = "import os, signal\nos.setpgid(0, 0)\nsignal.signal(signal.SIGTERM, lambda *_: print('caught'))\n"
    text += "os.kill(os.getppid(), signal.SIGTERM); os.killpg(0, signal.SIGTERM)"
    done, said = start(tmp_path, text, python=str(old_and_new.path))
    assert (done.stdout, said.came_to_end) == ("caught\n", True)


def test_children_that_the_script_forks_write_nothing(old_and_new: PythonInterpreter, tmp_path: Path) -> None:
    text = "import os, sys\nif os.fork() == 0:\n    sys.exit(3)\nif os.fork() == 0:\n    1 / 0\nos.wait(); os.wait()"
    done, said = start(tmp_path, text, python=str(old_and_new.path))
    assert done.returncode == 0
    assert (said.came_to_end, said.exception) == (True, None)


WORKERS = """
import multiprocessing

def square(n):
    return n * n

if __name__ == "__main__":
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(pool.map(square, [1, 2, 3]))
"""


def test_worker_processes_work_in_every_interpreter(old_and_new: PythonInterpreter, tmp_path: Path) -> None:
    done, said = start(tmp_path, WORKERS, python=str(old_and_new.path))
    assert (done.stdout, said.came_to_end) == ("[1, 4, 9]\n" * 2, True), done.stderr


def test_an_exception_that_cannot_speak_is_written_down_in_every_interpreter(
    old_and_new: PythonInterpreter, tmp_path: Path
) -> None:
    text = "class Mute(Exception):\n    def __str__(self):\n        raise OSError('no voice')\nraise Mute()"
    done, said = start(tmp_path, text, python=str(old_and_new.path))
    assert done.returncode == 1
    assert said.exception is not None
    assert said.exception.kind == "Mute"
    assert said.exception.message == "<str() of the exception raised OSError>"


def test_peak_memory_is_the_scripts_own(tmp_path: Path) -> None:
    """It is not that of whoever started it."""
    small, large = (start(tmp_path, text)[1].end for text in ("", "x = bytearray(100 * 2**20)"))
    assert small is not None and large is not None
    assert small.peak_kilobytes < 60_000
    assert large.peak_kilobytes - small.peak_kilobytes > 90_000
