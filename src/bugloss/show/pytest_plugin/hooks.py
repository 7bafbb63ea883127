"""What pytest calls. It is loaded in every session of an environment that has bugloss, so it imports nothing of ours
before a test asks for it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from bugloss.show.pytest_plugin.expectation import TrainingExpectation
    from bugloss.show.pytest_plugin.watched_test import TestPlace, WatchedStretch, WatchedTest

MARKER = "bugloss"
FIXTURE = "bugloss_watch"
_EXPECTED = pytest.StashKey["TrainingExpectation"]()
_WATCHED = pytest.StashKey["WatchedTest"]()
_PROPERTY = "bugloss"  # of a report: the line that the summary shows


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("bugloss", "observed trainings")
    group.addoption("--bugloss", action="store_true", help="Observe the training in every test and list what is found.")
    group.addoption(
        "--bugloss-fail-on",
        metavar="NAMES",
        help="Fail every test whose training shows one of these symptoms, or one of this severity; "
        "separated by commas, such as error,overfitting. Implies --bugloss.",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "bugloss(fail_on=['error'], allow=[], budget=1.0, properties=False): observe the training in this test and "
        "fail it on these symptoms, or on those of this severity.",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Reads what each test expects, so that a misspelled symptom is reported before anything runs."""
    everywhere = bool(config.getoption("--bugloss") or config.getoption("--bugloss-fail-on"))
    for item in items:
        marker = item.get_closest_marker(MARKER)
        if marker is None and not everywhere:
            continue
        has_fixture = FIXTURE in getattr(item, "fixturenames", ())
        if marker is not None and has_fixture:
            raise pytest.UsageError(f"{item.nodeid}: use the marker bugloss or the fixture {FIXTURE}, not both.")
        if not has_fixture:
            item.stash[_EXPECTED] = _expectation(item, marker)


def _expectation(item: pytest.Item, marker: pytest.Mark | None) -> TrainingExpectation:
    from bugloss.core.errors import BuglossError
    from bugloss.show.pytest_plugin.expectation import from_marker, from_option

    chosen = item.config.getoption("--bugloss-fail-on")
    try:
        if marker is not None:
            return from_marker(marker.args, marker.kwargs)
        return from_option(chosen or "")
    except BuglossError as error:
        where = item.nodeid if marker is not None else "--bugloss-fail-on"
        raise pytest.UsageError(f"{where}: {error.message} {error.hint}".rstrip()) from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """The watch begins before the fixtures of the test, because models are often trained there."""
    expected = item.stash.get(_EXPECTED, None)
    if expected is None:
        return (yield)
    from bugloss.show.pytest_plugin.watched_test import WatchedTest

    watched = item.stash[_WATCHED] = WatchedTest.begin(expected, _place_of(item))
    try:
        return (yield)
    except BaseException as error:
        _end(item, watched, error)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    watched = item.stash.get(_WATCHED, None)
    if watched is None:
        return (yield)
    try:
        result = yield
    except BaseException as error:
        _end(item, watched, error)
        raise
    _end(item, watched, None)
    if words := watched.objection():
        pytest.fail(words, pytrace=False)
    return result


def _end(item: pytest.Item, watched: WatchedTest, error: BaseException | None) -> None:
    """Closes the recording; the report of the test gets its line and, if the test itself failed, the explanation."""
    del item.stash[_WATCHED]
    watched.end(error)
    if line := watched.summary():
        item.user_properties.append((_PROPERTY, line))
    if error is not None and (words := watched.explanation()):
        item.add_report_section("call", "bugloss", words)


def _place_of(item: pytest.Item) -> TestPlace:
    from bugloss.show.pytest_plugin.watched_test import TestPlace

    temporary: pytest.TempPathFactory = item.config._tmp_path_factory  # type: ignore[attr-defined] # hooks have no other way
    return TestPlace(item.path, item.config.rootpath, temporary.mktemp("bugloss"))


@pytest.fixture
def bugloss_watch(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., WatchedStretch]:
    """``with bugloss_watch() as seen: train()``; then ``seen.symptoms`` has the names of what was seen."""
    from bugloss.show.pytest_plugin.watched_test import TestPlace, WatchedStretch

    def watch(*subjects: object, budget: float = 1.0, properties: bool = False) -> WatchedStretch:
        place = TestPlace(request.path, request.config.rootpath, tmp_path_factory.mktemp("bugloss"))
        return WatchedStretch(place, *subjects, budget=budget, properties=properties)

    return watch


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """With ``--bugloss``: one line for each test that trained. Lines come with the reports, so also from workers."""
    if not (config.getoption("--bugloss") or config.getoption("--bugloss-fail-on")):
        return
    lines = dict.fromkeys(
        f"{report.nodeid}: {text}"
        for reports in terminalreporter.stats.values()
        for report in reports
        for name, text in getattr(report, "user_properties", ())
        if name == _PROPERTY
    )
    terminalreporter.section("bugloss")
    for line in lines or ("no test trained anything",):
        terminalreporter.line(line)
