"""All bugs in one folder: what a row says, what the card counts, and what is kept apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_corpus import TinyCorpus
from tiny_upstream import add_upstream_bug, make_upstream

from bugloss.core.errors import InvalidInput
from bugloss.corpus.collection import Corpus
from bugloss.corpus.dataset import COLUMNS
from bugloss.workflows.corpus_export import export_all

MUTATION = {
    "operator": "change-loss", "group": "loss function", "base": "torch-0001f", "path": "program.py", "line": 2,
    "edit": "write it otherwise", "fate": "killed", "pairs": 6, "p_value": 0.015625, "cliffs_delta": 1.0,
}  # fmt: skip


@pytest.fixture
def corpus(tiny: TinyCorpus) -> Corpus:
    """Two real bugs and a synthetic one."""
    tiny.add("torch-0001")
    tiny.add("torch-0002", "cost")
    tiny.add("synthetic-0001", "symptom", origin={"kind": "mutation", "url": ""}, mutation=MUTATION)
    return tiny.load()


def export(corpus: Corpus, format: str, folder: Path) -> list[str]:
    done = export_all(corpus, corpus.readable()[0], format, folder)
    assert sorted(done.files) == sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    return list(done.left_out)


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_json_lines_have_one_row_for_each_bug_and_synthetic_ones_apart(corpus: Corpus, tmp_path: Path) -> None:
    assert export(corpus, "jsonl", tmp_path / "out") == []
    real, synthetic = rows(tmp_path / "out/bugs.jsonl"), rows(tmp_path / "out/synthetic.jsonl")
    assert [row["id"] for row in real] == ["torch-0001", "torch-0002"]
    assert [row["kind"] for row in synthetic] == ["synthetic"]
    assert list(real[0]) == list(COLUMNS)
    assert real[0]["buggy"] == [{"path": "program.py", "text": "def run():\n    return [1, 2, 3][3]\n"}]
    assert real[0]["mutation"] is None
    assert synthetic[0]["mutation"] == MUTATION
    assert (tmp_path / "out/oracle.py").read_text().startswith('"""What a bug')


def test_bugs_of_public_repositories_are_left_out_with_the_reason_and_not_counted(
    tiny: TinyCorpus, tmp_path: Path
) -> None:
    """They had no row, and were counted all the same."""
    tiny.add("torch-0001")
    add_upstream_bug(tiny, make_upstream(tmp_path / "mirror"))
    done = export_all(tiny.load(), tiny.load().readable()[0], "jsonl", tmp_path / "out")
    assert (done.bugs, list(done.left_out)) == (1, ["up-0001"])
    assert "public repository" in done.left_out["up-0001"]


def test_the_card_says_fields_counts_licences_and_what_not_to_pool(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, "jsonl", tmp_path / "out")
    card = (tmp_path / "out/README.md").read_text(encoding="utf-8")
    assert "### real: 2 bugs" in card
    assert "### synthetic: 1 bugs" in card
    assert "| oracle | exception 1, cost 1 |" in card
    assert "0 of 3 bugs were active" in card
    assert "| none needed: generated | 3 |" in card
    assert all(f"| `{name}` |" in card for name in COLUMNS)
    assert "config_name: synthetic\n  data_files: synthetic.jsonl\n" in card
    assert "What must not be pooled" in card


def test_parquet_has_the_same_rows(corpus: Corpus, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    export(corpus, "jsonl", tmp_path / "lines")
    export(corpus, "parquet", tmp_path / "out")
    assert parquet.read_table(tmp_path / "out/bugs.parquet").to_pylist() == rows(tmp_path / "lines/bugs.jsonl")
    assert "pandas.read_parquet" in (tmp_path / "out/README.md").read_text()


def test_swe_bench_tasks_leave_out_costs_and_keep_kinds_apart(corpus: Corpus, tmp_path: Path) -> None:
    assert export(corpus, "swebench", tmp_path / "out") == ["torch-0002"]
    assert [row["instance_id"] for row in rows(tmp_path / "out/bugs.jsonl")] == ["bugloss__torch-0001"]
    assert rows(tmp_path / "out/synthetic.jsonl")[0]["datasets"] == ["bugloss/synthetic"]
    settings = (tmp_path / "out/sweb.yaml").read_text()
    assert settings == 'datasets: ["bugloss/bugs", "bugloss/synthetic"]\nsplits: ["test"]\n'
    assert (tmp_path / "out/tasks/bugloss__torch-0001/repository/program.py").is_file()
    assert "torch-0002: its test compares the cost" in (tmp_path / "out/README.md").read_text()


def test_other_formats_and_folders_with_files_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be exported as 'docker'"):
        export(corpus, "docker", tmp_path / "out")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine.txt").write_text("x")
    with pytest.raises(InvalidInput, match="not an empty folder"):
        export(corpus, "jsonl", tmp_path / "out")
