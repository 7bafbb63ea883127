"""Where a value of a program comes from: the line that a person would change.

Front: ``origins.origin_of``. From a use back through assignments, parameters, attributes, settings, returned values and
loops, across the files of a ``Project``, to the literal or call that made the value. Nothing is interpreted.
"""
