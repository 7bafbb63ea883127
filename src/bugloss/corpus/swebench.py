"""A bug as a SWE-bench instance: problem statement, patches, evaluation script, image recipe, sources.

``task_files`` lays out what SWE-bench 5 calls a task directory; its harness builds the image in it and grades with it.
The test is not part of the sources: the evaluation script adds it, runs it and takes it away.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files

from bugloss.core.bug import OracleKind, Twin, Upstream
from bugloss.core.errors import InvalidInput
from bugloss.core.visible import json_text
from bugloss.corpus.entry import Entry
from bugloss.corpus.git_commit import AUTHOR, MAIL, SECONDS, commit_id
from bugloss.corpus.unified_diff import added_file, bug_files
from bugloss.stacks.pip_options import pip_options
from bugloss.stacks.stack import Stack

TEST_NAME = "test.py::program_is_healthy"
RUNNER = "run_bug_test.py"
DATASETS = {"real": "bugloss/bugs", "synthetic": "bugloss/synthetic"}  # never one data set
_OWN_FILES = ("oracle.py", "test.py", RUNNER)
_END = "END_OF_TEST_PATCH"


def why_not(entry: Entry) -> str | None:
    """Why a bug cannot be an instance; None where it can."""
    if entry.oracle.kind is OracleKind.COST:
        return "its test compares the cost of both programs, and SWE-bench runs one"
    if entry.bug.upstream is not None:
        return "its sources are a public repository; export it alone"
    return None


def as_swebench(entry: Entry) -> str:
    """One JSON document with SWE-bench's keys."""
    instance = instance_of(entry) if entry.bug.upstream is None else _instance_of_repository(entry, entry.bug.upstream)
    return json_text(instance, indent=1) + "\n"


def _instance_of_repository(entry: Entry, upstream: Upstream) -> dict[str, object]:
    """A bug of a public repository: its address and commit, and what is added to it; its image clones it."""
    root, stack = f"{upstream.root}/" if upstream.root else "", entry.stack
    oracle = (files("bugloss.probes") / "oracle.py").read_text(encoding="utf-8")
    used = {file.name: file.read_bytes().decode() for file, _ in bug_files(entry.own_program(Twin.BUGGY)).files}
    added = {"oracle.py": oracle, "test.py": entry.test_text, **used}
    return {
        "instance_id": f"bugloss__{entry.id}",
        "repo": upstream.repository,
        "base_commit": upstream.before,
        "problem_statement": entry.report,
        "hints_text": "",
        "patch": entry.diff(root),
        "test_patch": "".join(added_file(text, f"{root}{name}") for name, text in added.items()),
        "FAIL_TO_PASS": json.dumps([f"{root}test.py"]),
        "PASS_TO_PASS": json.dumps([]),
        "version": stack.name,
        "environment_setup_commit": upstream.before,
        "python": stack.python[0],
        "requirements": list(stack.packages),
    }


def instance_of(entry: Entry) -> dict[str, object]:
    """The columns of SWE-bench's data sets; ``FAIL_TO_PASS`` and ``PASS_TO_PASS`` are JSON in a string, as there."""
    reason = why_not(entry)
    if reason is not None:
        raise InvalidInput(f"{entry.id} cannot be a SWE-bench instance: {reason}.")
    base, stack = commit_id(_sources(entry), entry.id), entry.stack
    name = f"bugloss__{entry.id}"
    return {
        "instance_id": name,
        "repo": f"bugloss/{entry.id}",
        "base_commit": base,
        "problem_statement": entry.report,
        "hints_text": "",
        "created_at": "2026-01-01T00:00:00Z",
        "patch": entry.diff(),
        "test_patch": _test_patch(entry),
        "FAIL_TO_PASS": json.dumps([TEST_NAME]),
        "PASS_TO_PASS": json.dumps([]),
        "version": stack.name,
        "environment_setup_commit": base,
        "split": "test",
        "datasets": [DATASETS[entry.bug.kind.value]],
        # The name that the harness derives; images are built by whoever uses the instance, and published nowhere.
        "image": f"swebench/sweb.eval.x86_64.{name}:latest".lower().replace("__", "_1776_"),
        "log_parser": "parse_log_pytest",
        "eval_type": "pass_and_fail",
        "eval_script": _eval_script(entry),
        "dockerfile": _dockerfile(entry, base),
        "python": stack.python[0],
        "requirements": list(stack.packages),
    }


def task_files(entry: Entry) -> dict[str, bytes]:
    """The files of the task directory ``tasks/bugloss__ID``: what the harness reads, and the sources it copies."""
    instance = instance_of(entry)
    short = {key: instance[key] for key in _TASK_KEYS}
    tests = {key: json.loads(str(instance[key])) for key in ("FAIL_TO_PASS", "PASS_TO_PASS")}
    texts = {
        # A JSON value is a YAML value; unquoted, a version could be read as a number.
        "task.yaml": "".join(f"{key}: {json.dumps(value)}\n" for key, value in sorted(short.items())),
        "tests.json": json.dumps(tests, indent=2) + "\n",
        "problem_statement.md": str(instance["problem_statement"]),
        "gold.patch": str(instance["patch"]),
        "test.patch": str(instance["test_patch"]),
        "eval.sh": str(instance["eval_script"]),
        "Dockerfile": str(instance["dockerfile"]),
    }
    return {name: text.encode() for name, text in texts.items()} | {
        f"repository/{name}": content for name, content in _sources(entry).items()
    }


_TASK_KEYS = (
    "instance_id", "repo", "base_commit", "environment_setup_commit", "version", "split", "datasets", "image",
    "log_parser", "eval_type", "created_at", "python", "requirements",
)  # fmt: skip


def repository_files(names: Mapping[str, int]) -> str:
    """``sweb.yaml``: the data sets and splits that a folder of tasks publishes."""
    published = sorted(DATASETS[kind] for kind, count in names.items() if count)
    return f"datasets: {json.dumps(published)}\nsplits: {json.dumps(['test'])}\n"


def _sources(entry: Entry) -> dict[str, bytes]:
    """The buggy program; a file of the test's own name is not part of it."""
    found = bug_files(entry.program(Twin.BUGGY)).files
    return {file.name: file.read_bytes() for file, _ in found if file.name not in _OWN_FILES}


def _test_patch(entry: Entry) -> str:
    oracle = (files("bugloss.probes") / "oracle.py").read_text(encoding="utf-8")
    runner = (files("bugloss.corpus") / "swebench_tests.py.txt").read_text(encoding="utf-8")
    texts = {"oracle.py": oracle, "test.py": entry.test_text, RUNNER: runner}
    return "".join(added_file(texts[name], name) for name in sorted(texts))


def _eval_script(entry: Entry) -> str:
    """What runs in the container after the patch to judge was applied; the test of the bug always comes from here."""
    lines = [
        "#!/bin/bash",
        "set -uxo pipefail",
        "cd /testbed",
        "git config --global --add safe.directory /testbed",
        f"rm -rf {' '.join(_OWN_FILES)}",
        f"git apply -v - <<'{_END}'",
        f"{_test_patch(entry)}{_END}",
        ": '>>>>> Start Test Output'",
        f"python {RUNNER}",
        ": '>>>>> End Test Output'",
        f"rm -rf {' '.join(_OWN_FILES)}",
    ]
    return "\n".join(lines) + "\n"


def _dockerfile(entry: Entry, base: str) -> str:
    stack = entry.stack
    commit = (
        f"GIT_AUTHOR_DATE='{SECONDS} +0000' GIT_COMMITTER_DATE='{SECONDS} +0000' "
        f"git -c user.name={AUTHOR} -c user.email={MAIL} commit --quiet --message {entry.id}"
    )
    lines = [
        f"# {entry.id} in bugloss's stack '{stack.name}': {stack.title}.",
        f"FROM python:{stack.python[0]}-slim",
        # hadolint asks for exact releases of Debian packages, which leave its mirrors within weeks.
        "# hadolint ignore=DL3008",
        "RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*",
        _install(stack),
        "ENV " + " \\\n    ".join(_variables(stack)),
        "WORKDIR /testbed",
        "COPY repository/ /testbed/",
        "RUN git init --quiet && git add --all --force \\",
        f"    && {commit} \\",
        f'    && test "$(git rev-parse HEAD)" = {base}',
    ]
    return "\n".join(lines) + "\n"


def _install(stack: Stack) -> str:
    parts = [*pip_options(stack), *(f'"{package}"' for package in stack.packages)]
    return "RUN pip install --no-cache-dir \\\n    " + " \\\n    ".join(parts)


def _variables(stack: Stack) -> list[str]:
    fixed = ["PYTHONHASHSEED=0", "OMP_NUM_THREADS=1", "TZ=UTC", "LC_ALL=C.UTF-8"]
    return [*fixed, *(f"{name}={json.dumps(value)}" for name, value in stack.variables.items())]
