"""Fix patterns of 667 fixes, by source, bug type and library: the DNN-repair study's Tables 3 and 4, Findings 2 to 13.

Islam, Pan, Nguyen, Rajan: Repairing Deep Neural Networks: Fix Patterns and Challenges, ICSE 2020. The paper compares
counts of patterns by a t-test, which asks whether the mean counts differ, not whether the distributions do; the
chi-square test beside it asks that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from bugloss.core.taxonomy import FixPattern
from bugloss.core.taxonomy.fix_counts import BY_BUG_TYPE, BY_LIBRARY, GITHUB, STACK_OVERFLOW, FixCount
from bugloss.study.printed_fixes import BY_LIBRARY_SHARE, FINDINGS, LIBRARY_P_VALUES, SOURCES_P_VALUE, UNCOUNTED
from bugloss.study.result import StudiedTable, StudyResult
from bugloss.study.significance import compare_counts, compare_means

SOURCE = 'Islam, Pan, Nguyen, Rajan: "Repairing Deep Neural Networks: Fix Patterns and Challenges", ICSE 2020'
_SOURCES = {STACK_OVERFLOW: "Stack Overflow", GITHUB: "GitHub"}
_TESTS = ("compared", "t", "p of the t-test", "paper", "chi-square", "p of chi-square", "Cramér's V")
_T_TEST = "A t-test of counts compares their means: it cannot see that two distributions differ. Chi-square can."


def study_patterns(counts: Sequence[FixCount], source: str = SOURCE) -> StudyResult:
    """How fixes are distributed over the patterns, by source and by type of bug."""
    sources = _names(count.source for count in counts)
    tables = (_by_source(counts, sources), _source_test(counts, sources), _by_type(counts, sources), _findings(counts))
    return StudyResult("patterns", source, tuple(table for table in tables if table.rows))


def study_libraries(counts: Sequence[FixCount], source: str = SOURCE) -> StudyResult:
    """Table 3, the patterns of each library, and Table 4, the libraries compared in pairs."""
    counts = [count for count in counts if count.by == BY_LIBRARY]
    return StudyResult("libraries", source, (_by_library(counts), _library_tests(counts)))


def _totals(counts: Iterable[FixCount], is_meant: Callable[[FixCount], bool]) -> Counter[FixPattern]:
    totals = Counter[FixPattern]()
    for count in counts:
        if is_meant(count):
            totals[count.pattern] += count.fixes
    return totals


def _names(found: Iterable[str]) -> list[str]:
    """Each name once; those of the paper first."""
    return sorted(set(found), key=lambda name: (name not in _SOURCES, name != STACK_OVERFLOW, name))


def _share(totals: Counter[FixPattern], pattern: FixPattern) -> float:
    return round(totals[pattern] / totals.total(), 4) if totals.total() else 0.0


def _patterns(*totals: Counter[FixPattern]) -> list[FixPattern]:
    """The fifteen of the paper, and others that occur; the commonest first."""
    both = sum(totals, Counter[FixPattern]())
    return sorted((each for each in FixPattern if not each.ours or both[each]), key=lambda each: -both[each])


def _by_source(counts: Sequence[FixCount], sources: Sequence[str]) -> StudiedTable:
    totals = {name: _totals(counts, _of(BY_LIBRARY, source=name)) for name in sources}
    rows = tuple(
        (each.title, *(value for name in sources for value in (totals[name][each], _share(totals[name], each))))
        for each in _patterns(*totals.values())
    )
    titles = [_SOURCES.get(name, name) for name in sources]
    columns = ("fix pattern", *(text for title in titles for text in (f"{title} fixes", title)))
    return StudiedTable("fix-patterns", "Fix patterns by source (Figure 1)", columns, rows, drawn=tuple(titles))


def _of(by: str, source: str | None = None, name: str | None = None) -> Callable[[FixCount], bool]:
    return lambda count: (
        count.by == by and (source is None or count.source == source) and (name is None or count.name == name)
    )


def _source_test(counts: Sequence[FixCount], sources: Sequence[str]) -> StudiedTable:
    totals = {name: _totals(counts, _of(BY_LIBRARY, source=name)) for name in sources}
    rows = tuple(
        _compared(
            f"{_SOURCES.get(first, first)}, {_SOURCES.get(second, second)}",
            totals[first],
            totals[second],
            SOURCES_P_VALUE if {first, second} == set(_SOURCES) else None,
        )
        for first, second in combinations(sources, 2)
    )
    return StudiedTable("sources-compared", "Do the sources differ? (Finding 10)", _TESTS, rows, (_T_TEST,))


def _compared(
    name: str, first: Counter[FixPattern], second: Counter[FixPattern], printed: float | None
) -> tuple[str | float | None, ...]:
    patterns = _patterns(first, second)
    one, other = [first[each] for each in patterns], [second[each] for each in patterns]
    means, counts = compare_means(one, other), compare_counts([one, other])
    return (name, means.statistic, means.p, printed, counts.statistic, counts.p, counts.effect)


def _by_type(counts: Sequence[FixCount], sources: Sequence[str]) -> StudiedTable:
    rows = []
    for name in sorted({count.name for count in counts if count.by == BY_BUG_TYPE}):
        for source in sources:
            totals = _totals(counts, _of(BY_BUG_TYPE, source, name))
            commonest = ", ".join(f"{each.title} {number}" for each, number in totals.most_common(3))
            if totals:
                rows.append((name, _SOURCES.get(source, source), totals.total(), commonest))
    columns = ("bug type", "source", "fixes", "commonest patterns")
    return StudiedTable("bug-types", "Fix patterns by type of bug (Figures 2 and 3)", columns, tuple(rows))


def _findings(counts: Sequence[FixCount]) -> StudiedTable:
    rows = []
    for finding in FINDINGS:
        wanted = [
            count
            for count in counts
            if count.source == finding.source
            and count.by == (BY_BUG_TYPE if finding.bug_types else BY_LIBRARY)
            and (not finding.bug_types or count.name.endswith(finding.bug_types))
        ]
        totals = _totals(wanted, lambda count: True)
        if totals:
            share = sum(totals[pattern] for pattern in finding.patterns) / totals.total()
            rows.append((finding.number, finding.text, round(share, 4), finding.printed))
    columns = ("finding", "share of", "data", "paper")
    return StudiedTable("findings", "Findings that state a share", columns, tuple(rows), (UNCOUNTED,))


def _by_library(counts: Sequence[FixCount]) -> StudiedTable:
    libraries, sources = sorted({count.name for count in counts}), _names(count.source for count in counts)
    groups = [(library, source) for library in libraries for source in sources]
    totals = {group: _totals(counts, _of(BY_LIBRARY, group[1], group[0])) for group in groups}
    rows = tuple(
        (pattern.title, library, _SOURCES.get(source, source), totals[library, source][pattern], share, printed)
        for pattern in _patterns(*totals.values())
        for library, source in groups
        for share, printed in [(_share(totals[library, source], pattern), _printed_share(pattern, library, source))]
        if share or printed
    )
    columns = ("fix pattern", "library", "source", "fixes", "share", "paper")
    return StudiedTable("fix-patterns-by-library", "Fix patterns by library (Table 3)", columns, rows)


def _printed_share(pattern: FixPattern, library: str, source: str) -> float | None:
    return BY_LIBRARY_SHARE.get((pattern, library, source))


def _library_tests(counts: Sequence[FixCount]) -> StudiedTable:
    totals = {name: _totals(counts, _of(BY_LIBRARY, name=name)) for name in sorted({count.name for count in counts})}
    rows = tuple(
        _compared(f"{first}, {second}", totals[first], totals[second], LIBRARY_P_VALUES.get(frozenset((first, second))))
        for first, second in combinations(totals, 2)
    )
    return StudiedTable("libraries-compared", "Libraries in pairs (Table 4)", _TESTS, rows, (_T_TEST,))
