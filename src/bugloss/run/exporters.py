"""Stacks written as requirements, conda environments and Dockerfiles."""

from __future__ import annotations

import json
from dataclasses import dataclass

from bugloss.stacks.pip_options import pip_options
from bugloss.stacks.stack import Stack


@dataclass(frozen=True, slots=True)
class Requirements:
    """A pip requirements file with exact pins."""

    name: str = "requirements"
    filename: str = "requirements.txt"

    def render(self, stack: Stack) -> str:
        return f"# bugloss stack '{stack.name}', Python {stack.python[0]}\n" + "\n".join(
            (*pip_options(stack), *stack.packages, "")
        )


@dataclass(frozen=True, slots=True)
class Conda:
    """A conda environment: the interpreter from conda-forge, the pins through pip."""

    name: str = "conda"
    filename: str = "environment.yml"

    def render(self, stack: Stack) -> str:
        pins = [f"      - {line}" for line in (*pip_options(stack), *stack.packages)]
        # A JSON string is a YAML string; unquoted, "1" and "off" would be a number and a truth value.
        variables = [f"  {name}: {json.dumps(value)}" for name, value in stack.variables.items()]
        lines = [
            f"name: bugloss-{stack.name}",
            "channels:",
            "  - conda-forge",
            "  - nodefaults",
            "dependencies:",
            f"  - python={stack.python[0]}",
            "  - pip",
            "  - pip:",
            *pins,
            *(["variables:", *variables] if variables else []),
        ]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Docker:
    """A Dockerfile that holds the stack and runs a checkout's test as an ordinary user."""

    name: str = "docker"
    filename: str = "Dockerfile"

    def render(self, stack: Stack) -> str:
        options = [f"      {option} \\" for option in pip_options(stack)]
        pins = " \\\n".join(f'      "{package}"' for package in stack.packages)
        variables = ["PYTHONHASHSEED=0", "OMP_NUM_THREADS=1", "TZ=UTC", "LC_ALL=C.UTF-8"]
        variables += [f'{name}="{_escape(value)}"' for name, value in stack.variables.items()]
        lines = [
            f"# bugloss stack '{stack.name}': {stack.title}.",
            "# Beside a checkout:  docker build -t bug . && docker run --rm --network none bug",
            f"FROM python:{stack.python[0]}-slim",
            "RUN pip install --no-cache-dir \\",
            *options,
            pins,
            "ENV " + " \\\n    ".join(variables),
            # WORKDIR alone would make a folder of root's, where the program could write nothing.
            "RUN useradd --create-home --uid 1000 subject && install --directory --owner=1000 /home/subject/work",
            "WORKDIR /home/subject/work",
            "COPY --chown=1000 . .",
            "USER 1000",
            'CMD ["python", "test.py"]',
        ]
        return "\n".join(lines) + "\n"


def _escape(value: str) -> str:
    """A value between a Dockerfile's double quotes."""
    return "".join(f"\\{letter}" if letter in '\\"$' else letter for letter in value)
