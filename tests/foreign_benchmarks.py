"""Made-up benchmarks in the layouts that bugloss reads, and the clone of a made-up project."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

WRONG = "def mean(values):\n    return sum(values) / (len(values) + 1)\n"
RIGHT = "def mean(values):\n    return sum(values) / len(values)\n"
TEST = (
    "import unittest\n\nfrom averages import mean\n\n\nclass MeanTest(unittest.TestCase):\n"
    "    def test_mean(self):\n        self.assertEqual(mean([1, 3]), 2)\n"
)
_GIT = (
    "git",
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@b",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "init.defaultBranch=main",
)


def write(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def project(folder: Path) -> tuple[str, str]:
    """A clone with two commits: the mean is wrong in the first; its test comes with the second."""
    write(folder, {"averages.py": WRONG, "data/picture.bin": "x\n"})
    (folder / "data" / "picture.bin").write_bytes(b"\x00\xff\n")
    git(folder, "init", "-q")
    first = _commit(folder, "wrong")
    write(folder, {"averages.py": RIGHT, "tests/__init__.py": "", "tests/test_averages.py": TEST})
    return first, _commit(folder, "right")


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run([*_GIT, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def _commit(folder: Path, message: str) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD").strip()


def defect4ml(root: Path, **settings: str) -> Path:
    """Two bugs: one that is whole, and one whose buggy program is missing."""
    lines = {"framework": "tensorflow", "python": "3.11.2", "url": "https://stackoverflow.com/q/1", **settings}
    conf = "[bug]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items())
    return write(
        root,
        {
            "bugs/001/conf.ini": conf,
            "bugs/001/buggy/averages.py": f"{WRONG}\n\nassert mean([1, 3]) == 2\n",
            "bugs/001/fixed/averages.py": f"{RIGHT}\n\nassert mean([1, 3]) == 2\n",
            "bugs/001/requirements.txt": "numpy==1.26.4\n-e git+https://example.org/x#egg=x\n",
            "bugs/002/conf.ini": conf,
            "bugs/002/buggy/README": "a nested repository, not fetched\n",
            "bugs/002/fixed/averages.py": RIGHT,
        },
    )


def bugs_in_py(root: Path, first: str, second: str, command: str = "python -m unittest -q tests.test_averages") -> Path:
    bug = {
        "bug.info": f'python_version="3.11.2"\nbuggy_commit_id="{first}"\nfixed_commit_id="{second}"\n'
        'test_file="tests/test_averages.py;tests/__init__.py"\n',
        "run_test.sh": f"#!/bin/bash\n{command}\n",
        "requirements.txt": "",
        "bug_patch.txt": "",
    }
    write(root, {"projects/averages/project.info": 'github_url="https://github.com/owner/averages"\nstatus="OK"\n'})
    return write(root / "projects" / "averages" / "bugs" / "7", bug) and root


def swe_bench(path: Path, folder: Path, first: str, second: str) -> Path:
    """JSON lines with one instance whose patches are the difference of the two commits."""
    row = {
        "instance_id": "owner__averages-7",
        "repo": "owner/averages",
        "base_commit": first,
        "patch": git(folder, "diff", first, second, "--", "averages.py"),
        "test_patch": git(folder, "diff", first, second, "--", "tests"),
        "problem_statement": "# The mean is too small\n\nmean([1, 3]) is 1.33.\n",
        "FAIL_TO_PASS": json.dumps(["test_mean (tests.test_averages.MeanTest)"]),
        "PASS_TO_PASS": "[]",
        "version": "1.0",
        "python": "3.11",
    }
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


def gdefects4dl(root: Path, first: str, second: str) -> Path:
    row = (
        f"<bug><id>averages7</id><project>owner/averages</project><buggyCommit>{first}</buggyCommit>"
        f"<fixCommit>{second}</fixCommit><fixBranch>main</fixBranch><buggyBranch>main</buggyBranch>"
        "<testFile>tests/test_averages.py</testFile><description>too small</description></bug>"
    )
    return write(root, {"Database.xml": f"<bugs>{row}{row}</bugs>"})
