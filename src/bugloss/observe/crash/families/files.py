"""Files and data that are not where the program looks, or not what it takes them for."""

from __future__ import annotations

import re

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene


def _missing(scene: Scene, match: re.Match[str]) -> CrashText:
    path = next((value for value in match.groupdict().values() if value), "")
    relative = bool(path) and not re.match(r"[/~\\]|[A-Za-z]:", path)
    advice = "Check the spelling of the path, and whether the data were downloaded or the folder created (os.makedirs)."
    if relative:
        advice = (
            "The path is relative to the working directory. Start the program there, or build the path from "
            "Path(__file__).parent. " + advice
        )
    return CrashText(
        f"The file or folder {path or 'of that name'} does not exist.", advice, (f"Path: {path}",) if path else ()
    )


PATTERNS = (
    Pattern(
        "file-missing",
        CrashKind.DATA,
        FixPattern.ENVIRONMENT,
        (
            "No such file or directory",
            "No file or directory found at",
            "does not exist:",
            "cannot find the path",
            "NOT_FOUND",
        ),
        r"No such file or directory: '(?P<path>[^']+)'|file or directory found at (?P<place>\S+)|name = '"
        r"(?P<name>[^']+)', errno = 2"
        r"|does not exist: '?(?P<csv>[^']+)|cannot find the path specified: '(?P<windows>[^']+)'|(?<!shared object "
        r"file: )No such file or directory",
        _missing,
        (
            Example(
                "[Errno 2] No such file or directory: 'data/train.csv'",
                ("data/train.csv", "__file__"),
                "FileNotFoundError",
            ),
            Example("No file or directory found at /nowhere/m.h5", ("/nowhere/m.h5",), "OSError"),
            Example(
                "Unable to open file (unable to open file: name = '/nowhere/m.h5', errno = 2, error message = 'No such "
                "file or directory', flags = 0, o_flags = 0)",
                ("/nowhere/m.h5",),
                "OSError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "no-data-found",
        CrashKind.DATA,
        FixPattern.DATA_WRANGLING,
        (
            "num_samples should be a positive integer",
            "Found 0 files in",
            "Found 0 images",
            "Found no valid file",
            "Couldn't find any class",
        ),
        r"num_samples=(?P<count>\d+)|in subfolders of:? (?P<folder>\S+)|Found 0|Found no valid file|any class folder",
        plain(
            "The data set is empty: no sample was found⟨ below {folder}⟩.",
            "Check the path, the file endings, and the layout: one folder per class below the root, "
            "root/class/image.png.",
        ),
        (
            Example(
                "num_samples should be a positive integer value, but got num_samples=0", ("root/class",), "ValueError"
            ),
            Example("Found 0 files in subfolders of: ./data\nSupported extensions are: .jpg,.jpeg", ("./data",)),
            Example("Couldn't find any class folder in ./data.", (), "FileNotFoundError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "damaged-file",
        CrashKind.DATA,
        FixPattern.DATA_WRANGLING,
        (
            "PytorchStreamReader failed",
            "invalid load key",
            "Ran out of input",
            "cannot identify image file",
            "file signature not found",
            "image file is truncated",
            "Not a gzipped file",
            "File is not a zip file",
            "not found or corrupted",
            "BadZipFile",
            "unexpected EOF",
        ),
        r"(?P<what>cannot identify image file '?[^']*'?|image file is truncated)?",
        plain(
            "A file is corrupted, truncated, or of another type than its name suggests.",
            "Check its size and first bytes: often it is an interrupted download or an HTML error page. Download it "
            "again; for images skip those that PIL cannot verify.",
            "{what}",
        ),
        (
            Example("PytorchStreamReader failed reading zip archive: failed finding central directory"),
            Example("invalid load key, '<'.", (), "UnpicklingError"),
            Example("Ran out of input", (), "EOFError"),
            Example("cannot identify image file 'cat.jpg'", ("cat.jpg",), "UnidentifiedImageError"),
            Example("Unable to open file (file signature not found)", (), "OSError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "folder-or-permission",
        CrashKind.DATA,
        FixPattern.ENVIRONMENT,
        (
            "Permission denied",
            "Is a directory",
            "No space left on device",
            "Read-only file system",
            "Too many open files",
            "File exists",
        ),
        r"(?P<reason>Permission denied|Is a directory|No space left on device|Read-only file system|Too many open files"
        r"|File exists)"
        r"(?::? '?(?P<path>[^']+)'?)?",
        plain(
            "The file system reports: {reason}⟨, {path}⟩.",
            "Write to a folder with free space that you own; pass a file, not a folder; for too many open files raise "
            "ulimit -n or use torch.multiprocessing.set_sharing_strategy('file_system').",
        ),
        (
            Example("[Errno 13] Permission denied: '/data/out.pt'", ("/data/out.pt",), "PermissionError"),
            Example("[Errno 28] No space left on device", (), "OSError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "download-failed",
        CrashKind.DATA,
        FixPattern.ENVIRONMENT,
        (
            "HTTP Error",
            "urlopen error",
            "URL fetch failure",
            "CERTIFICATE_VERIFY_FAILED",
            "Max retries exceeded",
            "Connection error",
        ),
        r"HTTP Error (?P<code>\d+)|urlopen|fetch failure|CERTIFICATE|Max retries|Connection error",
        plain(
            "Data or weights could not be downloaded⟨ (HTTP {code})⟩.",
            "Check network and proxy, or download the file by hand and pass its path; old releases often contain "
            "outdated URLs.",
        ),
        (
            Example("HTTP Error 403: Forbidden", ("403",), "HTTPError"),
            Example("<urlopen error [Errno -2] Name or service not known>", (), "URLError"),
            Example("URL fetch failure on https://example.org/mnist.npz: None -- [Errno 110]", (), "Exception"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "table-column-missing",
        CrashKind.DATA,
        FixPattern.DATA_WRANGLING,
        ("not in index", "are in the [columns]", "No columns to parse", "usecols do not match"),
        r"(?P<names>\[.*?\])? ?(?:not in index|are in the \[columns\])|No columns|usecols",
        plain(
            "The table has no such column⟨: {names}⟩.",
            "Print frame.columns: check for spaces, another separator (sep=';'), or a missing header row.",
        ),
        (
            Example("\"['label'] not in index\"", ("['label']",), "KeyError"),
            Example("\"None of [Index(['a'], dtype='object')] are in the [columns]\"", (), "KeyError"),
        ),
    ),
)

FAMILY = CrashFamily("files", PATTERNS)
