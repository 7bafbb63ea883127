"""Tries an export for SWE-bench with the published harness, as far as it goes without a container engine.

Needs an interpreter with ``swebench`` and one for each stack::

    bugloss export --all --format swebench -o /tmp/tasks
    uv venv /tmp/swebench --python 3.11 && uv pip install --python /tmp/swebench/bin/python swebench==5.0.2
    /tmp/swebench/bin/python scripts/try_swebench.py /tmp/tasks --stack torch=PYTHON --stack keras3=PYTHON \\
        bugloss__torch-0003 bugloss__keras-0011

For every instance the harness's own code loads it, checks the folder, makes the image specification and the test
specification, and grades. What it would do in a container happens in a folder here: the line of the Dockerfile that
makes the commit, the harness's ``git apply`` of the patch, and its evaluation script with another folder instead of
/testbed. The installation of packages is replaced by the environment of the stack, which has the same pins. Each
instance is graded without a patch (must be unresolved) and with the gold patch (must be resolved).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from swebench.harness.grading import get_eval_report
from swebench.harness.run_evaluation import GIT_APPLY_CMDS
from swebench.harness.utils import get_predictions_from_file, load_swebench_dataset, make_test_spec
from swebench.image_builder.image_spec import get_image_specs_from_dataset
from swebench.task.checks import check_task_repo
from swebench.task.repo import load_dockerfiles, load_task_repo, task_paths

SECONDS = 600


def main() -> int:
    """Prints one line per instance and, with ``-o``, writes the results as JSON; 0 if all came out as they must."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("instances", nargs="+")
    parser.add_argument("--stack", action="append", default=[], metavar="NAME=PYTHON")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    pythons = dict(given.partition("=")[::2] for given in options.stack)
    problems = [str(problem) for problem in check_task_repo(options.folder)]
    published = {row["instance_id"]: row for row in load_swebench_dataset(str(options.folder / "bugs.jsonl"))}
    results = [_tried(options.folder, name, published[name], pythons) for name in options.instances]
    for result in results:
        print(json.dumps(result))
    document = {"instances_loaded": len(published), "problems_of_the_folder": problems, "tried": results}
    if options.output:
        options.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{len(published)} instances loaded, {len(problems)} problems of the folder")
    return 0 if not problems and all(result["as_expected"] for result in results) else 1


def _tried(folder: Path, name: str, published: dict[str, Any], pythons: dict[str, str]) -> dict[str, Any]:
    (instance,) = load_task_repo(folder, [name])
    dockerfiles, places = load_dockerfiles(folder, [name]), task_paths(folder, [name])
    (image,) = get_image_specs_from_dataset([instance], dockerfiles, "swebench", context_dirs=places)
    specification = make_test_spec(instance)
    from_rows = make_test_spec(published)
    (gold,) = get_predictions_from_file("gold", "", "test", str(folder), [name])
    python = Path(pythons[instance["version"]])
    before = _graded(specification, {**gold, "model_patch": ""}, places[name], dockerfiles[name], python)
    after = _graded(specification, gold, places[name], dockerfiles[name], python)
    same = from_rows.eval_script == specification.eval_script and image.name == instance["image"]
    return {
        "instance": name,
        "image": image.name,
        "rows_and_tasks_agree": same,
        "without_patch": before,
        "with_gold_patch": after,
        "as_expected": same
        and before["patch_successfully_applied"]  # the test ran and its log was read
        and not before["resolved"]
        and after["resolved"],
    }


def _graded(
    specification: Any, prediction: dict[str, Any], task: Path, dockerfile: str, python: Path
) -> dict[str, Any]:
    """What the harness says of a run in a folder in place of the container."""
    with tempfile.TemporaryDirectory() as top:
        testbed, home = Path(top) / "testbed", Path(top) / "home"
        home.mkdir()
        variables = _variables(python, home)
        subprocess.run(["cp", "-r", str(task / "repository"), str(testbed)], check=True)
        committing = dockerfile[dockerfile.index("git init") :]
        subprocess.run(["/bin/sh", "-c", committing], cwd=testbed, env=variables, check=True)
        if prediction["model_patch"]:
            patch = Path(top) / "patch.diff"
            patch.write_text(prediction["model_patch"], encoding="utf-8")
            subprocess.run([*GIT_APPLY_CMDS[0].split(), str(patch)], cwd=testbed, env=variables, check=True)
        script, log = Path(top) / "eval.sh", Path(top) / "test_output.txt"
        script.write_text(specification.eval_script.replace("/testbed", str(testbed)), encoding="utf-8")
        with log.open("w") as output:
            subprocess.run(
                ["/bin/bash", str(script)], stdout=output, stderr=subprocess.STDOUT, env=variables, timeout=SECONDS,
                check=False,
            )  # fmt: skip
        report = get_eval_report(specification, prediction, str(log), include_tests_status=True)
    graded: dict[str, Any] = report[specification.instance_id]
    return graded


def _variables(python: Path, home: Path) -> dict[str, str]:
    return {
        "PATH": f"{python.parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "LC_ALL": "C.UTF-8",
        "CUDA_VISIBLE_DEVICES": "",
        "KERAS_BACKEND": os.environ.get("KERAS_BACKEND", "tensorflow"),
    }


if __name__ == "__main__":
    sys.exit(main())
