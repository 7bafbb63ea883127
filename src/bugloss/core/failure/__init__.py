"""How a program failed, read once for every room.

What enters: any text (a log, a pasted traceback, a block of a report) or an exception that a run recorded. What
leaves: ``Failure`` values with the class, the telling sentence, the frames of the program and of its libraries, and the
place in the text. Front functions: ``traceback_text.read_failures`` and ``last_failure`` for texts, ``Failure.of`` for
exceptions, ``essence.essence`` for a message alone; ``message`` compares two messages.
"""
