"""What IPython calls: it loads the extension, tells it of every cell, and runs its magics.

A failure of ours never hides the error of a cell: it is one line on the log.
"""

from __future__ import annotations

import logging
import shlex
from pathlib import PurePath
from typing import Any

from bugloss.core.errors import BuglossError, InvalidInput
from bugloss.record.runs import RunFolder
from bugloss.show.jupyter.rendering import Shown, rendered
from bugloss.workflows.diagnosis import Examined
from bugloss.workflows.notebook_session import MAGIC, ExplainedException, NotebookSession

log = logging.getLogger(__name__)

_BUDGET = 0.05  # share of the training time that observation may take, as everywhere
_USAGE = "Write %bugloss on, %bugloss off, or %%bugloss [--budget SHARE] [--properties] in the first line of a cell."
_NAME = "_bugloss_extension"


class BuglossExtension:
    """The extension of one kernel."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.session = NotebookSession(self._cell_of)
        self.explains = True
        self._raised: BaseException | None = None
        self._is_inside = False  # of a watched cell: its error is part of its report
        self._number = 0  # of the cell that runs
        self._watched: dict[str, int] = {}  # code of watched cells: IPython numbers what a magic runs as it likes

    def _cell_of(self, filename: str) -> int | None:
        """The number in the brackets of the cell that was compiled under that name."""
        if filename in self._watched:
            return self._watched[filename]
        named = self.shell.compile.format_code_name(filename)
        digits = named[1].removeprefix("In[").removesuffix("]") if named is not None else ""
        return int(digits) if digits.isdigit() else None

    def before_cell(self, info: Any) -> None:
        if self._is_inside:
            compiler, transformed = self.shell.compile, self.shell.transform_cell(info.raw_cell)
            name = compiler.get_code_name(info.raw_cell, transformed, self.shell.execution_count)
            self._watched[name] = self._number
        elif info.store_history:
            # The history has the numbers of the brackets; releases of IPython count the execution at different moments.
            self._number = len(self.shell.history_manager.input_hist_raw)
            self.session.executed(self._number, info.raw_cell, getattr(info, "cell_id", None))

    def after_cell(self, result: Any) -> None:
        """Explains the exception that ended a cell."""
        if result.error_before_exec is not None:
            self.session.texts.pop(self._number, None)
            return
        error = result.error_in_exec
        if self._is_inside:
            self._raised = error
        elif self.explains and isinstance(error, Exception):
            try:
                self._explain(error)
            except Exception as problem:  # whatever is wrong with us, the user has seen the error of the cell
                log.warning("bugloss cannot explain: %s: %s", type(problem).__name__, problem)

    def _explain(self, error: Exception) -> None:
        explained = self.session.explain(error)
        diagnosis = explained.diagnosis
        if diagnosis.causes or diagnosis.similar:
            self._publish(_explanation(explained))

    def magic(self, line: str, cell: str | None = None) -> None:
        """``%bugloss on|off`` and ``%%bugloss``."""
        if cell is not None:
            self._watch(line, cell)
        elif line.strip() in {"on", "off"}:
            self.explains = line.strip() == "on"
        else:
            print(_USAGE)

    def _watch(self, line: str, cell: str) -> None:
        try:
            budget, properties = _options(line)
        except InvalidInput as error:
            print(f"bugloss: {error.message} {error.hint}")
            return
        watch = self.session.watch(budget, properties).start("any")
        self._raised, self._is_inside = None, True
        try:
            # The line of the magic counts, so that places are those that the reader sees.
            self.shell.run_cell(f"\n{cell}", store_history=False)
        finally:
            self._is_inside = False
            folder = watch.stop(self._raised)
        if folder is not None:
            self._report(folder)

    def _report(self, folder: RunFolder) -> None:
        try:
            self._publish(_report(self.session.examine(folder)))
        except BuglossError as error:
            print(f"bugloss: {error.message} {error.hint}".rstrip())
        except Exception as problem:  # the training of the cell is done, whatever is wrong with us
            log.warning("bugloss cannot report: %s: %s", type(problem).__name__, problem)

    def _publish(self, shown: Shown) -> None:
        self.shell.display_pub.publish(data=shown.bundle, metadata={})


def _options(line: str) -> tuple[float, bool]:
    budget, properties, words = _BUDGET, False, shlex.split(line)
    while words:
        word = words.pop(0)
        if word == "--properties":
            properties = True
        elif word == "--budget" and words and _is_share(words[0]):
            budget = float(words.pop(0))
        else:
            raise InvalidInput(f"{MAGIC} does not know '{word}'.", hint=_USAGE)
    return budget, properties


def _is_share(word: str) -> bool:
    try:
        return float(word) >= 0
    except ValueError:
        return False


def _explanation(explained: ExplainedException) -> Shown:
    from bugloss.show.answer.cell_words import in_cells
    from bugloss.show.answer.diagnosis import DiagnosisAnswer, show_diagnosis

    answer = DiagnosisAnswer(explained.diagnosis, explained.read, "the cell", cells=explained.cells)
    return rendered(lambda sheet: show_diagnosis(answer, sheet), in_cells(explained.cells))


def _report(examined: Examined) -> Shown:
    from bugloss.show.answer.cell_words import in_cells
    from bugloss.show.answer.diagnosis import DiagnosisAnswer, show_diagnosis
    from bugloss.show.cli.running import page_of, write_page

    write_page(examined)
    script, numbered = examined.facts.script, in_cells(examined.cells)
    answer = DiagnosisAnswer(examined.diagnosis, examined.case.sources.read, script, cells=examined.cells)
    title = f"Curves, layers and causes of run {examined.folder.id}"
    return rendered(
        lambda sheet: show_diagnosis(answer, sheet),
        lambda text: numbered(text.replace(script, PurePath(script).name)),
        page_of(examined),
        title,
    )


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext bugloss``; a second time does nothing."""
    if getattr(shell, _NAME, None) is not None:
        return
    extension = BuglossExtension(shell)
    setattr(shell, _NAME, extension)
    shell.events.register("pre_run_cell", extension.before_cell)
    shell.events.register("post_run_cell", extension.after_cell)
    shell.register_magic_function(extension.magic, "line_cell", "bugloss")


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext bugloss``."""
    extension = getattr(shell, _NAME, None)
    if extension is not None:
        shell.events.unregister("pre_run_cell", extension.before_cell)
        shell.events.unregister("post_run_cell", extension.after_cell)
        for kind in ("line", "cell"):
            shell.magics_manager.magics[kind].pop("bugloss", None)
        setattr(shell, _NAME, None)
