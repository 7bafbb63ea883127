"""FILL IN what healthy means, in one sentence."""

import oracle
import program

oracle.survives(program.run)
