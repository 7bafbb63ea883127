"""Packages of strangers, which a bug pins: installing them runs none of their code, unless the user agrees, and then in a sandbox.

A wheel may bring a ``.pth`` file, which every start of the environment's interpreter obeys; a source package brings the
program that builds it. Both would leave a canary on the host, with the variables that they saw.
"""

from __future__ import annotations

import ensurepip
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import CommandLine, Done
from tiny_corpus import TinyCorpus
from wheelhouse import write_source, write_wheel, write_wheels

from bugloss.core.errors import BuildFailed, InvalidInput, SandboxUnavailable
from bugloss.run import workshop
from bugloss.run.build import build
from bugloss.run.interpreters import PythonInterpreter, find_interpreter
from bugloss.run.pip_settings import installer_variables, settings_for_untrusted
from bugloss.stacks.stack import Stack, load_stack

STACK = "keras3"
SECRETS = {"AWS_SECRET_ACCESS_KEY": "s3cret", "GITHUB_TOKEN": "s3cret", "UV_PUBLISH_TOKEN": "s3cret"}
LEAVE_A_CANARY = """
import os
def leave(name):
    try:
        with open({canaries!r} + "/" + name, "a") as canary:
            canary.write(repr(dict(os.environ)))
    except OSError:
        pass
"""
# It reports what it sees in the wheel that it makes: the only thing that leaves the sandbox.
BACKEND = """
import os, zipfile
{leave}
leave("backend")
def build_wheel(folder, config_settings=None, metadata_directory=None):
    leave("build")
    name, about = "sourced-1.0-py3-none-any.whl", "sourced-1.0.dist-info/"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.writestr("sourced.py", "seen = %r" % [dict(os.environ), os.path.exists({canaries!r})])
        wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\\nName: sourced\\nVersion: 1.0\\n")
        wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(about + "RECORD", "sourced.py,,\\n" + about + "RECORD,,\\n")
    return name
"""


@dataclass(frozen=True)
class Shop:
    """A folder of packages, all that installers know of, and the folder for canaries."""

    packages: Path
    canaries: Path
    sha256: str

    def sprung(self) -> list[str]:
        return sorted(path.name for path in self.canaries.iterdir())


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    packages, canaries = tmp_path / "packages", tmp_path / "canaries"
    packages.mkdir()
    canaries.mkdir()
    leave = LEAVE_A_CANARY.format(canaries=str(canaries))
    hook = {"started.pth": "import started\n", "started.py": f'{leave}\nleave("pth")\n'}
    write_wheel(packages, "wheeled", "1.0", files=hook)
    sha256 = write_source(packages, "sourced", "1.0", BACKEND.format(leave=leave, canaries=str(canaries)))
    for name, value in {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(packages),
        "UV_CACHE_DIR": str(tmp_path / "uv-cache"),
        **SECRETS,
    }.items():
        monkeypatch.setenv(name, value)
    return Shop(packages, canaries, sha256)


@pytest.fixture
def interpreter() -> PythonInterpreter:
    return find_interpreter(("3.11", "3.12", "3.13"))


def stack_of(interpreter: PythonInterpreter, *pins: str) -> Stack:
    return Stack("tiny-one", "a stack for tests", (interpreter.version,), pins, 1, 1)


def make(folder: Path, interpreter: PythonInterpreter, stack: Stack, *, agreed: bool = False) -> Path:
    build(folder, interpreter, stack, offline=False, notify=lambda text: None, source_builds=agreed)
    return next(folder.glob("lib/*/site-packages"))


# Wheels.


@pytest.mark.parametrize(
    "walls", [pytest.param(True, marks=pytest.mark.bubblewrap), False], ids=["sandbox", "no sandbox"]
)
def test_installing_a_wheel_starts_nothing_of_it(
    shop: Shop, interpreter: PythonInterpreter, tmp_path: Path, walls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "can_isolate", lambda: walls)
    packages = make(tmp_path / "new", interpreter, stack_of(interpreter, "wheeled==1.0"))
    assert shop.sprung() == []
    assert (packages / "started.pth").is_file(), "it was installed"
    assert list(packages.glob("__pycache__/started.*.pyc")), "and compiled"


def test_no_setting_makes_uv_start_the_new_interpreter(
    shop: Shop, interpreter: PythonInterpreter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """uv compiles bytecode on request, in an interpreter that obeys .pth files; the folder one stands in may ask for it."""
    monkeypatch.setenv("UV_COMPILE_BYTECODE", "1")
    (tmp_path / "uv.toml").write_text("[pip]\ncompile-bytecode = true\n")
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "new", interpreter, stack_of(interpreter, "wheeled==1.0"))
    assert shop.sprung() == []


def test_the_lock_holds_a_hash_for_every_file(shop: Shop, interpreter: PythonInterpreter, tmp_path: Path) -> None:
    make(tmp_path / "new", interpreter, stack_of(interpreter, "wheeled==1.0"))
    lock = tomllib.loads((tmp_path / "new" / "pylock.toml").read_text())
    files = [file for package in lock["packages"] for file in package["wheels"]]
    assert files
    assert all(file["hashes"]["sha256"] for file in files)


# Source.


def test_a_package_that_has_no_wheel_is_refused_in_one_sentence(
    shop: Shop, interpreter: PythonInterpreter, tmp_path: Path
) -> None:
    with pytest.raises(BuildFailed) as caught:
        make(tmp_path / "new", interpreter, stack_of(interpreter, "sourced==1.0"), agreed=True)
    assert caught.value.message == (
        f"sourced==1.0 has no wheel for Python {interpreter.version} on this machine, "
        "and packages are built from source only if bug.toml says so."
    )
    assert "from_source" in caught.value.hint
    assert shop.sprung() == []


def sourced(interpreter: PythonInterpreter, sha256: str) -> Stack:
    return stack_of(interpreter).with_pins(["sourced==1.0"], {"sourced": sha256})


def test_a_source_that_a_bug_declares_needs_the_users_consent(
    shop: Shop, interpreter: PythonInterpreter, tmp_path: Path
) -> None:
    with pytest.raises(BuildFailed, match=r"builds sourced==1\.0 from source") as caught:
        make(tmp_path / "new", interpreter, sourced(interpreter, shop.sha256))
    assert "--allow-source-builds" in caught.value.hint
    assert shop.sprung() == []


def bring_pip(shop: Shop) -> None:
    """The pip that builds wheels comes from the index as well; here the one that Python brings along."""
    bundled = Path(ensurepip.__file__).parent / "_bundled"
    for wheel in bundled.glob("pip-*.whl"):
        shutil.copy(wheel, shop.packages)


@pytest.mark.bubblewrap
def test_a_source_build_sees_no_file_and_no_variable_of_the_user(
    shop: Shop, interpreter: PythonInterpreter, tmp_path: Path
) -> None:
    bring_pip(shop)
    packages = make(tmp_path / "new", interpreter, sourced(interpreter, shop.sha256), agreed=True)
    seen = (packages / "sourced.py").read_text()
    assert shop.sprung() == []
    assert "'PATH'" in seen
    assert "s3cret" not in seen
    assert seen.endswith("False]"), "a folder of the host is not there"


@pytest.mark.bubblewrap
def test_only_the_source_with_the_stated_hash_is_built(
    shop: Shop, interpreter: PythonInterpreter, tmp_path: Path
) -> None:
    bring_pip(shop)
    with pytest.raises(BuildFailed, match="could not be built from source"):
        make(tmp_path / "new", interpreter, sourced(interpreter, "sha256:" + "0" * 64), agreed=True)
    assert shop.sprung() == []


def test_without_a_sandbox_a_strangers_source_is_not_built_even_with_consent(
    shop: Shop, interpreter: PythonInterpreter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "can_isolate", lambda: False)
    with pytest.raises(SandboxUnavailable, match="keeps its code from reading your files"):
        make(tmp_path / "new", interpreter, sourced(interpreter, shop.sha256), agreed=True)
    assert shop.sprung() == []


def test_a_pin_of_a_bug_is_not_covered_by_what_we_looked_at(shop: Shop) -> None:
    """Our own stack builds one release of gast from source; another release that a bug pins is the bug's affair."""
    ours = load_stack("keras2-tf1")
    assert [package.vetted for package in ours.source_packages()] == [True]
    assert list(ours.with_pins(["gast==0.2.1"]).source_packages()) == []
    theirs = ours.with_pins(["gast==0.2.1"], {"gast": shop.sha256})
    assert [package.vetted for package in theirs.source_packages()] == [False]


@pytest.mark.parametrize("source", [{"numpy": "sha256:" + "0" * 64}, {"sourced": ""}, {"sourced": "md5:1"}])
def test_a_declaration_names_a_pin_and_a_hash(interpreter: PythonInterpreter, source: dict[str, str]) -> None:
    with pytest.raises(InvalidInput, match="from_source"):
        stack_of(interpreter).with_pins(["sourced==1.0"], source)


# Variables.


def test_an_installer_sees_what_it_needs_and_no_more() -> None:
    user = {"PATH": "/bin", "HTTPS_PROXY": "http://proxy", "UV_INDEX_MINE_PASSWORD": "p", "HOME": "/nowhere"}
    others = {**SECRETS, "UV_COMPILE_BYTECODE": "1", "LD_PRELOAD": "x", "PYTHONPATH": "y"}
    seen = installer_variables({**user, **others, "PIP_CONFIG_FILE": "/dev/null"})
    assert user.items() <= seen.items()
    assert not set(others) & set(seen)


def test_credentials_of_an_index_are_not_shown_to_a_source_build() -> None:
    user = {
        "HOME": "/nowhere",
        "PIP_CONFIG_FILE": "/dev/null",
        "UV_DEFAULT_INDEX": "https://me:s3cret@host/simple",
        "UV_INDEX_MINE_PASSWORD": "s3cret",
        "PIP_EXTRA_INDEX_URL": "https://s3cret@other/simple file:///opt/pypi/simple",
    }
    settings = settings_for_untrusted({**user, **SECRETS})
    assert "s3cret" not in str(settings)
    assert settings["UV_DEFAULT_INDEX"] == settings["PIP_INDEX_URL"] == "https://host/simple"
    assert settings["PIP_EXTRA_INDEX_URL"] == "https://other/simple file:///opt/pypi/simple"


# The command line, with somebody's bug.


def add_bug(tiny: TinyCorpus, *pins: str, **facts: object) -> None:
    tiny.add("keras-0001", framework="keras", stack=STACK, pins=list(pins), **facts)


@pytest.fixture
def ask(cli: CommandLine, shop: Shop) -> CommandLine:
    """The command line of a user with secrets, in front of a stack whose packages hold nothing."""
    write_wheels(shop.packages, load_stack(STACK).packages)
    bring_pip(shop)
    cli.variables.update(SECRETS, BUGLOSS_ISOLATION="bubblewrap")
    for name in ("PIP_CONFIG_FILE", "PIP_NO_INDEX"):
        cli.variables[name] = {"PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "1"}[name]
    cli.variables["PIP_FIND_LINKS"] = str(shop.packages)
    cli.variables["UV_CACHE_DIR"] = str(shop.packages.with_name("uv-cache"))
    return cli


@pytest.mark.bubblewrap
def test_testing_somebodys_bug_runs_none_of_its_wheels_on_the_host(
    ask: CommandLine, tiny: TinyCorpus, shop: Shop
) -> None:
    add_bug(tiny, "wheeled==1.0")
    done = ask("test", "keras-0001f", "-q")
    assert done.code == 0, done
    assert shop.sprung() == []


@pytest.mark.bubblewrap
def test_a_bug_that_needs_source_is_refused_until_the_user_agrees(
    ask: CommandLine, tiny: TinyCorpus, shop: Shop
) -> None:
    add_bug(tiny, "sourced==1.0", from_source={"sourced": shop.sha256})
    refused: Done = ask("verify", "--runs", "1", "--json")
    (bug,) = refused.document["bugs"]
    assert (refused.code, bug["status"]) == (3, "not-run")
    assert "the bug builds sourced==1.0 from source" in bug["reason"]
    assert shop.sprung() == []
    done = ask("verify", "--runs", "1", "--json", "--allow-source-builds")
    assert [found["status"] for found in done.document["bugs"]] == ["active"]
    assert shop.sprung() == []
