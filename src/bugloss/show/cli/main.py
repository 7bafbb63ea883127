"""The door: runs a verb and turns whatever goes wrong into one sentence and the right exit code."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from bugloss import __version__
from bugloss.core.errors import BuglossError, EnvironmentFailure, InvalidInput, Irreproducible, MissingExtra
from bugloss.core.failure_text import in_one_line
from bugloss.show.cli.door import guarded_streams
from bugloss.show.cli.exit_codes import ENVIRONMENT, FINE, INCONCLUSIVE, INTERRUPTED, USAGE, Answered
from bugloss.show.cli.stream import flush_output, make_streams_patient
from bugloss.show.cli.usage import own_words, usage_hint
from bugloss.show.cli.verb_table import HELP, help_page

_COMPLETION = "_BUGLOSS_COMPLETE"  # set by a shell that asks what may be typed next


def main(arguments: list[str] | None = None) -> int:
    """Runs one command line; returns its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["help"] and len(given) > 1:  # help VERB
        given = [*given[1:], "--help"]
    if not given and _COMPLETION in os.environ:
        return _run_verb(given)
    if not given or given[0] in {*HELP, "help", "--version"}:
        print(f"bugloss {__version__}" if given[:1] == ["--version"] else help_page())
        return FINE if given else USAGE
    with guarded_streams():
        return _run(given)


def _run(given: list[str]) -> int:
    try:
        _refuse_deleted_folder()
        return _run_verb(given)
    except KeyboardInterrupt:
        return _tell(given, "interrupted", "interrupted.", "", INTERRUPTED)
    except BuglossError as error:
        return _tell(given, error.kind, error.message, error.hint, exit_code(error))
    except MemoryError:
        return _tell(given, "environment", "not enough memory.", "", ENVIRONMENT)
    except OSError as error:  # the system's word on a file that no room had a better sentence for
        return _tell(given, "environment", f"{_what_the_system_said(error)}.", "", ENVIRONMENT)
    except Exception as error:  # ours: a fault of bugloss itself must still leave one clear sentence
        hint = f"Please report it with {_keep_traceback()}"
        return _tell(given, "internal", f"bugloss itself failed: {in_one_line(error)}.", hint, ENVIRONMENT)


def _run_verb(given: list[str]) -> int:
    import typer
    from typer.exceptions import TyperException

    from bugloss.show.cli.app import application

    try:
        code = application(given, prog_name="bugloss", standalone_mode=False)
        if code == INTERRUPTED and not isinstance(code, Answered):  # what Typer makes of Ctrl-C, without a word
            raise KeyboardInterrupt
        return code if isinstance(code, int) else FINE
    except typer.Exit as stop:
        return stop.exit_code
    except SystemExit as stop:  # how Typer ends after it has answered a shell
        return stop.code if isinstance(stop.code, int) else FINE
    except typer.Abort:
        raise KeyboardInterrupt from None
    except TyperException as error:
        message = error.format_message()
        if not message:
            return USAGE  # the verb was called bare; its help has been printed
        return _tell(given, "usage", message, usage_hint(given, getattr(error, "option_name", "")), USAGE)


def _refuse_deleted_folder() -> None:
    try:
        Path.cwd()
    except OSError as error:
        reason = "no longer exists" if isinstance(error, FileNotFoundError) else f"cannot be used: {error.strerror}"
        raise InvalidInput(f"the current folder {reason}.", hint="Change to another folder: cd ~") from error


def _what_the_system_said(error: OSError) -> str:
    """``/data/x: No space left on device``."""
    reason = error.strerror or in_one_line(error)
    return f"{error.filename}: {reason}" if error.filename is not None else reason


def exit_code(error: BuglossError) -> int:
    """The exit code that ``interfaces.md`` gives to an error."""
    if isinstance(error, (EnvironmentFailure, MissingExtra)):
        return ENVIRONMENT
    return INCONCLUSIVE if isinstance(error, Irreproducible) else USAGE


def _tell(given: list[str], kind: str, message: str, hint: str, code: int) -> int:
    if "--json" in own_words(given):
        from bugloss.show.cli.output import print_json

        print_json("error", {"error": kind, "message": message, "hint": hint})
    else:
        print(f"bugloss: {message}", file=sys.stderr)
        if hint:
            print(f"  {hint}", file=sys.stderr)
    return code


def _keep_traceback() -> str:
    """Saves the traceback for a bug report; where even that fails, says so."""
    import traceback
    from datetime import UTC, datetime

    from bugloss.core.cache import cache_folder, writable

    name = datetime.now(UTC).strftime("crash-%Y%m%dT%H%M%S.txt")
    try:
        path = writable(cache_folder() / "crashes") / name
        path.write_text(traceback.format_exc(), encoding="utf-8", errors="backslashreplace")
    except (OSError, BuglossError):
        return "the command you typed (the details could not be saved)."
    return f"{path}"


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def run() -> None:
    """The console script."""
    signal.signal(signal.SIGTERM, _interrupt)
    make_streams_patient()
    try:
        code = main()
    except KeyboardInterrupt:  # so early, or so late, that no verb was there to say a word about it
        code = INTERRUPTED
    problem = flush_output()
    if problem:
        print(f"bugloss: the output cannot be written: {problem}.", file=sys.stderr)
        code = ENVIRONMENT
    sys.exit(code)
