"""Numbers that a program prints, with the words before them: what a person reads about the training.

``write`` of the standard output is watched, not ``print``: compilers of frameworks know ``print`` by its identity.
"""

import re
import sys

MOST_LINES = 2000
MOST_NUMBERS = 400
LONGEST = 400
WORD = re.compile(r"[a-z0-9]+")
NUMBER = re.compile(r"([A-Za-z][\w ./()@-]*?)?[\s:=|]*([-+]?\d+\.\d+(?:[eE][-+]?\d+)?|[-+]?\d+(?=\s?%))\s?(%?)")


def install(recorder):
    """Begins to read along. Returns an undo."""
    stream = sys.stdout
    original = getattr(stream, "write", None)
    if original is None:
        return lambda: None
    reader = PrintedNumbers(recorder)

    def write(text, *arguments):
        reader.read(text)
        return original(text, *arguments)

    try:
        stream.write = write
    except (AttributeError, TypeError):  # a stream that cannot be extended
        return lambda: None

    def undo():
        if getattr(stream, "__dict__", {}).get("write") is write:
            del stream.write

    return undo


class PrintedNumbers(object):
    """Notes numbers with a point, or with a percent sign, in the order in which they are printed."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.lines = self.numbers = 0
        self.line = ""  # print writes its arguments one by one

    def read(self, text):
        if not self.recorder.active or self.numbers >= MOST_NUMBERS or self.lines >= MOST_LINES:
            return
        if not isinstance(text, str) or len(text) > LONGEST:
            return
        self.line = (self.line + text)[-LONGEST:]
        if "\n" in text or "\r" in text:
            line, self.line = self.line, ""
            self.lines += 1
            if "." in line or "%" in line:
                with self.recorder.guard("a printed line"):
                    self.note(line)

    def note(self, line):
        place = self.recorder.place(2)
        for name, number, sign in NUMBER.findall(line)[:12]:
            words = " ".join([word for word in WORD.findall(name.lower()) if not word.isdigit()][-4:])
            if not words or place is None:
                continue
            self.numbers += 1
            digits = len(number.partition(".")[2].partition("e")[0])
            self.recorder.emit(
                "printed", step=self.recorder.step, name=words, value=float(number), digits=digits, percent=bool(sign),
                site=self.recorder.site_of(place),
            )  # fmt: skip
