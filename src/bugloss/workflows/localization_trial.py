"""Methods × reports with known truth: each report is asked about the tree before its fix, with the past of that day."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.core.errors import BuglossError
from bugloss.core.failure_text import in_one_line
from bugloss.core.report import Report, ReportSource
from bugloss.evaluate.predictions import Prediction
from bugloss.evaluate.subjects import BEFORE, INSIDE, RankedReport
from bugloss.intake.reading import take_apart
from bugloss.localize.answer.ranking import rank, ranked_files
from bugloss.localize.contract import Question, Technique, leanings
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.file_corpus import FileCorpus, FileSelection, index_tree, read_history
from bugloss.localize.question.earlier import EarlierReport, before
from bugloss.localize.question.query import read_query
from bugloss.localize.repository.objects import Repository
from bugloss.triage.judgement import triage
from bugloss.workflows.function_truth import true_functions

_KEPT = 200  # paths of a prediction
_SELECTION = FileSelection()


@dataclass(frozen=True, slots=True)
class LocalizationCase:
    """One subject made ready: its corpus as it was when the report was opened, its question, what its fix changed."""

    subject: RankedReport
    corpus: FileCorpus
    question: Question

    @property
    def true_functions(self) -> tuple[str, ...]:
        """The functions that the fix changed, as ``path::name``."""
        return true_functions(self.corpus, self.subject.functions)


def open_cases(
    subjects: Sequence[RankedReport],
    store_for: Callable[[str], FactStore],
    selection: FileSelection = _SELECTION,
    report: Callable[[str], None] = lambda text: None,
    wanted: Callable[[RankedReport], bool] = lambda subject: True,
    *,
    strict: bool = False,
) -> Iterator[LocalizationCase]:
    """The wanted subjects whose commit is there and has a true file among its candidates, project by project.

    All subjects serve as earlier reports, where they were fixed before this one was opened. The history ends with the
    commit that is searched; if ``strict``, with the moment at which the report was opened.
    """
    for project in dict.fromkeys(subject.project for subject in subjects):
        members = [subject for subject in subjects if subject.project == project]
        questions = dict(_questions(members, report))
        members = [subject for subject in members if subject.id in questions]
        past = [EarlierReport(s.id, questions[s.id].query.words, s.truth, s.fixed) for s in members]
        store = store_for(project)
        for subject in filter(wanted, members):
            try:
                case = _case(subject, questions[subject.id], past, store, selection, strict=strict)
            except BuglossError as error:
                report(f"{subject.id}: {error.message}")
                continue
            except Exception as error:  # ours: the other reports are asked all the same
                report(f"{subject.id}: the repository could not be prepared: {in_one_line(error)}.")
                continue
            if case.subject.truth:
                yield case


def _questions(subjects: Iterable[RankedReport], report: Callable[[str], None]) -> Iterator[tuple[str, Question]]:
    """The question of each report by its id; one that cannot be taken apart is said and left out."""
    for subject in subjects:
        try:
            yield subject.id, _question(subject)
        except Exception as error:
            report(f"{subject.id}: its report could not be read: {in_one_line(error)}.")


def _question(subject: RankedReport) -> Question:
    report = Report(subject.title, subject.body, source=ReportSource.GITHUB)
    reading = take_apart(report)
    return Question(read_query(reading), leanings=leanings(triage(reading)), report=report)


def _case(
    subject: RankedReport,
    question: Question,
    past: Iterable[EarlierReport],
    store: FactStore,
    selection: FileSelection,
    *,
    strict: bool,
) -> LocalizationCase:
    repository = Repository(subject.repository)
    tree = repository.tree(_commit(repository, subject.commit))
    index = index_tree(repository, tree, store, selection)
    history = read_history(repository, tree, index, store, selection, subject.opened if strict else None)
    others = [report for report in past if report.name != subject.id]
    truth = tuple(path for path in subject.truth if path in set(index.paths))
    corpus = FileCorpus(tree, index, history, store, repository)
    return LocalizationCase(
        replace(subject, truth=truth), corpus, replace(question, earlier=before(others, subject.opened))
    )


def _commit(repository: Repository, named: str) -> str:
    if named.startswith(BEFORE):
        return repository.last_before(int(named.removeprefix(BEFORE)))
    return repository.resolve(named)


def predict_functions(case: LocalizationCase, technique: Technique) -> Prediction:
    """The functions of the best files, in the order of one technique."""
    found = rank(case.corpus, case.question, technique, _KEPT, functions=True).functions
    names = dict.fromkeys(f"{one.path}{INSIDE}{one.name}" for one in found)
    return Prediction(case.subject.id, technique.name, tuple(names))


def predict(case: LocalizationCase, technique: Technique) -> Prediction:
    """The ranking of one technique for one case."""
    order = ranked_files(case.corpus, technique.score(case.corpus, case.question))
    return Prediction(case.subject.id, technique.name, tuple(case.corpus.index.paths[at] for at in order[:_KEPT]))


def store_below(folder: Path | None) -> Callable[[str], FactStore]:
    """A store for each project, so that projects can be worked on at once."""
    return lambda project: FactStore.open(folder / _folder_name(project) if folder else None)


def _folder_name(project: str) -> str:
    """What data call a project, as the name of one folder; facts are kept by content, so two may share it."""
    return re.sub(r"[^\w.+-]", "+", project).lstrip(".") or "project"
