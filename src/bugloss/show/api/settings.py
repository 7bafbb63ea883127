"""What a server is started with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.corpus.roots import default_root

LOCAL_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})
WORK_FOLDER = Path(".bugloss", "server")


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """How much one server takes and does at once."""

    jobs_at_once: int = 2
    jobs_waiting: int = 200
    job_seconds: float = 1800.0
    request_bytes: int = 2_000_000  # a report with its logs, or a notebook
    upload_bytes: int = 10_000_000  # an archive with a bug; the largest bug of the corpus has 0.1 MB
    unpacked_bytes: int = 50_000_000
    unpacked_files: int = 500
    requests_per_minute: int = 6000  # of one client: 100 a second, more than a browser with many tabs needs
    runs_per_minute: int = 120  # of one client: requests that start something
    answer_seconds: float = 30.0  # for check, triage and lookup


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server is started with; ``create_app`` takes it.

    ``database`` is a URL; empty means a SQLite file in the work folder. ``repositories`` are the folders that
    ``localize`` may read. ``hosts`` are further names under which browsers may reach the server. ``engine`` says where
    jobs run: ``local``, or ``dask`` for the workers of the cluster at ``scheduler``.
    """

    database: str = ""
    host: str = "127.0.0.1"
    port: int = 8765
    corpus_roots: tuple[Path, ...] = ()
    work: Path = WORK_FOLDER
    allow_run: bool = True
    require_tokens: bool = False
    repositories: tuple[Path, ...] = ()
    hosts: tuple[str, ...] = ()
    engine: str = "local"
    scheduler: str | None = None
    limits: ServerLimits = field(default_factory=ServerLimits)

    def __post_init__(self) -> None:
        if not self.is_local and not self.require_tokens:
            message = f"a server on {self.host} can be reached by others and must require tokens."
            raise InvalidInput(message, hint="bugloss serve token create --role reader, then start it again.")

    @property
    def is_local(self) -> bool:
        """Whether only programs of this machine reach the server."""
        return self.host in LOCAL_HOSTS

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{(self.work / 'bugloss.db').absolute()}"

    @property
    def roots(self) -> tuple[Path, ...]:
        """The corpora that are shown; of two bugs with one id the first is used."""
        return self.corpus_roots or (default_root(),)
