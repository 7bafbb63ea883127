"""``bugloss rule``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.columns import show_columns
from bugloss.show.cli.options import JsonOption
from bugloss.show.cli.output import console, print_json

if TYPE_CHECKING:
    from bugloss.check.contract import Rule


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The name of a rule. Default: list all rules.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Explain a rule of `bugloss check`, or list all rules."""
    from bugloss.check.running.inspection import all_rules
    from bugloss.check.running.problems import PROBLEMS
    from bugloss.core.errors import InvalidInput
    from bugloss.core.suggestion import did_you_mean

    rules: dict[str, Rule] = {rule.name: rule for rule in (*all_rules(), *PROBLEMS)}
    if name is not None and name not in rules:
        raise InvalidInput(
            f"there is no rule '{name}'.", hint=did_you_mean(name, rules) or "List the rules: bugloss rule"
        )
    chosen = [rules[name]] if name else list(all_rules())
    if json:
        print_json("rules", {"rules": [_document(rule) for rule in chosen]})
    elif name:
        _explain(rules[name])
    else:
        show_columns(("rule", "severity", "category", "what it finds"), [_row(rule) for rule in chosen])


def _row(rule: Rule) -> tuple[str, ...]:
    from bugloss.show.formats.explanation import summary

    return (rule.name, rule.severity.value, rule.category.value, summary(rule))


def _document(rule: Rule) -> dict[str, object]:
    from bugloss.show.formats.explanation import markdown, summary

    return {
        "rule": rule.name,
        "severity": rule.severity,
        "category": rule.category,
        "fix_pattern": rule.fix_pattern,
        "groups": rule.groups,
        "summary": summary(rule),
        "explanation": markdown(rule),
    }


def _explain(rule: Rule) -> None:
    from rich.markdown import Markdown
    from rich.text import Text

    from bugloss.show.formats.explanation import markdown

    screen = console()
    groups = f", groups {', '.join(rule.groups)}" if rule.groups else ""
    screen.print(
        Text.assemble(
            (rule.name, "bold"),
            f"  {rule.severity.value}, {rule.category.title}, fix: {rule.fix_pattern.title}{groups}\n",
        )
    )
    screen.print(Markdown(markdown(rule)))
