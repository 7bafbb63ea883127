"""All facets in one place."""

from __future__ import annotations

from collections.abc import Mapping

from bugloss.core.taxonomy.bug_type import BugType
from bugloss.core.taxonomy.category import Category
from bugloss.core.taxonomy.edit_action import EditAction
from bugloss.core.taxonomy.fix_pattern import FixPattern
from bugloss.core.taxonomy.general_type import GeneralType
from bugloss.core.taxonomy.information import Information
from bugloss.core.taxonomy.label import Label
from bugloss.core.taxonomy.origin import Origin
from bugloss.core.taxonomy.symptom import SymptomType
from bugloss.core.taxonomy.violated_property import Property


def facets() -> Mapping[str, type[Label]]:
    """Every facet by name, in the order in which pages and tables show them."""
    ordered: tuple[type[Label], ...] = (
        Category,
        BugType,
        GeneralType,
        SymptomType,
        Property,
        FixPattern,
        EditAction,
        Information,
        Origin,
    )
    return {facet.facet(): facet for facet in ordered}
