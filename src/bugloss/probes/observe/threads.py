"""Threads that train at the same time: one of them is followed, for steps of two do not make one story."""

import threading

SECOND = "second-training-thread"  # an occasion


class TrainingThread(object):
    """The first thread that computes gradients, until it is over. Before, whatever any thread does is seen."""

    def __init__(self):
        self.ident = None
        self.thread = None

    def trains(self):
        if self.ident is None:
            self.ident, self.thread = threading.get_ident(), threading.current_thread()

    def is_here(self):
        """Whether what this thread does is to be noted."""
        if self.ident is None or self.ident == threading.get_ident():
            return True
        if not self.thread.is_alive():
            self.ident = self.thread = None
            return True
        # A framework's own threads, in which hooks run where a device computes gradients.
        return threading.get_ident() not in threading._active


def is_over(ident):
    """Whether no thread of Python has this number now."""
    return all(thread.ident != ident for thread in threading.enumerate())
