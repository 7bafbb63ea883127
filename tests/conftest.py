"""What every test gets: an empty cache of its own, and a check that it leaves the process as it found it."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command_line import CommandLine
from hypothesis import settings
from postgres_cluster import cluster
from tiny_corpus import TinyCorpus, bare_environment

from bugloss.core.cache import cache_folder
from bugloss.core.errors import EnvironmentFailure
from bugloss.run import sandbox
from bugloss.run.environment import Environment, provide
from bugloss.stacks.stack import load_stack

REPOSITORY = Path(__file__).parent.parent
SHARED_CACHE = cache_folder()

# The machine may be busy; how long one example takes says nothing about the code.
settings.register_profile("house", deadline=None, max_examples=50)
settings.load_profile("house")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test writes to the user's cache unless it says so."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("BUGLOSS_CACHE", str(folder))
    monkeypatch.setenv("BUGLOSS_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("BUGLOSS_BUGS", raising=False)
    monkeypatch.delenv("BUGLOSS_ISOLATION", raising=False)
    monkeypatch.delenv("BUGLOSS_MIRROR", raising=False)
    return folder


@pytest.fixture(autouse=True)
def no_leak() -> Iterator[None]:
    """Fails the test that changes the environment or the working folder for the next one."""
    before, place = dict(os.environ), Path.cwd()
    yield
    # monkeypatch undoes its changes after this fixture; only what it does not know of is compared.
    assert Path.cwd() == place or not place.exists(), "the test changed the working folder"
    ours = {
        "BUGLOSS_CACHE",
        "BUGLOSS_DATA",
        "BUGLOSS_BUGS",
        "BUGLOSS_ISOLATION",
        "BUGLOSS_MIRROR",
        "PYTEST_CURRENT_TEST",
    }
    changed = {name for name in before.keys() ^ os.environ.keys() if name not in ours}
    assert not changed, f"the test changed {changed} without monkeypatch"


@pytest.fixture
def shared_cache(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own cache, for tests that run real environments: those are built once and kept."""
    monkeypatch.setenv("BUGLOSS_CACHE", str(SHARED_CACHE))
    return SHARED_CACHE


@pytest.fixture
def stack(shared_cache: Path) -> Callable[[str], Environment]:
    """A real environment by the name of its stack; a missing interpreter or network skips the test and says so."""

    def build(name: str) -> Environment:
        try:
            return provide(load_stack(name))
        except EnvironmentFailure as error:
            pytest.skip(f"not run: {error.message} {error.hint}")

    return build


@pytest.fixture
def corpus_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small corpus that a test may spoil: three real bugs and the ledgers."""
    root = tmp_path / "bugs"
    for bug in ("torch/torch-0003", "torch/torch-0006", "keras/keras-0011"):
        shutil.copytree(REPOSITORY / "bugs" / bug, root / bug, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("corpus.toml", "register.toml"):
        shutil.copy(REPOSITORY / "bugs" / name, root)
    monkeypatch.setenv("BUGLOSS_BUGS", str(root))
    return root


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TinyCorpus:
    """An empty corpus in force, for bugs that need no framework."""
    monkeypatch.setenv("BUGLOSS_BUGS", str(tmp_path / "bugs"))
    return TinyCorpus(tmp_path / "bugs")


@pytest.fixture
def bare(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """The stack ``torch`` as bare Python, so that a tiny corpus runs for real; the quickest isolation is used."""
    monkeypatch.setenv("BUGLOSS_ISOLATION", "limits")
    try:
        return bare_environment("torch")
    except EnvironmentFailure as error:
        pytest.skip(f"not run: {error.message} {error.hint}")


@pytest.fixture
def cli(tiny: TinyCorpus, bare: Environment, tmp_path: Path) -> CommandLine:
    """The command line in an empty folder, over the tiny corpus, with a home of its own."""
    folder, programs = tmp_path / "here", tmp_path / "bin"
    for new in (folder, programs, tmp_path / "home"):
        new.mkdir()
    # A short PATH, so that no time goes into asking pyenv's shims.
    version = ".".join(bare.python_version.split(".")[:2])
    (programs / f"python{version}").symlink_to(Path(bare.python).resolve())
    path = os.pathsep.join([str(programs), "/usr/local/bin", "/usr/bin", "/bin"])
    return CommandLine(folder, {"PATH": path, "HOME": str(tmp_path / "home")})


# What starts programs in an environment or the sandbox, whichever test asks for it.
RUNNING = {"bare", "cli", "environment", "level", "old_and_new", "run", "shared_cache", "stack", "tiny_stack"}
HEAVY_FOLDERS = {"hostile", "journeys", "adapters"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what starts programs; tests that need bubblewrap are skipped, with the reason, where it does not work."""
    for item in items:
        if RUNNING & set(getattr(item, "fixturenames", ())) or HEAVY_FOLDERS & set(item.path.parts):
            item.add_marker(pytest.mark.process)
    needing = [item for item in items if item.get_closest_marker("bubblewrap")]
    if needing and not sandbox.works("bubblewrap"):
        reason = "bubblewrap does not work here (Debian: apt-get install bubblewrap)"
        for item in needing:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[str]:
    """The URL of a PostgreSQL that belongs to this test session."""
    with cluster() as url:
        yield url


@pytest.fixture
def postgres_url(postgres_cluster: str) -> Iterator[str]:
    """An empty database of its own."""
    from sqlalchemy import create_engine, text

    name = f"test_{uuid.uuid4().hex[:12]}"
    admin = create_engine(postgres_cluster.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield postgres_cluster.replace("/postgres?", f"/{name}?")
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A test that uses it runs on both databases."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store' / 'bugloss.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url
