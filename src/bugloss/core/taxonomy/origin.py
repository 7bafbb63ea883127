"""Whether a bug came from inside the project or reached it from outside."""

from __future__ import annotations

from bugloss.core.taxonomy.label import Label
from bugloss.core.taxonomy.source import Source


class Origin(Label):
    """Where a bug comes from: a change in the project's own code, or one of five things outside it."""

    @property
    def extrinsic(self) -> bool:
        """Whether the cause is outside the project's version control."""
        return self is not Origin.INTRINSIC

    INTRINSIC = (
        "intrinsic",
        "Intrinsic",
        "A change recorded in the project's own version control brought the bug in.",
        Source.EXTRINSIC_BUGS,
    )
    ENVIRONMENT = (
        "environment",
        "Environment",
        "What the software runs on has changed or differs: operating system, machine set-up, cloud service.",
        Source.EXTRINSIC_BUGS,
    )
    REQUIREMENT = (
        "requirement",
        "Requirement",
        "The requirements of the software have changed, and behaviour that was right became wrong.",
        Source.EXTRINSIC_BUGS,
    )
    THIRD_PARTY_LIBRARY = (
        "third-party-library",
        "Third-party library",
        "A library that the project depends on is faulty, or its installed release is incompatible.",
        Source.EXTRINSIC_BUGS,
    )
    HARDWARE = (
        "hardware",
        "Hardware",
        "A device or its driver is the cause: an accelerator that is unsupported, too small or set up differently.",
        Source.BUG_LOCALIZATION,
    )
    DATA = (
        "data",
        "Data",
        "The data are the cause, not the code: wrongly labelled, damaged, missing or changed at their origin.",
        Source.BUG_LOCALIZATION,
    )
