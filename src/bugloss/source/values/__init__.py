"""Abstract values and what can be computed with them: shapes, constants, ranges, calls with their operands."""
