"""Reports come in: a file, standard input, a Stack Overflow question or a GitHub issue enters, a ``Reading`` leaves.

``given.read_report`` finds out what it was given and makes a ``Report`` of it; ``reading.take_apart`` splits the
report into blocks and finds the facts that it states. Reports are foreign text: nothing in them is run or obeyed,
however large or broken they are.
"""
