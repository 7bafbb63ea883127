"""New bugs and objections: taken in, checked by a job, decided by a reviewer."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bugloss.core.bug import Status
from bugloss.core.documents import parse_toml
from bugloss.core.errors import InvalidInput
from bugloss.corpus.register import retire
from bugloss.corpus.where import FIELDS, parse
from bugloss.record.store.contributions import (
    Contributions,
    ContributionState,
    Objection,
    ObjectionKind,
    Review,
    SubmittedBug,
)
from bugloss.record.store.job import JobState
from bugloss.show.api.corpus_view import CorpusView
from bugloss.show.api.jobs.requests import SubmitJob
from bugloss.show.api.jobs.service import Jobs
from bugloss.show.api.security.archives import pack, unpack
from bugloss.show.api.settings import ServerSettings

_LABELS = ("category", "bug_type", "general_type", "symptom", "property", "fix_pattern", "origin", "edit_actions")
_LARGEST_FILE = 2_000_000


class Submissions:
    """What routes and pages do with submissions and objections."""

    def __init__(self, contributions: Contributions, jobs: Jobs, corpus: CorpusView, settings: ServerSettings) -> None:
        self._contributions = contributions
        self._jobs = jobs
        self._corpus = corpus
        self._settings = settings

    def offer(self, archive: bytes, note: str = "", created_by: str = "") -> SubmittedBug:
        """Takes a new bug in, as an archive of its folder, and queues its checks."""
        files = unpack(archive, self._settings.limits)
        return self.offer_files(files, note, created_by)

    def offer_files(self, files: dict[str, bytes], note: str = "", created_by: str = "") -> SubmittedBug:
        """The same for files by name, such as those of a form."""
        facts = _facts(files)
        if "upstream" in facts:
            hint = "Add it on the command line: bugloss submit DIR"
            raise InvalidInput("a bug of a repository names an address, and this server fetches none.", hint=hint)
        self._jobs.allow(SubmitJob(offer="0" * 28, folder=_id_of(facts)))
        title, framework = str(facts.get("title", "without a title")), str(facts.get("framework", ""))
        offer = self._contributions.offer(title, framework, pack(files), note, created_by)
        job = self._jobs.submit(SubmitJob(offer=offer.id, folder=_id_of(facts)), created_by)
        return self._contributions.update(offer.id, job=job.id)

    def get(self, offer_id: str) -> SubmittedBug:
        """A submission; one whose checks could not be run is refused, with the reason."""
        offer = self._contributions.get_offer(offer_id)
        if offer.state is not ContributionState.CHECKING or not offer.job:
            return offer
        job = self._jobs.get(offer.job)
        if job.state not in {JobState.FAILED, JobState.CANCELLED}:
            return offer
        message = str((job.error or {}).get("message", "its checks were cancelled."))
        problems = [{"file": "", "message": message}]
        return self._contributions.update(offer_id, state=ContributionState.REFUSED, problems=problems)

    def object(
        self, kind: ObjectionKind, bug: str, reason: str, label: str = "", proposed: str = "", created_by: str = ""
    ) -> Objection:
        """A request to remove a bug, or to change one of its labels to another value of the taxonomy."""
        entry = self._corpus.entry(bug)
        if kind is ObjectionKind.LABEL:
            if label not in _LABELS:
                raise InvalidInput(f"'{label[:60]}' is not a label.", hint=f"Known: {', '.join(_LABELS)}.")
            if not re.fullmatch(r"[a-z0-9-]{1,80}", proposed):
                raise InvalidInput("the proposed value is not one of the taxonomy.")
            parse(f"{label}={proposed}")  # refuses what the taxonomy does not know
            if proposed == FIELDS[label](entry):
                raise InvalidInput(f"{bug} has {label} = {proposed} already.")
        elif label or proposed:
            raise InvalidInput("a request to remove a bug names no label.")
        return self._contributions.object(kind, entry.id, reason, label, proposed, created_by)

    def decide(self, subject: str, accept: bool, reason: str, reviewer: str = "") -> Review:
        """Accepts or rejects. An accepted bug is verified again and added; a removed one is deprecated."""
        review = self._contributions.decide(subject, accept, reason, reviewer)
        if not accept:
            return review
        if any(offer.id == subject for offer in self._contributions.offers(ContributionState.ACCEPTED, limit=1_000)):
            files = unpack(self._contributions.archive(subject), self._settings.limits)
            self._jobs.submit(SubmitJob(offer=subject, folder=_id_of(_facts(files)), add=True), reviewer)
            return review
        objection = self._contributions.get_objection(subject)
        if objection.kind is ObjectionKind.REMOVAL:
            retire(self._corpus.root, objection.bug, Status.DEPRECATED, reason)
        return review


def _id_of(facts: Mapping[str, object]) -> str:
    """The id of a draft, which is the name of its folder too."""
    found = str(facts.get("id", ""))
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,60}", found):
        hint = "Write the name of the bug's folder there: small letters, digits and hyphens."
        raise InvalidInput(f"bug.toml has the id '{found[:60]}'.", hint=hint)
    return found


def _facts(files: dict[str, bytes]) -> Mapping[str, object]:
    """What ``bug.toml`` states; lint looks at everything else."""
    for name, content in files.items():
        if len(content) > _LARGEST_FILE:
            raise InvalidInput(f"'{name}' is larger than {_LARGEST_FILE // 1_000_000} MB.")
    try:
        facts: Mapping[str, object] = parse_toml(files["bug.toml"].decode())
    except KeyError:
        raise InvalidInput("the archive has no bug.toml.", hint="Start a new bug: bugloss new NAME") from None
    except ValueError as error:
        raise InvalidInput(f"bug.toml cannot be read: {error}.") from error
    return facts
