"""Runs an outside command as a sandboxed program; its exit code is passed on."""

import subprocess
import sys


def main(command):
    try:
        return subprocess.call(command, stdin=subprocess.DEVNULL)
    except OSError as error:
        sys.stderr.write("%s cannot be started: %s\n" % (command[0], error.strerror))
        return 127


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
