"""Whose line it was: the first frame of the user's own program, past libraries and the probe."""

import linecache
import os
import sys
import sysconfig

HERE = os.path.dirname(os.path.abspath(__file__))
# In-process adapters come from the installed package; then all of the package is ours.
OWN = os.path.dirname(os.path.dirname(HERE)) if __package__.startswith("bugloss.") else HERE
INSTALLED = ("site-packages", "dist-packages")


def _library_folders():
    paths = sysconfig.get_paths()
    found = [os.path.dirname(os.__file__)] + [paths.get(name, "") for name in ("stdlib", "platstdlib")]
    return tuple({os.path.join(os.path.realpath(path), "") for path in found if path})


class UserFrames(object):
    """Files of the user: whatever is neither installed, nor Python's own, nor the probe."""

    def __init__(self, root):
        self.root = os.path.join(os.path.realpath(root), "")
        # Python notes the script's own path as it was given; the script may change the working folder later.
        self.start = os.getcwd()
        self._libraries = _library_folders()
        self._known = {}

    def owns(self, filename):
        known = self._known.get(filename)
        if known is None:
            known = self._known[filename] = self._judge(filename)
        return known

    def _judge(self, filename):
        if "__autograph_generated_file" in filename:  # what TensorFlow makes of a function
            return False
        if filename.startswith("<"):
            return filename.startswith("<ipython-input")
        path = self.whole(filename)
        if path.startswith(os.path.join(os.path.realpath(OWN), "")):
            return False
        inside = path.startswith(self.root)
        below = path[len(self.root) :] if inside else path
        if any(part in INSTALLED for part in below.split(os.sep)):
            return False
        # A program may itself live among the installed packages (python -m); a library never lies below its folder.
        return not any(
            path.startswith(folder) and not (inside and self.root.startswith(folder)) for folder in self._libraries
        )

    def whole(self, filename):
        return os.path.realpath(os.path.join(self.start, filename))

    def place(self, skip=0, passing=None):
        """File, line and function of the user's frame nearest to our caller, or None.

        ``passing``: an object whose own ``__init__`` and ``forward`` do not count, to find who made or called it.
        """
        frame = sys._getframe(skip + 1)
        known = self._known
        while frame is not None:
            code = frame.f_code
            owned = known.get(code.co_filename)
            if owned is None:
                owned = self.owns(code.co_filename)
            if owned and not (passing is not None and is_within(frame, passing)):
                return code.co_filename, frame.f_lineno, code.co_name
            frame = frame.f_back
        return None

    def path(self, skip=0, most=2):
        """Files and lines of the user's nearest frames: the same function called from two lines gives two paths."""
        frame, found = sys._getframe(skip + 1), []
        while frame is not None and len(found) < most:
            if self.owns(frame.f_code.co_filename):
                found.append((frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        return tuple(found)

    def site_of(self, place):
        """The fields of a ``Site``: the path relative to the script's folder where it is inside, and the line's
        text."""
        if place is None:
            return None
        filename, line, function = place
        if filename.startswith("<"):
            return {"path": filename, "line": line, "function": function, "text": ""}
        path = self.whole(filename)
        text = linecache.getline(path, line).strip()[:300]
        short = path[len(self.root) :] if path.startswith(self.root) else path
        return {"path": short.replace(os.sep, "/"), "line": line, "function": function, "text": text}


def is_within(frame, thing):
    """Whether a frame is the constructor or the forward pass of this very object."""
    code = frame.f_code
    if code.co_name not in ("__init__", "forward") or not code.co_argcount:
        return False
    return frame.f_locals.get(code.co_varnames[0]) is thing
