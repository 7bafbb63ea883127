"""Tables as Markdown, and Top@k as a picture."""

from __future__ import annotations

from xml.etree import ElementTree

from bugloss.evaluate.localization import MethodScores
from bugloss.evaluate.retrieval import summarise
from bugloss.evaluate.study_tables import Section, StudyTable
from bugloss.show.scores import draw_curves, tables_as_markdown

SVG = "{http://www.w3.org/2000/svg}"


def method(name: str, *curve: float) -> MethodScores:
    return MethodScores(name, summarise([]), {}, curve)


def test_sections_are_rows_of_their_own() -> None:
    table = StudyTable(8, "Systems", ("Method", "MAP"), (Section("DLSW", (("a|b", "0.100"),)),), "Reports: 3.")
    lines = tables_as_markdown([table]).splitlines()
    assert lines[2:] == [
        "## Table 8: Systems",
        "",
        "| Method | MAP |",
        "| --- | ---: |",
        "| **DLSW** |  |",
        "| a\\|b | 0.100 |",
        "",
        "Reports: 3.",
    ]


def test_each_method_is_a_curve_and_the_best_comes_first() -> None:
    picture = draw_curves([method("low", 0.2, 0.4), method("<high>", 0.5, 1.0)], 7)
    root = ElementTree.fromstring(picture)
    names = [found.text for found in root.iter(f"{SVG}title")]
    assert names[0] == "<high>" and "<high>: Top@2 1.000" in names and "low: Top@1 0.200" in names
    assert len(list(root.iter(f"{SVG}circle"))) == 4
    high = next(iter(root.iter(f"{SVG}circle")))
    # The axis begins at the lowest value, 0.2 at 380, and ends with 1 at 24: 0.5 lies three eighths up.
    assert high.get("cx") == "52.0" and high.get("cy") == "246.5"


def test_many_methods_stay_apart() -> None:
    root = ElementTree.fromstring(draw_curves([method(str(at), 0.1 * at, 0.5) for at in range(9)], 1))
    paths = [
        (found.get("stroke-dasharray"), group.get("stroke"))
        for group in root.iter(f"{SVG}g")
        for found in group
        if found.tag == f"{SVG}path"
    ]
    assert len(set(paths)) == 9


def test_no_method_is_a_picture_without_curves() -> None:
    assert not list(ElementTree.fromstring(draw_curves([], 0)).iter(f"{SVG}circle"))
