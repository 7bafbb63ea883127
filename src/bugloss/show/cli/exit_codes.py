"""The exit codes of every verb, as ``interfaces.md`` fixes them."""

FINE = 0
FINDINGS = 1
USAGE = 2
ENVIRONMENT = 3
INCONCLUSIVE = 4
INTERRUPTED = 130
