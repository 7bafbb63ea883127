"""The papers' tables, rebuilt from the shipped data: known totals, what is printed beside, and users' own data."""

from __future__ import annotations

from pathlib import Path

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.core.taxonomy import Information
from bugloss.core.taxonomy.fix_counts import BY_BUG_TYPE, BY_LIBRARY, published_fix_counts
from bugloss.study.agreement import study_agreement, study_own_agreement
from bugloss.study.fixes import study_libraries, study_patterns
from bugloss.study.information import study_information
from bugloss.study.localization import study_localization
from bugloss.study.own_fixes import read_fixes
from bugloss.study.published_reports import labelled_reports, located_reports, read_located
from bugloss.study.result import StudiedTable, StudyResult
from bugloss.study.user_study import SETS, study_user_study
from bugloss.triage.transactions import shipped


def table(result: StudyResult, name: str) -> StudiedTable:
    return next(each for each in result.tables if each.name == name)


@pytest.mark.parametrize("by", [BY_LIBRARY, BY_BUG_TYPE])
def test_every_published_fix_is_counted_once_by_library_and_once_by_type(by: str) -> None:
    assert sum(count.fixes for count in published_fix_counts() if count.by == by) == 667


def test_the_shares_of_a_source_add_up() -> None:
    shares = table(study_patterns(published_fix_counts()), "fix-patterns")
    for source in ("Stack Overflow", "GitHub"):
        assert sum(float(value or 0) for value in shares.column(source)) == pytest.approx(1, abs=0.001)


def test_findings_about_github_are_those_of_the_paper() -> None:
    findings = table(study_patterns(published_fix_counts()), "findings")
    github = [row for row in findings.rows if str(row[1]).endswith("GitHub") and row[0] in {5, 6, 7}]
    assert len(github) == 3
    assert all(abs(float(row[2] or 0) - float(row[3] or 0)) < 0.001 for row in github)


def test_a_t_test_of_counts_misses_what_chi_square_sees() -> None:
    compared = table(study_patterns(published_fix_counts()), "sources-compared")
    assert float(compared.column("p of the t-test")[0] or 0) > 0.5
    assert float(compared.column("p of chi-square")[0] or 1) < 0.001


def test_every_pair_of_five_libraries_is_compared() -> None:
    pairs = table(study_libraries(published_fix_counts()), "libraries-compared")
    assert len(pairs.rows) == 10
    assert None not in pairs.column("paper")


def test_most_gpu_bugs_are_extrinsic() -> None:
    result = study_localization(located_reports(), labelled_reports())
    shares = dict(zip(*(table(result, "extrinsic-by-type").column(name) for name in ("type", "share")), strict=True))
    assert max(shares, key=lambda kind: float(shares[kind] or 0)) == "GPU"


def test_own_results_stand_without_the_numbers_of_the_paper(tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    rows = [f"{system},p,{at},mine,{at / 4},{at / 8}" for system in ("deep learning", "traditional") for at in range(4)]
    file.write_text("system,project,report,technique,reciprocal_rank,average_precision\n" + "\n".join(rows))
    result = study_localization(read_located(file), labelled_reports(), published=False)
    systems = table(result, "systems")
    assert systems.column("technique") == ("mine", "mine")
    assert systems.column("traditional, paper") == (None, None)


def test_a_word_in_a_column_of_numbers_is_named(tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text(
        "system,project,report,technique,reciprocal_rank,average_precision\ndeep learning,p,1,mine,often,0\n"
    )
    with pytest.raises(InvalidInput, match="'often' in the column reciprocal_rank"):
        read_located(file)


def test_labels_of_two_people_agree_as_published() -> None:
    kappas = study_agreement(labelled_reports()).tables[0].column("kappa")
    assert all(0.89 <= float(kappa or 0) <= 1 for kappa in kappas)


def test_own_labels_need_two_columns_for_a_question(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text("bug,symptom_1,symptom_2\na,crash,crash\nb,hang,crash\nc,,crash\n")
    bad.write_text("bug,symptom_1\na,crash\n")
    assert study_own_agreement(good).tables[0].rows[0][:3] == ("symptom", 2, 1)
    with pytest.raises(InvalidInput, match="two people"):
        study_own_agreement(bad)


def test_own_fixes_are_counted_as_the_published_ones(tmp_path: Path) -> None:
    file = tmp_path / "fixes.csv"
    file.write_text("source,library,bug_type,fix_pattern\nmine,jax,API,Loss function\nmine,jax,API,versioning\n")
    shares = table(study_patterns(read_fixes(file)), "fix-patterns")
    assert shares.columns == ("fix pattern", "mine fixes", "mine")
    assert dict(zip(shares.column("fix pattern"), shares.column("mine"), strict=True))["Loss function"] == 0.5


def test_an_unknown_pattern_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "fixes.csv"
    file.write_text("source,library,bug_type,fix_pattern\nmine,jax,API,magic\n")
    with pytest.raises(InvalidInput, match="unknown fix pattern 'magic'"):
        read_fixes(file)


def test_the_means_of_the_user_study_are_the_printed_ones() -> None:
    mean = table(study_user_study(), "user-study").rows[-1]
    assert [round(float(value or 0), 3) for value in mean[1:3]] == [0.729, 0.958]
    assert sum(each.attempts for each in SETS) == 22  # 11 people in a group, two bugs each


def test_information_is_counted_by_type() -> None:
    shares = table(study_information(shipped(Information)), "information")
    assert sum(int(count or 0) for count in shares.column("reports")) == 148
