"""What can be run on a bug from its page, and why some of it does not apply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bugloss.core.bug import OracleKind, Twin
from bugloss.core.taxonomy import GeneralType
from bugloss.corpus.entry import Entry

# Published tools that read the recording of a training: title and place of publication.
_OBSERVERS = {
    "deeplocalize": ("DeepLocalize", "ICSE 2021"),
    "deepdiagnosis": ("DeepDiagnosis", "ICSE 2022"),
    "deepfd": ("DeepFD", "ICSE 2022"),
    "tarantula": ("Tarantula over neurons", "DeepFault, FASE 2019"),
}


@dataclass(frozen=True, slots=True)
class BugAction:
    """A button: the job that it starts, or why it cannot."""

    name: str
    title: str
    meaning: str
    verb: str
    request: Mapping[str, object] = field(default_factory=dict)
    refusal: str = ""


def actions_of(entry: Entry) -> tuple[BugAction, ...]:
    """The buttons of a bug: its tests first, then our verbs, then published tools."""
    return (*_tests(entry), *_verbs(entry), *_published(entry))


def _tests(entry: Entry) -> Iterator[BugAction]:
    for twin, title, outcome in (
        (Twin.BUGGY, "Failing test", "Runs the test on the buggy program: it must fail."),
        (Twin.FIXED, "Passing test", "Runs the test on the fixed program: it must pass."),
    ):
        request = {"bug": entry.id, "program": twin.value}
        yield BugAction(f"test-{twin.value}", title, outcome, "test", request)
    yield BugAction("verify", "Verify", "Runs both tests five times.", "verify", {"bugs": [entry.id]})


def _verbs(entry: Entry) -> Iterator[BugAction]:
    meaning = "Observes the buggy program while it runs and names causes."
    yield BugAction("diagnose", "Diagnose", meaning, "diagnose", {"bug": entry.id})
    meaning = "Searches for a patch and runs it."
    yield BugAction("repair", "Repair", meaning, "repair", {"bug": entry.id})
    meaning = "Completes the code of the report until it shows the bug."
    refusal = "" if "```" in entry.report else "the report has no code to complete"
    yield BugAction("reproduce", "Reproduce", meaning, "reproduce", {"report": entry.report}, refusal)


def _published(entry: Entry) -> Iterator[BugAction]:
    crash = entry.bug.oracle.kind is OracleKind.EXCEPTION
    for name, (title, where) in _OBSERVERS.items():
        refusal = "needs the recording of a training, and this program ends with an exception" if crash else ""
        request = {"bug": entry.id, "tools": [name]}
        yield BugAction(name, title, f"Published in {where}; reads the recording.", "diagnose", request, refusal)
    numeric = entry.bug.labels.general_type is GeneralType.NUMERIC_ERROR
    refusal = "" if numeric else "searches for NaN and infinity, and this is not a numeric error"
    meaning = "Searches inputs for which an operation returns NaN or infinity (ESEC/FSE 2021)."
    request = {"bug": entry.id, "stack": entry.bug.stack}
    yield BugAction("grist", "GRIST", meaning, "grist", request, refusal)
