"""Every relation is proved in both frameworks: some program without the fault, and one with it that breaks it."""

from __future__ import annotations

import pytest
from probes import test_property_keras, test_property_torch, test_relations

from bugloss.probes.observe.relations import load

# A relation that no program can break in a framework, and why.
EXCEPTIONS = {
    "robustness": {
        "torch": "nothing has to agree: test_relations compares its numbers instead",
        "keras": "nothing has to agree: test_relations compares its numbers instead",
    },
}
PROVED = {
    "torch": {
        *test_relations.BREAKS["torch"].values(),
        *(name for broken in test_property_torch.BROKEN.values() for name in broken),
    },
    "keras": {
        *test_relations.BREAKS["keras3"].values(),
        *test_relations.BREAKS["keras2-tf1"].values(),
        *(name for broken in test_property_keras.BROKEN.values() for name in broken),
    },
}


@pytest.mark.parametrize("framework", PROVED)
def test_a_spoilt_program_breaks_every_relation_that_can_be_broken(framework: str) -> None:
    names = {name for name, _ in load()}  # type: ignore[no-untyped-call]
    excused = {name for name, reasons in EXCEPTIONS.items() if framework in reasons}
    assert sorted(names - PROVED[framework] - excused) == [], "relations without a spoilt program"
    assert sorted(excused & PROVED[framework]) == [], "exceptions that are proved"
    assert sorted((PROVED[framework] | excused) - names) == [], "names that no relation has"
