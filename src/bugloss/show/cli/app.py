"""The Typer application: a group that loads a verb's module only when it is called."""

from __future__ import annotations

from importlib import import_module
from inspect import cleandoc
from typing import Any

import typer
from typer.core import TyperGroup

from bugloss.core.errors import InvalidInput
from bugloss.show.cli.usage import unknown_verb_hint
from bugloss.show.cli.verb_table import HELP, SYNOPSIS, VERBS, Verb


class LazyGroup(TyperGroup):
    """Knows every verb by name; imports the module of the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        word = args[0] if args else ""
        if word and word not in VERBS and not word.startswith("-"):
            raise InvalidInput(f"there is no verb '{word}'.", hint=unknown_verb_hint(word))
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        module = import_module(f"bugloss.show.cli.verbs.{verb.module}")
        app = getattr(module, "app", None) or _single(cmd_name, verb, module.command)
        command = typer.main.get_command(app)
        command.name = cmd_name
        return command


def _single(name: str, verb: Verb, function: Any) -> typer.Typer:
    app = typer.Typer(add_completion=False)
    app.command(name, help=_escaped(_unwrapped(function.__doc__ or "")), short_help=_escaped(verb.summary))(function)
    return app


def _escaped(text: str) -> str:
    """The text without markup for rich, which is loaded only where there might be some."""
    if "[" not in text:
        return text
    from rich.markup import escape

    return escape(text)


def _unwrapped(text: str) -> str:
    """A docstring with one line per paragraph: Typer breaks lines where the docstring does otherwise."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in cleandoc(text).split("\n\n"))


application = typer.Typer(
    cls=LazyGroup, name="bugloss", help=SYNOPSIS, context_settings={"help_option_names": list(HELP)}
)


@application.callback()
def bugloss() -> None:
    """Without options of its own: ``--help`` and ``--version`` are answered before Typer is loaded."""
