"""What can be wrong with a file as a whole. Each is reported as a finding, so that no file is left out in silence.

They look like rules to whoever shows, explains or ignores findings, but nobody asks them: ``inspection`` reports them
where a file cannot be read or parsed, or where bugloss itself fails on it. ``--select`` does not switch them off,
``--ignore`` does.
"""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.edit import Span
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class FileProblem(Rule):
    """A file that could not be checked."""

    severity = Severity.ERROR
    category = Category.NON_DL
    fix_pattern = FixPattern.ENVIRONMENT
    confidence = 1.0
    faulty = ()
    clean = ()

    def check(self, program: Program) -> Iterator[Finding]:
        """Nothing: a file that came so far does not have this problem."""
        return iter(())

    def at(self, path: str, message: str, line: int = 1, column: int = 0) -> Finding:
        """The problem as a finding at a place of the file."""
        span = Span(line, column, line, column)
        return Finding(self.name, path, span, message, self.severity, self.category, self.fix_pattern, self.confidence)


class SyntaxProblem(FileProblem):
    """A file is not valid Python, or not a notebook.

    ## What it finds
    A file that Python's parser refuses, that is not text in the encoding it declares, and a notebook that is not one of
    format 4. It is reported whatever ``--select`` says.

    ## Why it hurts
    The program does not start. No other rule was asked about the file.

    ## Example
    ```python
    print "loss", loss
    ```

    ## Use instead
    ```python
    print("loss", loss)
    ```

    ## Known problems
    The file is read as the Python that runs bugloss reads it: syntax that is newer, or that Python 3 dropped, is an
    error.

    ## Fix safety
    No fix is offered.

    ## References
    None.
    """

    name = "syntax-error"


class UnreadableFile(FileProblem):
    """A file or folder cannot be read, or not be written by ``--fix``.

    ## What it finds
    A file or folder that was to be checked and that the system does not let bugloss read: missing rights, a failing
    disk. With ``--fix``, also a file that cannot be written: it stays as it was. It is reported whatever
    ``--select`` says.

    ## Why it hurts
    Nothing is known about what lies in there.

    ## Example
    ```
    -rw------- 1 root root 812 train.py
    ```

    ## Use instead
    ```
    chmod a+r train.py
    ```
    Or leave it out: name the files and folders to check.

    ## Known problems
    A link that leads nowhere is only mentioned as not checked.

    ## Fix safety
    No fix is offered.

    ## References
    None.
    """

    name = "unreadable-file"


class CheckFailed(FileProblem):
    """bugloss itself failed on a file.

    ## What it finds
    A file on which a rule, or the part that follows values, stopped with an error of its own, or whose process died.
    The message names what failed. The other rules and files were checked all the same.

    ## Why it hurts
    The program may be right, but it was not checked completely.

    ## Example
    ```
    model.py:1:1: error check-failed: rule head-loss-mismatch failed on this file: KeyError: 'units'
    ```

    ## Use instead
    ```
    bugloss check --ignore head-loss-mismatch model.py
    ```
    Please report it with the file, if you can share it.

    ## Known problems
    None.

    ## Fix safety
    No fix is offered.

    ## References
    None.
    """

    name = "check-failed"


SYNTAX_ERROR = SyntaxProblem()
UNREADABLE_FILE = UnreadableFile()
CHECK_FAILED = CheckFailed()
PROBLEMS: tuple[FileProblem, ...] = (CHECK_FAILED, SYNTAX_ERROR, UNREADABLE_FILE)
