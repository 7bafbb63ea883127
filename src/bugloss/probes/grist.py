"""Runs a script as it is, then searches for inputs that bring its dangerous operations to inf or NaN.

``python grist.py SECONDS SCRIPT [arguments]``. While the script runs, one training step is remembered
(``grist_torch.py`` and ``grist_keras.py`` lie beside this file and know how). When it has ended, the step is
replayed on copies, and signed gradient steps drive the operand of each logarithm, division, root, power and
exponential towards its danger zone: first over inputs like the data, then over wider ones, at last over the
weights. What is found goes, as JSON lines, over the channel of ``launch.py`` in a sandboxed run, else to
``$BUGLOSS_EVIDENCE``. The idea is GRIST's (Yan and others, ESEC/FSE 2021).
"""

import importlib.util
import json
import os
import runpy
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
EVIDENCE = os.environ.get("BUGLOSS_EVIDENCE") and os.path.abspath(os.environ["BUGLOSS_EVIDENCE"])
OWNER = os.getpid()
OFFERED = sys.modules.get("bugloss_channel")
SEND = OFFERED.take() if OFFERED is not None else None

STEPS = 60
PATIENCE = 12
WIDE = 100.0
FEW_VALUES = 20


def main():
    seconds, script = float(sys.argv[1]), sys.argv[2]
    sys.argv = sys.argv[2:]
    root = os.path.dirname(os.path.abspath(script))
    sys.path[0] = root
    hook = ImportHook({"torch": "grist_torch", "tensorflow": "grist_keras", "keras": "grist_keras"}, root)
    sys.meta_path.insert(0, hook)
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        if hook in sys.meta_path:
            sys.meta_path.remove(hook)
        if os.getpid() == OWNER:
            conclude(hook.watchers, seconds)


def conclude(watchers, seconds):
    """The search after the script's end; errors in it are reported and do not stop the run."""
    start = time.time()
    totals = {"sites": 0, "searched": 0, "reached": 0}
    for watcher in watchers.values():
        try:
            for subject in watcher.finish():
                investigate(subject, start + seconds, totals)
        except Exception as error:
            fail(error)
    ended = {
        "event": "searched",
        "seconds": round(time.time() - start, 2),
        "watched": [name for name in sorted(watchers) if watchers[name].seen()],
    }
    record(dict(ended, **totals))


def fail(error):
    record({"event": "failed", "why": "%s: %s" % (type(error).__name__, str(error)[:300])})


def record(event):
    event["probe"] = "grist"
    if SEND is not None:
        SEND(json.dumps(event))
    elif EVIDENCE and os.getpid() == OWNER:
        try:
            with open(EVIDENCE, "a") as lines:
                lines.write(json.dumps(event) + "\n")
        except (OSError, ValueError) as error:
            print("grist could not record: %s" % error, file=sys.stderr)


class ImportHook(object):
    """Lets a framework load as always and starts our watcher right after, so that no import order changes."""

    def __init__(self, watched, root):
        self.watched = watched
        self.root = root
        self.watchers = {}

    def find_spec(self, name, path=None, target=None):
        if name not in self.watched:
            return None
        beside = self.watched.pop(name)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            self.start(beside)

        setattr(spec.loader, "exec_module", exec_module)  # noqa: B010 (a loader is made for one module only)
        return spec

    def start(self, beside):
        try:
            if beside not in self.watchers:
                self.watchers[beside] = load(beside)["WATCHER"](ScriptFrames(self.root))
            self.watchers[beside].install()
        except Exception as error:
            fail(error)


def load(beside):
    """What a file beside this one defines; the folder is on the path only while it is loaded."""
    sys.path.insert(0, HERE)
    try:
        return runpy.run_path(os.path.join(HERE, beside + ".py"), run_name=beside)
    finally:
        sys.path.remove(HERE)


class ScriptFrames(object):
    """Which places are the user's: files below the script's folder, without us and installed packages."""

    def __init__(self, root):
        self.root = os.path.join(root, "")

    def owns(self, path):
        path = self.whole(path)
        foreign = path.startswith(HERE + os.sep) or "site-packages" in path or "dist-packages" in path
        return path.startswith(self.root) and not foreign

    def innermost(self):
        """The path below the root and the line where the user's code stands now, or None."""
        for frame, line in traceback.walk_stack(sys._getframe(1)):
            if self.owns(frame.f_code.co_filename):
                return self.short(frame.f_code.co_filename), line
        return None

    def whole(self, path):
        """Python notes the script's own path as it was given, beside its folder."""
        return os.path.join(self.root, path)

    def short(self, path):
        return self.whole(path)[len(self.root) :].replace(os.sep, "/")


def investigate(subject, deadline, totals):
    """Searches every site of one remembered step; each gets an equal share of the time that is left."""
    totals["sites"] += len(subject.sites)
    for position, site in enumerate(subject.sites):
        left = deadline - time.time()
        if left <= 0:
            return
        totals["searched"] += 1
        try:
            found = search(subject, site, time.time() + left / (len(subject.sites) - position))
        except Exception as error:
            fail(error)
            continue
        if found is not None:
            totals["reached"] += 1
            record(found)


def search(subject, site, deadline):
    """The first witness, looked for in ever less likely places, or None."""
    inputs, weights = subject.inputs(), subject.weights()
    seen = [near(array) for array in inputs]
    wide = [far(array, bounds) for array, bounds in zip(inputs, seen)]
    stages = [("data", seen, False)]
    if wide != seen:
        stages.append(("inputs", wide, False))
    if site["target"] != "high":  # weights that are large enough make any exponential overflow
        stages.append(("weights", seen + [grown(array) for array in weights], True))
    for position, (stage, bounds, with_weights) in enumerate(stages):
        until = time.time() + (deadline - time.time()) / (len(stages) - position)
        arrays = inputs + (weights if with_weights else [])
        beginnings = list(starts(arrays, bounds, plain=with_weights))
        witness = descend(subject, site, beginnings, bounds, until)
        if witness is not None:
            return report(site, stage, witness, len(inputs))
    return None


def near(array):
    """The observed range with as much again on either side; data of one sign keep it, labels and masks stay."""
    low, high = float(array.min()), float(array.max())
    if not low < high or held(array):
        return None
    span = high - low
    below = low - span if low < 0 else low / 10
    above = high + span if high > 0 else high / 10
    return below, above


def held(array):
    """Few different whole numbers: labels, masks and counts, of which half a one means nothing."""
    values = set(array.ravel()[:5000].tolist())
    return len(values) <= FEW_VALUES and all(value == int(value) for value in values)


def far(array, bounds):
    """Standardised data are thought to have outliers; others stay where they are."""
    standardised = abs(float(array.mean())) < 0.5 and 0.5 < float(array.std()) < 2
    return (-WIDE, WIDE) if bounds and standardised and bounds[0] < 0 < bounds[1] else bounds


def grown(array):
    most = max(1.0, 10 * float(abs(array).max()))
    return -most, most


def descend(subject, site, beginnings, bounds, until):
    """Signed gradient steps from several starts; returns what the subject saw when the danger was reached."""
    if not any(bounds):
        return None
    for steps in (1, STEPS):  # the beginnings themselves first: many a witness needs no search
        for values in beginnings:
            witness = walk(subject, site, values, bounds, steps, until)
            if witness is not None:
                return witness
    return None


def walk(subject, site, values, bounds, steps, until):
    """Steps from one start until the danger is reached, the way ends, no progress is made, or time is up."""
    best, since = None, 0
    for step in range(steps):
        if time.time() > until:
            return None
        sight = subject.look(site, values, len(bounds))
        if sight["hit"]:
            return dict(sight, values=values, steps=step)
        since = 0 if best is None or sight["distance"] < best else since + 1
        best = sight["distance"] if best is None else min(best, sight["distance"])
        moved = move(values, sight["gradients"], bounds, 0.25 * 0.93**step)
        if moved is None or since > PATIENCE:
            return None
        values = moved
    return None


def move(values, gradients, bounds, rate):
    """One step against the sign of the gradient, inside the bounds; None where there is nowhere to go."""
    numpy = sys.modules["numpy"]
    moved, any_moved = [], False
    for array, gradient, bound in zip(values, gradients, bounds):
        if bound and gradient is not None:
            direction = numpy.sign(numpy.nan_to_num(gradient))
            target = (array - rate * (bound[1] - bound[0]) / 2 * direction).clip(*bound).astype(array.dtype)
            any_moved = any_moved or bool((target != array).any())
            moved.append(target)
        else:
            moved.append(array)
    return moved if any_moved else None


def starts(arrays, bounds, plain):
    """The values as they are; one sample throughout; zeros; the two ends; anything in between.

    ``plain`` leaves out what no training makes of weights: all zeros, all equal.
    """
    chance = sys.modules["numpy"].random.RandomState(0)
    yield arrays
    if not plain:
        yield change(arrays, bounds, lambda array, bound, seen: seen.setdefault(array.shape[1:], array[:1]) + 0 * array)
        yield change(arrays, bounds, lambda array, bound, seen: 0 * array)
        yield change(arrays, bounds, lambda array, bound, seen: 0 * array + bound[0])
        yield change(arrays, bounds, lambda array, bound, seen: 0 * array + bound[1])
    for _ in range(3):
        yield change(arrays, bounds, lambda array, bound, seen: chance.uniform(bound[0], bound[1], array.shape))


def change(arrays, bounds, make):
    seen = {}  # type: dict[tuple[int, ...], object]
    return [
        make(array, bound, seen).clip(*bound).astype(array.dtype) if bound and array.ndim else array
        for array, bound in zip(arrays, bounds)
    ]


def report(site, stage, witness, inputs):
    """The witness in plain numbers: tensors stop here."""
    return {
        "event": "danger",
        "path": site["path"],
        "line": site["line"],
        "operation": site["operation"],
        "target": site["target"],
        "observed": site["observed"],
        "stage": stage,
        "hit": witness["hit"],
        "operand": witness["operand"],
        "steps": witness["steps"],
        "inputs": [
            {
                "shape": list(array.shape),
                "low": float(array.min()),
                "high": float(array.max()),
                "first": [float(value) for value in array.ravel()[:8]],
            }
            for array in witness["values"][:inputs]
        ],
    }


if __name__ == "__main__":
    main()
