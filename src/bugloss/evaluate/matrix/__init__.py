"""The tool × bug matrix: cells as they were answered, the truth they are graded by, scores, comparisons, layouts.

What enters: cells and facts about bugs. What leaves: scores with intervals and the document ``bugloss.evaluation/1``.
Nothing is run here, so that every score can be computed again from stored cells.
"""
