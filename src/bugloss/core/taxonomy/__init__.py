"""The words for deep-learning bugs: nine facets, each a closed set of labels with definition and source."""

from __future__ import annotations

from bugloss.core.taxonomy.bug_type import BugType
from bugloss.core.taxonomy.catalogue import facets
from bugloss.core.taxonomy.category import Category
from bugloss.core.taxonomy.edit_action import EditAction
from bugloss.core.taxonomy.fix_pattern import FixPattern
from bugloss.core.taxonomy.general_type import GeneralType
from bugloss.core.taxonomy.information import Information
from bugloss.core.taxonomy.label import Label, LabelDefinition
from bugloss.core.taxonomy.origin import Origin
from bugloss.core.taxonomy.source import Source
from bugloss.core.taxonomy.symptom import SymptomType
from bugloss.core.taxonomy.violated_property import Property

__all__ = [
    "BugType",
    "Category",
    "EditAction",
    "FixPattern",
    "GeneralType",
    "Information",
    "Label",
    "LabelDefinition",
    "Origin",
    "Property",
    "Source",
    "SymptomType",
    "facets",
]
