"""The process of a job: the command line of bugloss, which ends when the server that started it is gone.

The server holds the other end of standard input and writes nothing to it. Its end, also by SIGKILL, closes the pipe.
"""

from __future__ import annotations

import os
import signal
import sys
import threading


def end_with_the_server(pipe: int) -> None:
    """Waits until the pipe is closed, then ends this process and its group."""
    while os.read(pipe, 1):
        pass
    os.killpg(os.getpgid(0), signal.SIGKILL)


def main() -> None:
    """Runs the command line that this process was started with."""
    pipe = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.set_inheritable(pipe, False)
    threading.Thread(target=end_with_the_server, args=(pipe,), daemon=True).start()
    from bugloss.show.cli.main import run

    sys.argv[0] = "bugloss"
    run()


if __name__ == "__main__":
    main()
