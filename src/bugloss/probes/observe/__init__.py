"""The observing probe: watches a program train, from inside its process, without changing what it computes.

``python observe SETTINGS script.py`` runs it there (see ``runner``). It keeps to Python 3.6 and the standard library,
and its modules import each other relatively: in other people's processes the package goes by the name of
``bugloss_observe``, which no module of theirs has.
"""
