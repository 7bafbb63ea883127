"""What dlRepro's paper prints in Tables 5 to 8 (version with 85 bugs), and where that cannot be right."""

from __future__ import annotations

from dataclasses import dataclass

_TABLES: dict[int, dict[tuple[str, str], float]] = {
    5: {("", "Training"): 26, ("", "Model"): 20, ("", "API"): 11, ("", "GPU"): 3, ("", "Tensor"): 21, ("", "Mixed"): 4},
    6: {
        ("", "Data"): 0.729, ("", "Model"): 0.647, ("", "Hyperparameters"): 0.527, ("", "Code snippet"): 0.788,
        ("", "Logs"): 0.858,
    },
    7: {
        ("Training", "Code snippet"): 0.9231, ("Training", "Logs"): 0.8477, ("Training", "Data"): 0.8077,
        ("Model", "Logs"): 0.80, ("Model", "Model"): 0.70, ("Model", "Code snippet"): 0.70,
        ("Tensor", "Data"): 0.9524, ("Tensor", "Logs"): 0.8571, ("Tensor", "Code snippet"): 0.6667,
        ("API", "Logs"): 0.9091, ("API", "Code snippet"): 0.8182, ("API", "Model"): 0.7271,
    },
    8: {
        ("Training", "Input data generation"): 0.6154, ("Training", "Import addition"): 0.4231,
        ("Training", "Version migration"): 0.3477, ("Training", "Hyperparameter initialization"): 0.3077,
        ("Training", "Compiler error resolution"): 0.2692,
        ("Model", "Neural network construction"): 0.75, ("Model", "Import addition"): 0.55,
        ("Model", "Hyperparameter initialization"): 0.50, ("Model", "Logging"): 0.45,
        ("Model", "Dataset procurement"): 0.40,
        ("Tensor", "Import addition"): 0.4545, ("Tensor", "Input data generation"): 0.3636,
        ("Tensor", "Hyperparameter initialization"): 0.3636, ("Tensor", "Dataset procurement"): 0.2727,
        ("Tensor", "Logging"): 0.1818,
        ("API", "Input data generation"): 0.5714, ("API", "Hyperparameter initialization"): 0.5238,
        ("API", "Import addition"): 0.4762, ("API", "Logging"): 0.4286, ("API", "Obsolete parameter removal"): 0.3333,
    },
}  # fmt: skip
_REMARKS = {
    5: ("The transactions do not contain architectures, so the paper's list of them is not rebuilt.",),
    8: ("The paper's columns Tensor and API are swapped: each shows the data of the other.",),
}
_TOLERANCE = {6: 0.00051}  # half a unit of the last printed digit
_FOUR_DIGITS = 0.000051


@dataclass(frozen=True, slots=True)
class Printed:
    """The printed side of the tables of one scope; the paper that we have prints only the 85."""

    tables: dict[int, dict[tuple[str, str], float]]

    def has(self, number: int, group: str, item: str) -> bool:
        """Whether the paper lists the entry."""
        return (group, item) in self.tables.get(number, {})

    def entry(self, number: int, group: str, item: str, value: float) -> tuple[float | None, str]:
        """What the paper prints, and a remark where the data say something else."""
        printed = self.tables.get(number, {}).get((group, item))
        if printed is None:
            return None, "not printed" if self._is_listed(number, group) else ""
        if abs(printed - value) <= _TOLERANCE.get(number, _FOUR_DIGITS):
            return printed, ""
        return printed, self._why(number, group, item, value)

    def remarks(self, number: int) -> tuple[str, ...]:
        """What is to be said of a whole table."""
        return _REMARKS.get(number, ()) if self.tables else ()

    def _is_listed(self, number: int, group: str) -> bool:
        return any(listed == group for listed, _ in self.tables.get(number, {}))

    def _why(self, number: int, group: str, item: str, value: float) -> str:
        other = {"Tensor": "API", "API": "Tensor"}.get(group)
        if number == 8 and other is not None:
            elsewhere = self.tables[8].get((other, item))
            if elsewhere is not None and abs(elsewhere - value) <= _FOUR_DIGITS:
                return f"printed under {other}"
            return "columns swapped"
        return "misprint"


def printed_tables(scope: str) -> Printed:
    """The printed tables of a scope; empty where our copy of the paper has none."""
    return Printed(_TABLES if scope == "85" else {})
