"""Other people's benchmarks: readers of their layouts, and the list of those that the user added.

What enters: a folder or file that somebody else made. What leaves: ``ForeignBug`` objects. Nothing is copied or run;
the programs stay where they are. Front functions: ``sources.add_source``, ``sources.bugs_of`` and ``sources.find_bug``.
"""
