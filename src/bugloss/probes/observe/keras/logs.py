"""Warnings that TensorFlow writes to its log, noted as occasions; every line passes."""

import logging

MOST_WARNINGS = 40
LOGS = ("tensorflow", "absl")


def install(recorder):
    """Listens to the logs. Returns an undo."""
    noted = NotedWarnings(recorder)
    for name in LOGS:
        logging.getLogger(name).addFilter(noted)

    def undo():
        for name in LOGS:
            logging.getLogger(name).removeFilter(noted)

    return undo


class NotedWarnings(logging.Filter):
    """A filter that keeps nothing back."""

    def __init__(self, recorder):
        super(NotedWarnings, self).__init__()
        self.recorder = recorder
        self.seen = set()

    def filter(self, record):
        if record.levelno >= logging.WARNING and self.recorder.active and len(self.seen) < MOST_WARNINGS:
            with self.recorder.guard("a line of the log"):
                text = record.getMessage().strip().split("\n")[0][:400]
                if text and text not in self.seen and "deprecated" not in text:
                    self.seen.add(text)
                    self.tell(text, record.name)
        return True

    def tell(self, text, name):
        facts = {"message": text, "category": "log of " + name}
        site = self.recorder.site(2)
        self.recorder.emit("occasion", kind="warning", step=self.recorder.step, count=1, site=site, facts=facts)
