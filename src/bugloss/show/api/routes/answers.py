"""Questions that are answered at once: check, triage, lookup, studies."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.responses import Response

from bugloss.show.api.answering import respond
from bugloss.show.api.answers import VerbAnswer
from bugloss.show.api.jobs.requests import BugName, ProgramName, Text
from bugloss.show.api.routes.access import TheServices, document

router = APIRouter(tags=["answers"])
_Rules = Annotated[list[Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,60}$")]], Field(max_length=100)]
_Target = Annotated[str, StringConstraints(pattern=r"^[a-z0-9=.,-]{0,200}$")]
StudyName = Literal[
    "apriori", "patterns", "libraries", "information", "localization", "risk", "agreement", "corpus", "user-study"
]


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CheckQuestion(_Question):
    """A program whose source is to be checked."""

    source: Text
    name: ProgramName = "program.py"
    select: _Rules = []
    ignore: _Rules = []
    target: _Target = ""


class TriageQuestion(_Question):
    """A report to classify."""

    report: Text


class LookupQuestion(_Question):
    """A text with a traceback or a log."""

    text: Text
    limit: Annotated[int, Field(ge=1, le=20)] = 3


@router.post("/check", responses=document("findings"))
def check_program(services: TheServices, question: CheckQuestion) -> Response:
    """Find deep-learning bugs in source code without running it."""
    options = [f"--{name}={','.join(rules)}" for name in ("select", "ignore") if (rules := getattr(question, name))]
    target = [f"--target={question.target}"] if question.target else []
    words = ["check", "--json", "--no-cache", *options, *target, question.name]
    return respond_answer(services.answers.ask(words, {question.name: question.source}))


@router.post("/triage", responses=document("triage"))
def triage_report(services: TheServices, question: TriageQuestion) -> Response:
    """Classify a report: type and origin, missing information, the edits that a reproduction needs."""
    return respond_answer(
        services.answers.ask(["triage", "--json", "--offline", "report.md"], {"report.md": question.report})
    )


@router.post("/lookup", responses=document("lookup"))
def look_up(services: TheServices, question: LookupQuestion) -> Response:
    """Find solved bugs with a similar traceback or log, and their fixes."""
    words = ["lookup", "--json", "-k", str(question.limit), "text.txt"]
    return respond_answer(services.answers.ask(words, {"text.txt": question.text}))


@router.get("/bugs/{bug}/check", responses=document("findings"))
def check_bug(services: TheServices, bug: BugName) -> Response:
    """What the rules say about the buggy program of a bug."""
    entry = services.corpus.entry(bug)
    return respond_answer(
        services.answers.ask(["check", "--json", "--no-cache", str(entry.own_program("buggy").absolute())], {})
    )


@router.get("/studies/{study}", responses=document("study"))
def get_study(services: TheServices, study: StudyName) -> Response:
    """The analysis of a published paper, rerun."""
    answer = services.answers.ask(["study", study, "--json"], {})
    return respond("study", {"study": study, "result": answer.document})


def respond_answer(answer: VerbAnswer) -> Response:
    """The document of a verb, with its exit code."""
    name = str(answer.document["schema"]).removeprefix("bugloss.").removesuffix("/1")
    rest = {key: value for key, value in answer.document.items() if key != "schema"}
    return respond(name, {**rest, "exit_code": answer.exit_code})
