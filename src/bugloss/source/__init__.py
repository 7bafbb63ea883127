"""A person's program, read once for every room.

What enters: the text of a Python file or notebook. What leaves: a ``Program``: its syntax tree and names, its values
followed abstractly (constant, shape, dtype, range, encoding, origin), its networks and its training loops. Nothing is
executed and no framework is imported. Front: ``program.Program``, made from a ``text.source_file.SourceFile``.
"""
