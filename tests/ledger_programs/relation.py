"""A relation, and a program that keeps it or breaks it."""

from __future__ import annotations

from dataclasses import dataclass

from forked_programs import Program

MARK = "@@"


@dataclass(frozen=True, slots=True)
class Relation:
    """``text`` is the program; its mark stands for the lines that keep the relation, or break it."""

    symptom: str
    cause: str
    text: str
    healthy: str
    spoilt: str
    line: str = ""  # what the line to change first contains

    def programs(self, name: str) -> dict[str, Program]:
        """Both programs, by the names under which they run."""
        assert MARK in self.text
        return {
            f"{name}-healthy": Program(self.text.replace(MARK, self.healthy)),
            f"{name}-spoilt": Program(self.text.replace(MARK, self.spoilt)),
        }
