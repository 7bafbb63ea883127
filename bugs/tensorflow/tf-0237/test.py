"""Healthy: the program writes its file and ends, for which ten seconds are plenty."""

import os
import signal
import tempfile

import export_texts
import oracle


class TooLong(Exception):
    pass


def stop(number, frame):
    raise TooLong()


def rows_within_time(seed):
    path = os.path.join(tempfile.mkdtemp(), "texts.json")
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(10)
    try:
        export_texts.export(path, seed)
    except TooLong:
        return False
    finally:
        signal.alarm(0)
    return os.path.exists(path)


oracle.value("the file is written within ten seconds", rows_within_time, equals=True)
