"""Runs the test of a foreign benchmark in its program's folder: ``foreign_test.py script|pytest|unittest ARGUMENTS``.

It replaces the command line of a shell that a benchmark states, and runs on any Python from 3.6. The exit code is that
of the script or of the test runner.
"""

import os
import runpy
import sys


def main():
    runner, arguments = sys.argv[1], sys.argv[2:]
    # Projects with a folder src expect to be installed; nothing is installed here, so their packages are found there.
    if os.path.isdir("src") and not os.path.exists(os.path.join("src", "__init__.py")):
        sys.path.insert(1, os.path.abspath("src"))
    if runner == "script":
        sys.argv = arguments
        sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
        runpy.run_path(arguments[0], run_name="__main__")
    else:
        sys.argv = [runner] + arguments
        runpy.run_module(runner, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
