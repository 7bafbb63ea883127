"""Other benchmarks, data sets and synthetic faults as a user meets them: on the command line."""

from __future__ import annotations

import json

from command_line import CommandLine
from foreign_benchmarks import RIGHT, WRONG, defect4ml, write
from tiny_corpus import KINDS, TinyCorpus

HEALTHY = "def measure(seed, lr=0.1):\n    return min(1.0, 9 * lr) + seed % 5 / 100\n"


def test_a_benchmark_is_added_looked_at_and_run_under_the_usual_verbs(cli: CommandLine) -> None:
    root = defect4ml(cli.folder / "copy")
    (root / "bugs/001/requirements.txt").unlink()
    added = cli("corpus", "add", "copy", "--json")
    assert added.code == 0
    assert added.document["schema"] == "bugloss.corpus/1"
    assert added.document["may_run"] == 1
    assert added.document["bugs"][1]["why_not"] == ["bugs/002/buggy contains no Python file"]
    listed = cli.inside("list", "--corpus", "defect4ml", "--where", "may_run=yes", "--json").document
    assert [bug["id"] for bug in listed["bugs"]] == ["defect4ml-001"]
    assert "test          python averages.py" in cli.inside("info", "defect4ml-001").out
    assert "+    return sum(values) / len(values)" in cli.inside("diff", "defect4ml-001").out
    lacking = cli.inside("test", "defect4ml-002", "--json")
    assert lacking.code == 3
    assert lacking.document["error"] == "foreign-bug"
    assert "contains no Python file" in lacking.document["message"]
    assert cli.inside("corpus", "list", "--json").document["corpora"][0]["bugs"] == 2
    assert cli.inside("corpus", "list").out.splitlines()[1].split()[:3] == ["defect4ml", "defect4ml", "2"]
    assert cli.inside("corpus", "remove", "defect4ml").code == 0
    assert cli.inside("info", "defect4ml-001").code == 2


def test_a_foreign_test_fails_passes_and_is_verified(cli: CommandLine) -> None:
    files = {
        f"1/{name}/a.py": f"{text}\nassert mean([1, 3]) == 2\n" for name, text in (("buggy", WRONG), ("fixed", RIGHT))
    }
    write(cli.folder / "copy", files)
    assert cli.inside("corpus", "add", "copy", "--name", "mine").code == 0
    # The home of these tests has no environments; one without packages needs no network.
    assert cli("test", "mine-1b", "--isolation", "limits").code == 1
    assert cli("test", "mine-1f", "--isolation", "limits").code == 0
    verified = cli("verify", "mine-1", "--runs", "2", "--isolation", "limits", "--json")
    assert verified.code == 0
    assert verified.document["bugs"][0]["buggy"] == "2/2 fail"
    assert cli.inside("checkout", "mine-1b", "-w", "work").code == 0
    (cli.folder / "work" / "a.py").write_text(files["1/fixed/a.py"])
    assert cli("test", "mine-1b", "-w", "work", "--isolation", "limits").code == 0


def test_all_bugs_are_exported_with_a_card(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    tiny.add("torch-0002", "cost")
    done = cli("export", "--all", "--format", "swebench", "-o", "tasks", "--json")
    assert done.code == 0
    assert done.document["bugs"] == 1
    assert list(done.document["left_out"]) == ["torch-0002"]
    assert cli.inside("export", "--all", "--format", "jsonl", "-o", "data", "--where", "oracle=cost").code == 0
    rows = [json.loads(line) for line in (cli.folder / "data/bugs.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == ["torch-0002"]
    assert cli.inside("export", "--all", "--format", "jsonl", "-o", "data").code == 2
    assert cli.inside("export", "--all").code == 2
    assert cli.inside("export").code == 2
    assert cli.inside("export", "torch-0001", "--all", "-o", "x").code == 2


def test_faults_are_put_in_decided_and_kept_apart(cli: CommandLine, tiny: TinyCorpus) -> None:
    test = KINDS["symptom"][2].replace("at_least=0.8", "at_least=0.5")
    tiny.add(kind="symptom", files={"test.py": test, "fixed/program.py": HEALTHY})
    done = cli("mutate", "torch-0001", "--operator", "decrease-learning-rate", "-o", "made", "--json")
    assert done.code == 0
    (mutant,) = done.document["mutants"]
    assert (mutant["fate"], mutant["bug"], mutant["line"]) == ("killed", "synthetic-0001", 1)
    assert done.document["killed"] == 1
    listed = cli.inside("list", "--json", BUGLOSS_BUGS="made").document
    assert [(bug["id"], bug["kind"]) for bug in listed["bugs"]] == [("synthetic-0001", "synthetic")]
    verified = cli("verify", "--runs", "2", "--isolation", "limits", "--json", BUGLOSS_BUGS="made")
    assert verified.document["active"] == 1
    assert len(cli.inside("mutate", "--list", "--json").document["operators"]) >= 24
    assert cli.inside("mutate").code == 2
    assert cli.inside("mutate", "torch-0001", "--operator", "no-such").code == 2
