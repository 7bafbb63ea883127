"""Where the labels come from."""

from __future__ import annotations

from enum import Enum
from typing import Self


class Source(Enum):
    """The papers and data sets that the labels were taken from. The value is the key that links and JSON use."""

    def __new__(cls, key: str, *_: object) -> Self:
        source = object.__new__(cls)
        source._value_ = key
        return source

    def __init__(self, key: str, authors: str, title: str, venue: str, year: int | None, url: str) -> None:
        self.key = key
        self.authors = authors
        self.title = title
        self.venue = venue
        self.year = year
        self.url = url

    @property
    def citation(self) -> str:
        """How running text and tables name it: authors and year."""
        return f"{self.authors}, {self.year}" if self.year else self.authors

    def __str__(self) -> str:
        return self.key

    HUMBATOVA = (
        "humbatova",
        "Humbatova et al.",
        "Taxonomy of Real Faults in Deep Learning Systems",
        "ICSE",
        2020,
        "https://doi.org/10.1145/3377811.3380395",
    )
    DEFECT4ML = (
        "defect4ml",
        "Morovati et al.",
        "Bugs in Machine Learning-based Systems: A Faultload Benchmark",
        "Empirical Software Engineering",
        2023,
        "https://doi.org/10.1007/s10664-023-10291-1",
    )
    DEFECT4ML_DATA = (
        "defect4ml-data",
        "defect4ML data",
        "defects4ml: the public data of the faultload benchmark (100 bugs)",
        "GitHub",
        None,
        "https://github.com/mohmehmo/defects4ml",
    )
    GDEFECTS4DL = (
        "gdefects4dl",
        "Liang et al.",
        "gDefects4DL: A Dataset of General Real-World Deep Learning Program Defects",
        "ICSE Companion",
        2022,
        "https://doi.org/10.1145/3510454.3516826",
    )
    BUG_CHARACTERISTICS = (
        "bug-characteristics",
        "Islam et al.",
        "A Comprehensive Study on Deep Learning Bug Characteristics",
        "ESEC/FSE",
        2019,
        "https://doi.org/10.1145/3338906.3338955",
    )
    DNN_REPAIR = (
        "dnn-repair",
        "Islam et al.",
        "Repairing Deep Neural Networks: Fix Patterns and Challenges",
        "ICSE",
        2020,
        "https://doi.org/10.1145/3377811.3380378",
    )
    ML_TESTING = (
        "ml-testing",
        "Zhang et al.",
        "Machine Learning Testing: Survey, Landscapes and Horizons",
        "IEEE Transactions on Software Engineering",
        2020,
        "https://doi.org/10.1109/TSE.2019.2962027",
    )
    DLREPRO = (
        "dlrepro",
        "Shah et al.",
        "Towards Enhancing the Reproducibility of Deep Learning Bugs: An Empirical Study",
        "Empirical Software Engineering",
        2024,
        "https://arxiv.org/abs/2401.03069",
    )
    EXTRINSIC_BUGS = (
        "extrinsic-bugs",
        "Rodríguez-Pérez et al.",
        (
            "Watch out for Extrinsic Bugs! A Case Study of their Impact in Just-In-Time Bug Prediction Models "
            "on the OpenStack project"
        ),
        "IEEE Transactions on Software Engineering",
        2020,
        "https://arxiv.org/abs/2103.15180",
    )
    BUG_LOCALIZATION = (
        "bug-localization",
        "Jahan et al.",
        "Towards Understanding the Challenges of Bug Localization in Deep Learning Systems",
        "Empirical Software Engineering",
        2025,
        "https://doi.org/10.1007/s10664-025-10707-0",
    )
    BUGLOSS = ("bugloss", "bugloss", "Labels of our own, where no published one fits", "", None, "")
