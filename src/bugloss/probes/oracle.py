"""What a bug's ``test.py`` calls to say whether the program beside it is healthy.

The same file serves three places: a checkout (run ``python test.py`` and read the exit code), the
sandbox (each measurement also goes, as a JSON line, over the channel that ``launch.py`` offers; elsewhere to
``$BUGLOSS_EVIDENCE``), and bugloss itself, which recomputes verdicts from those lines. So it imports nothing but the
standard library and avoids syntax newer than Python 3.6.
"""

import ctypes
import gc
import json
import os
import random
import sys
import time

SIGNIFICANCE = 0.05

# As they were before the program ran: one that empties os.environ is measured all the same.
_AT_IMPORT = {name: os.environ[name] for name in ("BUGLOSS_EVIDENCE", "BUGLOSS_SEED") if name in os.environ}


class Failed(AssertionError):
    """The program shows the fault."""


class Undecided(Exception):
    """The measurements allow no verdict."""


def _verdicts(record, plain):
    """The four questions that a test can ask; ``record`` takes what was measured: numbers, and no opinion on them."""

    def survives(run, *arguments):
        """Healthy when ``run`` comes back; what it raises is the failure."""
        seed_everything(base_seed())
        result = run(*arguments)
        record({"oracle": "exception", "survived": True})
        print("pass: the program ran without an exception")
        return result

    def measured(kind, measure, seed):
        seed_everything(seed)
        observed = plain(measure(seed))
        record({"oracle": kind, "seed": seed, "value": observed})
        return observed

    def value(name, measure, at_least=None, at_most=None, equals=None):
        """Healthy when one measurement, ``measure(seed)``, meets the stated bound."""
        bound = _bound(at_least, at_most, equals)
        observed = measured("value", measure, base_seed())
        verdict = "pass" if meets(observed, bound) else "fail"
        _conclude(verdict, "%s is %s; healthy is %s" % (name, observed, _words(bound)))

    def symptom(name, measure, at_least=None, at_most=None, seeds=6):
        """Healthy when ``measure(seed)`` meets the bound over seeds; settled by a sign test."""
        bound = _bound(at_least, at_most, None)
        healthy = 0
        for seed in _seed_block(seeds):
            observed = measured("symptom", measure, seed)
            healthy += meets(observed, bound)
            print("seed %d: %s = %s" % (seed, name, observed))
        verdict, p_value = sign_test(healthy, seeds)
        text = "%d of %d seeds healthy (%s %s), sign test p = %.3g"
        _conclude(verdict, text % (healthy, seeds, name, _words(bound), p_value))

    def cost(name, measure, ratio, repeats=5):
        """Records what the program costs; bugloss compares it with the other program's cost in the same run.

        ``ratio`` is the smallest cost ratio to the fixed program that counts as the fault.
        """
        for seed in _seed_block(repeats):
            print("repeat %d: %s = %s" % (seed, name, measured("cost", measure, seed)))
        print("measured; `bugloss test` compares it with the fixed program (faulty from %gx)" % ratio)

    return survives, value, symptom, cost


# The defaults of these functions bind what they measure with before a program could replace it.


def cpu_seconds(work, *arguments, clock=time.process_time):
    """Seconds of processor time that ``work`` takes: steadier than the clock on a busy machine."""
    start = clock()
    work(*arguments)
    return clock() - start


def peak_megabytes(work, *arguments, open=open):
    """By how much ``work`` raises the resident memory of this process at its peak (Linux)."""
    _return_freed_memory()
    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")
    before = _status_kilobytes("VmRSS")
    work(*arguments)
    return max(0, _status_kilobytes("VmHWM") - before) / 1024.0


def seed_everything(seed):
    """Seeds every generator whose library is already loaded; loads none."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % 2**32)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(seed)
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None:
        _seed_tensorflow(tensorflow, seed)
    keras = sys.modules.get("keras")
    if keras is not None and hasattr(getattr(keras, "utils", None), "set_random_seed"):
        keras.utils.set_random_seed(seed)


def base_seed():
    """The seed of this run: ``$BUGLOSS_SEED``, or 0."""
    return int(_setting("BUGLOSS_SEED") or "0")


def meets(observed, bound):
    """Whether a measurement lies on the healthy side; one that is not a finite number never does."""
    kind, limit = bound
    if kind == "equals":
        return observed == limit
    if not is_number(observed):
        return False
    return observed >= limit if kind == "at least" else observed <= limit


def is_number(observed):
    """Whether this is a finite number that a float can hold. True and False are not numbers."""
    if isinstance(observed, bool) or not isinstance(observed, (int, float)):
        return False
    return abs(observed) <= sys.float_info.max


def sign_test(healthy, total):
    """Exact one-sided sign test of "as likely healthy as not": the verdict and its p-value."""
    at_most = _binomial_tail(healthy, total)
    at_least = _binomial_tail(total - healthy, total)
    if at_most < SIGNIFICANCE:
        return "fail", at_most
    if at_least < SIGNIFICANCE:
        return "pass", at_least
    return "undecided", min(at_most, at_least)


def _binomial_tail(successes, total):
    """P(X <= successes) for X of ``total`` fair coins."""
    ways = 1
    below = 0
    for k in range(successes + 1):
        below += ways
        ways = ways * (total - k) // (k + 1)
    return below / float(2**total)


def _seed_block(count):
    start = base_seed() * 1000
    return range(start, start + count)


def _bound(at_least, at_most, equals):
    given = [("at least", at_least), ("at most", at_most), ("equals", equals)]
    given = [pair for pair in given if pair[1] is not None]
    if len(given) != 1:
        raise TypeError("give exactly one of at_least, at_most, equals")
    return [given[0][0], plain(given[0][1])]


def _words(bound):
    return "%s %s" % tuple(bound)


def plain(observed):
    """Numbers of NumPy, torch and TensorFlow as plain ones, in the shapes that JSON has: tensors stop here.

    What is compared now must be what is read back when a verdict is recomputed.
    """
    if isinstance(observed, (list, tuple)):
        return [plain(part) for part in observed]
    if isinstance(observed, dict):
        return {str(name): plain(part) for name, part in observed.items()}
    return observed.item() if hasattr(observed, "item") else observed


def _conclude(verdict, sentence):
    if verdict == "fail":
        raise Failed(sentence)
    if verdict == "undecided":
        raise Undecided(sentence)
    print("pass: " + sentence)


def _setting(name):
    return os.environ.get(name) or _AT_IMPORT.get(name)


def _seed_tensorflow(tensorflow, seed):
    if not tensorflow.__version__.startswith("1."):
        tensorflow.random.set_seed(seed)
        return
    # The newer name where there is one: the old one prints a warning of its own in TensorFlow 1.15.
    newer = getattr(getattr(tensorflow, "compat", None), "v1", tensorflow)
    newer.set_random_seed(seed)


def _return_freed_memory():
    """glibc keeps what was freed; without this a second measurement would find its memory there already."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError):
        pass  # another C library


def _status_kilobytes(field, open=open):
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1])
    return 0


def _recorder():
    """Where measurements go. The channel of a sandboxed run is bound here and kept in no module.

    What this cannot do: the program runs in the same process, and ``measure`` is often its own function. It can return
    any number it likes. A test that measures with its own data, or with this file's clocks, believes less.
    """
    offered, dumps = sys.modules.get("bugloss_channel"), json.dumps
    send = offered.take() if offered is not None else None

    def record(event):
        path = _setting("BUGLOSS_EVIDENCE")
        if send is not None:
            send(dumps(event))
        elif path:
            with open(path, "a") as evidence:
                evidence.write(dumps(event) + "\n")

    return record


survives, value, symptom, cost = _verdicts(_recorder(), plain)
