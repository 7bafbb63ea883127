"""``bugloss triage`` and ``bugloss study`` as their users see them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import parse_document
from pace import within

from bugloss.show.cli.main import main

REPORT = """\
# Loss is nan when training my Keras regression network

Tags: keras, nan

After two epochs the loss is nan. x_train.shape is (1000, 13).

```python
model = Sequential()
model.add(Dense(64, activation='relu', input_shape=(13,)))
model.add(Dense(1))
model.compile(loss='mse', optimizer='adam')
model.fit(x_train, y_train, batch_size=batch_size)
```
"""
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.md"
    path.write_text(REPORT)
    return path


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    def run(*arguments: str) -> tuple[int, Any]:
        code = main([*arguments, "--json"])
        return code, parse_document(capsys.readouterr().out)

    return run


def test_the_document_has_the_keys_of_the_interface(ask: Ask, report: Path) -> None:
    code, document = ask("triage", str(report))
    assert code == 0
    assert document["schema"] == "bugloss.triage/1"
    assert document["bug_type"]["label"] in {"model", "tensor", "training", "gpu", "api", "non-dl"}
    assert 0 < document["bug_type"]["probability"] <= 1
    assert {"label", "probability"} <= document["bug_type"]["alternatives"][0].keys()
    assert document["deep_learning"] is True
    assert document["origin"].keys() == {"label", "probability", "kind", "evidence"}
    assert document["origin"]["label"] in {"intrinsic", "extrinsic"}
    assert document["information"].keys() == {"data", "model", "hyperparameters", "code", "logs"}
    assert all({"present", "evidence"} <= state.keys() for state in document["information"].values())
    assert 0 <= document["score"] <= 100
    assert len(document["questions"]) <= 3
    assert {"action", "confidence", "support", "of", "explanation", "example", "edit"} <= document["edit_actions"][
        0
    ].keys()
    assert isinstance(document["similar"], list)


def test_evidence_is_found_in_the_file_at_its_place(ask: Ask, report: Path) -> None:
    document = ask("triage", str(report))[1]
    quotes = [*document["bug_type"]["evidence"], *document["information"]["code"]["evidence"]]
    assert quotes
    assert all(REPORT[quote["start"] : quote["end"]] == quote["text"] for quote in quotes)


def test_people_see_type_words_missing_information_and_edits(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["triage", str(report)]) == 0
    shown = capsys.readouterr().out
    for words in ("Loss is nan", "Training", "Decided by", "Origin", "✗  Logs", "Ask", "of 26 similar bugs needed it"):
        assert words in shown
    assert "x_train = np.random.rand(1000, 13)" in shown
    assert "batch_size = 32" in shown


def test_standard_input_is_a_report_too(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(REPORT.encode())))
    assert ask("triage", "-")[1]["report"]["title"] == "Loss is nan when training my Keras regression network"


def test_a_report_that_is_too_short_is_inconclusive(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "short.txt"
    path.write_text("it fails")
    code, document = ask("triage", str(path))
    assert code == 4
    assert document["enough"] is False
    assert any("too short" in remark for remark in document["remarks"])


@pytest.mark.parametrize(
    ("arguments", "code", "kind"),
    [
        (("no-such-file.md",), 2, "invalid-input"),
        (("so:12x",), 2, "invalid-input"),
        (("so:12", "--offline"), 3, "offline"),
    ],
)
def test_what_goes_wrong_is_one_sentence(ask: Ask, arguments: tuple[str, ...], code: int, kind: str) -> None:
    got, document = ask("triage", *arguments)
    assert (got, document["error"]) == (code, kind)
    assert document["hint"]


def test_an_unknown_method_is_refused(ask: Ask, report: Path) -> None:
    assert ask("triage", str(report), "--method", "oracle")[1]["error"] == "invalid-input"


def test_dlrepro_goes_by_the_tags(ask: Ask, report: Path) -> None:
    document = ask("triage", str(report), "--method", "dlrepro")[1]
    assert document["bug_type"] | {"evidence": []} == {
        "label": "training",
        "probability": 1.0,
        "alternatives": [],
        "evidence": [],
    }


def test_ten_megabytes_of_noise_are_answered_quickly(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_text("# The loss of my network is nan\n" + "0x7f3a lorem ipsum (3, 4) Error: x\n" * 300_000)
    with within(10):
        document = ask("triage", str(path))[1]
    assert any("very long" in remark for remark in document["remarks"])


def test_the_study_prints_tables_and_gives_rules_with_lift(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = ask("study", "apriori")
    assert code == 0
    assert document["schema"] == "bugloss.study/1"
    assert {table["number"] for table in document["tables"]} == {5, 6, 7, 8}
    rule = next(rule for rule in document["rules"] if rule["antecedent"] == ["type:T"] and rule["consequent"] == ["D"])
    assert {"support", "confidence", "lift"} <= rule.keys()
    assert main(["study", "apriori"]) == 0
    shown = capsys.readouterr().out
    assert "printed under API" in shown
    assert "Table 8: Edit actions by type, 148 bugs" in shown


@pytest.mark.parametrize(
    ("study", "name"), [("apriori", "table-7-85"), ("risk", "new-bugs"), ("classifier", "classifier")]
)
def test_studies_write_their_tables_and_plots(study: str, name: str, tmp_path: Path) -> None:
    """Three of them took no folder."""
    assert main(["study", study, "-o", str(tmp_path / "out")]) == 0
    rows = (tmp_path / "out" / f"{name}.csv").read_text().splitlines()
    assert len(rows) > 3
    assert (tmp_path / "out" / f"{name}.svg").is_file() is (study != "classifier")
