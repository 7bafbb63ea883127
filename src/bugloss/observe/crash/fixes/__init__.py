"""From a crash that is understood to the edit that removes it, as far as values and text tell.

What enters: the scene of a crash and how its message fits a pattern. What leaves: edits of the user's program. Fixes
are found by the cause that the pattern names (``table``). A fix that is not certain is none.
"""
