"""What a bug must meet to be of use: a minimal fix, no hint at the answer, a report with its facts, whole labels.

What enters: a readable bug. What leaves: pairs of a file and what is wrong with it, as ``lint`` reports them.
"""

from __future__ import annotations

from bugloss.corpus.gates.conditions import check_conditions
from bugloss.corpus.gates.giveaways import check_giveaways
from bugloss.corpus.gates.labels import check_labels
from bugloss.corpus.gates.minimal_fix import check_minimal_fix
from bugloss.corpus.gates.reported_facts import check_reported_facts

GATES = (check_minimal_fix, check_giveaways, check_reported_facts, check_labels, check_conditions)
