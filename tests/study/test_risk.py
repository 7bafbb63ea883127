"""What is said about the risk of a fix."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.study.risk import PUBLISHED, RiskStudy, risk_of


def test_a_fix_of_a_data_dimension_warns_of_lost_information() -> None:
    assert "information is lost" in risk_of(FixPattern.DATA_DIMENSION)


def test_the_libraries_of_new_bugs_add_up() -> None:
    libraries = [share for name, share in PUBLISHED.percent_of_new_bugs.items() if name.startswith("library")]
    assert 99 < sum(libraries) < 101


def test_nothing_is_measured_without_an_evaluation() -> None:
    assert RiskStudy().document["measured"] is None
    assert RiskStudy(offered=8, regressions=0).document["measured"] == {"offered": 8, "regressions": 0}
