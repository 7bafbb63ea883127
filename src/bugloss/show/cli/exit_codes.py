"""The exit codes of every verb, as ``interfaces.md`` fixes them."""

FINE = 0
FINDINGS = 1
USAGE = 2
ENVIRONMENT = 3
INCONCLUSIVE = 4
INTERRUPTED = 130


class Answered(int):
    """The exit code of a verb that has said all there is to say, also where it is that of an interruption."""
