"""One page per rule of ``bugloss check``, and the list of them."""

from __future__ import annotations

from bugloss.check.contract import Rule
from bugloss.check.running.inspection import all_rules
from bugloss.check.running.problems import PROBLEMS
from bugloss.show.formats.explanation import markdown, summary

HEADER = """\
# Rules

What `bugloss check` finds. An *error* makes the run crash or gives wrong results, a *warning* usually does, *advice*
may help; only the first two change the exit code. Choose with `--select` and `--ignore` by rule, group or category; to
ignore a rule on one line, write `# bugloss: ignore[rule]` there.
"""

PROBLEM_HEADER = """\
## Problems of whole files

Always reported, whatever `--select` says, so that no file is skipped silently; `--ignore` turns them into remarks.
"""


def pages() -> dict[str, str]:
    """File name to text: the list, then a page for each rule."""
    rules = all_rules()
    explained = (*rules, *PROBLEMS)
    return {"rules/README.md": index(rules), **{f"rules/{rule.name}.md": page(rule) for rule in explained}}


def index(rules: tuple[Rule, ...]) -> str:
    rows = [f"| {' | '.join(cells(rule))} |" for rule in rules]
    table = ["| rule | severity | category | groups | what it finds |", "| --- | --- | --- | --- | --- |", *rows]
    problems = [f"| {' | '.join(cells(problem))} |" for problem in PROBLEMS]
    return "\n".join([HEADER, f"{len(rules)} rules.", "", *table, "", PROBLEM_HEADER, *table[:2], *problems, ""])


def cells(rule: Rule) -> tuple[str, ...]:
    link = f"[{rule.name}]({rule.name}.md)"
    return (link, rule.severity.value, rule.category.value, groups(rule), summary(rule))


def page(rule: Rule) -> str:
    """The rule's own explanation under its facts."""
    facts = f"{rule.severity.value} · {rule.category.title} · fix pattern: {rule.fix_pattern.title}"
    named = f" · groups: {groups(rule)}" if rule.groups else ""
    return f"# {rule.name}\n\n{facts}{named}\n\n{markdown(rule)}\n"


def groups(rule: Rule) -> str:
    return ", ".join(rule.groups)
