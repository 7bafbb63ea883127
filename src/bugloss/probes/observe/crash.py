"""The crash report: the exception that ended a program, and the tensors that lived where it happened.

Nothing of the program is run for it: attributes are looked up in plain dictionaries, never through properties. Of a
tensor in the processor's memory the least and the largest value are read.
"""

import contextlib
import linecache
import os
import re
import traceback

MOST_OPERANDS = 30
MOST_FRAMES = 3
MOST_VALUES = 1000000  # of a tensor whose range is read: some milliseconds
NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")


def without(trace, is_ours):
    """A traceback without frames of ours. Before Python 3.7 only those at its beginning can be taken out."""
    while trace is not None and is_ours(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    point = trace
    while point is not None:
        following = point.tb_next
        while following is not None and is_ours(following.tb_frame.f_code.co_filename):
            following = following.tb_next
        if following is not point.tb_next:
            try:
                point.tb_next = following
            except (AttributeError, TypeError):
                return trace
        point = following
    return trace


def clean(error, is_ours):
    """Takes our frames out of an exception and of those that led to it."""
    waiting, seen = [error], set()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = without(one.__traceback__, is_ours)
        waiting.extend([one.__cause__, one.__context__])


def describe(error, trace):
    """Class, message and frames of an exception, outermost frame first."""
    kind = type(error)
    return {
        "kind": kind.__name__,
        "qualified": "%s.%s" % (kind.__module__, kind.__name__),
        "bases": [base.__name__ for base in kind.__mro__[1:-1]],
        "message": message(error),
        "frames": [
            {"path": frame[0], "line": frame[1], "function": frame[2], "text": frame[3] or ""}
            for frame in traceback.extract_tb(trace)
        ],
    }


def message(error):
    """The exception's own words; one that cannot say them does not take our record down with it."""
    try:
        words = str(error)
    except BaseException as second:
        return "<str() of the exception raised %s>" % type(second).__name__
    return words.encode("utf-8", "backslashreplace").decode("utf-8")


def report(recorder, error, trace):
    """The fields of a "crash" event."""
    operands, layer = [], ""
    with recorder.guard("the crash report"):
        points = list(walk(trace))
        layer = failing_layer(recorder, points)
        operands = gather(recorder, points)
    return {
        "exception": describe(error, trace), "operands": operands, "layer": layer, "step": recorder.step,
    }  # fmt: skip


def leaving(recorder, stop):
    """The fields of an "exit" event: a code that is not a number is a message, and stands for 1."""
    whole = isinstance(stop.code, int)
    places = [(frame.f_code.co_filename, line, frame.f_code.co_name) for frame, line in walk(stop.__traceback__)]
    own = [place for place in places if recorder.frames.owns(place[0])]
    refused = refusal(stop)
    said = refused or ("" if whole else message(stop.code))
    return {
        "code": int(stop.code) if whole else 1, "message": said, "site": recorder.site_of(own[-1] if own else None),
        "refused": bool(refused),
    }  # fmt: skip


def refusal(stop):
    """What a parser of the command line objects to, if that is why the program ends."""
    for frame, _ in walk(stop.__traceback__):
        if frame.f_code.co_name == "error" and os.path.basename(frame.f_code.co_filename) == "argparse.py":
            return message(frame.f_locals.get("message", ""))
    usage = stop.__context__  # click reports its own exception, then leaves
    return message(usage) if type(usage).__module__.startswith("click") and hasattr(usage, "exit_code") else ""


def walk(trace):
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def failing_layer(recorder, points):
    """The innermost layer whose own code was running."""
    for frame, _ in reversed(points):
        code = frame.f_code
        owner = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        for namer in recorder.namers if owner is not None else ():
            with contextlib.suppress(Exception):
                name = namer(owner)
                if name:
                    return name
    return ""


def gather(recorder, points):
    """Operands of the user's innermost frames, then of the library's frames below them; innermost frame first."""
    chosen, users = [], 0
    for frame, line in reversed(points):
        owned = recorder.frames.owns(frame.f_code.co_filename)
        users += owned
        if users > MOST_FRAMES:
            break
        # Below the user's line only what computes with tensors matters: the frames of layers and of functions.
        chosen.append((frame, line, owned))
    if not users:
        chosen = chosen[:MOST_FRAMES]
    found, seen = [], set()
    for frame, line, owned in sorted(chosen, key=lambda one: not one[2]):  # a deep library must not crowd them out
        path = recorder.frames.site_of((frame.f_code.co_filename, line, ""))["path"]
        for name, value in operands_of(frame, line, owned):
            if (path, name) not in seen and len(found) < MOST_OPERANDS:
                seen.add((path, name))
                found.append(operand(name, value, path, line))
    return found


def operands_of(frame, line, owned):
    """Tensors that the failing line names, then those in the other local variables."""
    places = [frame.f_locals, frame.f_globals]
    for name in NAME.findall(statement(frame, line)):
        for found in tensors(name, resolve(name, places)):
            yield found
    for name, value in list(frame.f_locals.items()):
        for found in tensors(name, value, deep=False):
            yield found


def statement(frame, line):
    """The failing line, and those after it until its brackets close."""
    filename, text = frame.f_code.co_filename, ""
    for number in range(line, line + 6):
        text += linecache.getline(filename, number)
        if text.count("(") <= text.count(")") and text.count("[") <= text.count("]"):
            break
    return text


def resolve(name, places):
    """The object that a dotted name stands for, found without running any code, or None."""
    parts = name.split(".")
    value = next((place[parts[0]] for place in places if parts[0] in place), None)
    for part in parts[1:]:
        owned = getattr(value, "__dict__", None)
        if not isinstance(owned, dict):
            return None
        holders = [owned] + [owned[key] for key in ("_modules", "_parameters", "_buffers") if key in owned]
        value = next((holder[part] for holder in holders if part in holder), None)
        if value is None:
            return None
    return value


def tensors(name, value, deep=True):
    """The tensors in a value: itself, its items, or the weights of a layer."""
    if value is None or isinstance(value, (str, bytes, int, float, type)):
        return
    if is_tensor(value):
        yield name, value
    elif isinstance(value, (list, tuple)):
        for position, part in enumerate(value[:4]):
            if is_tensor(part):
                yield "%s[%d]" % (name, position), part
    elif isinstance(value, dict):
        for key, part in list(value.items())[:8]:
            if is_tensor(part):
                yield "%s[%r]" % (name, key), part
    elif deep:
        for found in weights(name, value):
            yield found


def weights(name, layer):
    """Own weights of a PyTorch module or a Keras layer."""
    owned = getattr(layer, "__dict__", None)
    if not isinstance(owned, dict):
        return
    parameters = owned.get("_parameters")
    if isinstance(parameters, dict):
        named = list(parameters.items())
    else:
        listed = owned.get("_trainable_variables") or owned.get("_trainable_weights") or []
        named = [(getattr(part, "name", str(place)), part) for place, part in enumerate(listed)]
    for label, part in named[:6]:
        if part is not None and is_tensor(part):
            yield "%s.%s" % (name, label), part


def is_tensor(value):
    try:
        return hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, type)
    except Exception:
        return False


def operand(name, value, path, line):
    low, high = range_of(value)
    return {
        "name": name, "shape": shape_of(value), "dtype": short_dtype(value.dtype), "low": low, "high": high,
        "device": str(getattr(value, "device", "") or ""), "line": line, "path": path,
    }  # fmt: skip


def range_of(value):
    """The least and the largest value, or nothing: of large, remote and symbolic tensors none is read."""
    try:
        count = 1
        for size in value.shape:
            count *= int(size)
        if not 0 < count <= MOST_VALUES or getattr(getattr(value, "device", None), "type", "cpu") != "cpu":
            return None, None
        if hasattr(value, "detach"):
            value = value.detach()
        elif hasattr(value, "numpy"):
            value = value.numpy()
        low, high = float(value.min()), float(value.max())
    except Exception:
        return None, None
    finite = low - low == 0 and high - high == 0
    return (low, high) if finite else (None, None)


def shape_of(value):
    """Sizes; an axis of unknown size is -1."""
    try:
        return [-1 if size is None else int(size) for size in value.shape]
    except Exception:
        return []


def short_dtype(dtype):
    """float32, whichever framework says it."""
    name = getattr(dtype, "name", None) or str(dtype)
    return str(name).replace("torch.", "")
