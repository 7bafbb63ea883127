"""What to type instead of a command line that was not understood."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from bugloss.show.cli.verb_table import VERBS

_TAKE_ARGUMENTS = {"run", "diagnose", "repair"}  # verbs that pass on what comes after --
_OPTION_OF_SCRIPT = "--"


def own_words(given: Sequence[str]) -> list[str]:
    """The words of a command line that are meant for bugloss; those after ``--`` are the script's."""
    words = list(given)
    return words[: words.index(_OPTION_OF_SCRIPT)] if _OPTION_OF_SCRIPT in words else words


def usage_hint(given: Sequence[str], option: str = "") -> str:
    """The next step after a wrong usage; an unknown option after a script is taken for one of the script's."""
    verb = given[0] if given else ""
    words = own_words(given)
    place = next((number for number, word in enumerate(words) if option and word.split("=")[0] == option), None)
    if verb in _TAKE_ARGUMENTS and place is not None and any(not word.startswith("-") for word in words[1:place]):
        line = shlex.join(["bugloss", *words[:place], _OPTION_OF_SCRIPT, *words[place:]])
        return f"If {option} is an option of the script, write it after --: {line}"
    return f"See: bugloss {verb} --help" if verb in VERBS else "See: bugloss --help"


def unknown_verb_hint(word: str) -> str:
    """For a misspelt verb the nearest ones; for a file the verbs that take one."""
    from bugloss.core.suggestion import did_you_mean

    if word.endswith((".py", ".ipynb")):
        return f"Write a verb before it: bugloss check {shlex.quote(word)}, or bugloss diagnose {shlex.quote(word)}"
    return did_you_mean(word, VERBS) or "See: bugloss --help"
