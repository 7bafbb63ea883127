"""What pip is told reaches uv, with pip's own precedence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bugloss.run.build import find_uv
from bugloss.run.pip_settings import find_links_folders, index_flags, pip_settings, uv_variables


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Variables of a user whose home holds no configuration yet."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    return {"HOME": str(tmp_path / "home"), "XDG_CONFIG_DIRS": str(tmp_path / "xdg")}


def test_each_of_pips_files_is_read_and_the_later_overrides_the_earlier(home: dict[str, str], tmp_path: Path) -> None:
    user = Path(home["HOME"])
    ordered = [
        tmp_path / "xdg" / "pip" / "pip.conf",
        user / ".pip" / "pip.conf",
        user / ".config" / "pip" / "pip.conf",
        tmp_path / "prefix" / "pip.conf",
    ]
    for number, path in enumerate(ordered):
        write(path, f"[global]\nindex-url = https://mirror/{number}\n")
        assert pip_settings(home)["index-url"] == f"https://mirror/{number}"


def test_variables_override_files(home: dict[str, str]) -> None:
    write(Path(home["HOME"]) / ".config/pip/pip.conf", "[global]\nindex-url = https://file/\n")
    assert pip_settings({**home, "PIP_INDEX_URL": "https://variable/"})["index-url"] == "https://variable/"


def test_an_empty_variable_overrides_nothing(home: dict[str, str]) -> None:
    write(Path(home["HOME"]) / ".config/pip/pip.conf", "[global]\nindex-url = https://file/\n")
    assert pip_settings({**home, "PIP_INDEX_URL": ""})["index-url"] == "https://file/"


def test_the_install_section_of_any_file_overrides_the_global_section_of_every_file(home: dict[str, str]) -> None:
    write(Path(home["HOME"]) / ".pip/pip.conf", "[install]\nindex-url = https://install/\n")
    write(Path(home["HOME"]) / ".config/pip/pip.conf", "[global]\nindex-url = https://global/\n")
    assert pip_settings(home)["index-url"] == "https://install/"


def test_options_may_be_written_with_underscores(home: dict[str, str]) -> None:
    write(Path(home["HOME"]) / ".config/pip/pip.conf", "[global]\nextra_index_url = https://more/\n")
    assert pip_settings(home)["extra-index-url"] == "https://more/"


def test_xdg_config_home_is_followed(home: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path / "config" / "pip" / "pip.conf", "[global]\nindex-url = https://xdg/\n")
    assert pip_settings({**home, "XDG_CONFIG_HOME": str(tmp_path / "config")})["index-url"] == "https://xdg/"


def test_a_file_named_explicitly_stands_in_for_the_users_own(home: dict[str, str], tmp_path: Path) -> None:
    write(Path(home["HOME"]) / ".config/pip/pip.conf", "[global]\nindex-url = https://user/\nno-index = true\n")
    explicit = write(tmp_path / "explicit.conf", "[global]\nindex-url = https://explicit/\n")
    settings = pip_settings({**home, "PIP_CONFIG_FILE": str(explicit)})
    assert settings["index-url"] == "https://explicit/"
    assert "no-index" not in settings


def test_the_null_device_as_file_means_no_file_at_all(home: dict[str, str]) -> None:
    write(Path(home["HOME"]) / ".config/pip/pip.conf", "[global]\nindex-url = https://user/\n")
    settings = pip_settings({**home, "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "/wheels"})
    assert settings == {"config-file": os.devnull, "find-links": "/wheels"}


@pytest.mark.parametrize("damage", ["no section = 1\n", "[global]\nindex-url = a\nindex-url = b\n", "[global\n"])
def test_a_damaged_file_is_passed_over(home: dict[str, str], damage: str) -> None:
    without = pip_settings(home)
    write(Path(home["HOME"]) / ".config/pip/pip.conf", damage)
    assert pip_settings(home) == without


def test_a_file_in_another_encoding_is_passed_over(home: dict[str, str]) -> None:
    path = write(Path(home["HOME"]) / ".config/pip/pip.conf", "")
    without = pip_settings(home)
    path.write_bytes(b"[global]\nindex-url = https://m\xfcnchen/\n")
    assert pip_settings(home) == without


def test_our_reading_agrees_with_pips_own(home: dict[str, str]) -> None:
    """The same files and variables, asked of the real pip."""
    write(Path(home["HOME"]) / ".pip/pip.conf", "[install]\nfind_links = /a\n  /b\n[global]\nindex-url = https://x/\n")
    write(Path(home["HOME"]) / ".config/pip/pip.conf", "[global]\nfind-links = /c\ntimeout = 7\n")
    variables = {**home, "PIP_INDEX_URL": "", "PIP_EXTRA_INDEX_URL": "https://more/", "PATH": os.environ["PATH"]}
    ask = (
        "import json; from pip._internal.commands import create_command;"
        "o = create_command('install').parser.get_default_values();"
        "print(json.dumps([o.find_links, o.index_url, o.extra_index_urls, o.timeout]))"
    )
    done = subprocess.run([sys.executable, "-c", ask], env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this interpreter has no pip that can be asked: {done.stderr[-200:]}")
    assert done.stdout.strip() == '[["/a", "/b"], "https://x/", ["https://more/"], 7.0]'
    settings = pip_settings(variables)
    assert settings["find-links"].split() == ["/a", "/b"]
    assert [settings[name] for name in ("index-url", "extra-index-url", "timeout")] == [
        "https://x/",
        "https://more/",
        "7",
    ]


def test_uv_gets_every_setting_under_its_own_name_and_in_its_own_list_form() -> None:
    variables = uv_variables(
        {
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_INDEX_URL": "https://index/",
            "PIP_EXTRA_INDEX_URL": "https://one/ https://two/",
            "PIP_FIND_LINKS": "/a /b",
            "PIP_TRUSTED_HOST": "one two",
            "PIP_CERT": "/cert.pem",
            "PIP_PROXY": "http://proxy:1",
            "PIP_DEFAULT_TIMEOUT": "180",
            "PIP_CONSTRAINT": "/c1 /c2",
        }
    )
    assert variables == {
        "UV_DEFAULT_INDEX": "https://index/",
        "UV_INDEX": "https://one/ https://two/",
        "UV_FIND_LINKS": "/a,/b",
        "UV_INSECURE_HOST": "one two",
        "SSL_CERT_FILE": "/cert.pem",
        "HTTPS_PROXY": "http://proxy:1",
        "UV_HTTP_TIMEOUT": "180",
        "UV_CONSTRAINT": "/c1 /c2",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
    }


@pytest.mark.parametrize(
    ("pip", "uv"),
    [
        ("PIP_INDEX_URL", "UV_DEFAULT_INDEX"),
        ("PIP_INDEX_URL", "UV_INDEX_URL"),
        ("PIP_EXTRA_INDEX_URL", "UV_INDEX"),
        ("PIP_EXTRA_INDEX_URL", "UV_EXTRA_INDEX_URL"),
        ("PIP_FIND_LINKS", "UV_FIND_LINKS"),
        ("PIP_TIMEOUT", "UV_HTTP_TIMEOUT"),
        ("PIP_CERT", "SSL_CERT_FILE"),
    ],
)
def test_what_the_user_set_for_uv_itself_wins(pip: str, uv: str) -> None:
    """uv reads the former names of its variables still, but prefers the new ones: ours must not push them aside."""
    assert uv_variables({"PIP_CONFIG_FILE": os.devnull, pip: "9", uv: "8"}) == {}


def test_the_users_own_index_strategy_is_kept() -> None:
    given = {"PIP_CONFIG_FILE": os.devnull, "PIP_EXTRA_INDEX_URL": "https://one/", "UV_INDEX_STRATEGY": "first-index"}
    assert uv_variables(given)["UV_INDEX_STRATEGY"] == "first-index"


@pytest.mark.parametrize(("said", "flags"), [("1", ["--no-index"]), ("true", ["--no-index"]), ("0", []), ("", [])])
def test_that_no_index_is_to_be_asked_is_a_flag_because_uv_has_no_variable_for_it(said: str, flags: list[str]) -> None:
    assert index_flags({"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": said}) == flags


def test_settings_that_uv_does_not_know_are_not_handed_on() -> None:
    assert uv_variables({"PIP_CONFIG_FILE": os.devnull, "PIP_PROGRESS_BAR": "off", "PIP_USER": "1"}) == {}


@pytest.mark.parametrize(("pip", "uv"), [("15.5", "16"), ("0.5", "1"), ("30", "30")])
def test_a_timeout_in_fractions_of_a_second_does_not_stop_uv(pip: str, uv: str) -> None:
    """uv 0.13 refuses to start with UV_HTTP_TIMEOUT=15.5, which pip takes."""
    variables = uv_variables({"PIP_CONFIG_FILE": os.devnull, "PIP_TIMEOUT": pip})
    assert variables == {"UV_HTTP_TIMEOUT": uv}
    program = find_uv()
    if program is None:
        pytest.skip("uv is not installed")
    listing = [program, "pip", "list", "--python", sys.executable]
    done = subprocess.run(listing, env={**os.environ, **variables}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_local_folders_of_wheels_are_told_from_addresses() -> None:
    folders = find_links_folders(
        {
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_FIND_LINKS": "/plain file:///as/url https://host/wheels",
            "UV_FIND_LINKS": "/of/uv,/plain",
        }
    )
    assert folders == [Path("/plain"), Path("/as/url"), Path("/of/uv")]
