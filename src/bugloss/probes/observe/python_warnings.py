"""Python's warnings, noted as occasions and passed on unchanged."""

import contextlib
import warnings

UNTELLING = ("PendingDeprecationWarning", "ImportWarning", "ResourceWarning", "BytesWarning")
MOST = 60


def install(recorder):
    """Notes every warning that Python would show. Returns an undo."""
    shown = getattr(warnings, "_showwarnmsg", None)  # both ways to show a warning go through it
    if shown is None:
        return lambda: None
    seen = {}

    def _showwarnmsg(msg):
        with recorder.guard("noting a warning"):
            note(recorder, seen, msg)
        shown(msg)

    warnings._showwarnmsg = _showwarnmsg

    def undo():
        with contextlib.suppress(AttributeError):
            if warnings._showwarnmsg is _showwarnmsg:
                warnings._showwarnmsg = shown

    return undo


def note(recorder, seen, msg):
    category = getattr(msg.category, "__name__", str(msg.category))
    text = str(msg.message).strip().split("\n")[0][:400]
    key = (category, text)
    if category in UNTELLING or not recorder.active or (key not in seen and len(seen) >= MOST):
        return
    # The same words again at the same place are counted, in other places they are a line of their own.
    place = seen.setdefault(key, recorder.place(2))
    recorder.occasion("warning", place, message=text, category=category, file=str(msg.filename), line=int(msg.lineno))
