"""Who opens files by itself: all others go through the doors for foreign and for named files."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from package_source import trees

OPENING = {
    *("open", "read_text", "read_bytes", "write_text", "write_bytes"),
    *("copy", "copy2", "copyfile", "copytree", "copyfileobj", "getline", "fdopen", "walk", "rglob"),
}
DOORS = {"core/foreign_file.py", "core/foreign_folder.py", "core/named_file.py", "core/written_file.py"}

# Modules that open what is ours: data of the package, the user's cache, scratch folders that were just made.
# What a program, a project, a bug, a report or a run names is never opened by any of them.
OWN_FILES = {
    "adapters/graph_network.py": "weights in the package",
    "client.py": "requests, not files",
    "check/running/baseline.py": "a ForeignFile",
    "check/releases/catalogue.py": "catalogues of the package",
    "check/releases/replacement.py": "tables of the package",
    "check/releases/written_for.py": "a table of the package",
    "core/installed_packs.py": "what an installed distribution offers",
    "core/packed.py": "unpacks bytes in memory",
    "core/web.py": "a request, not a file",
    "core/taxonomy/fix_counts.py": "a table of the package",
    "corpus/checkout.py": "ForeignFiles, and a probe of the package",
    "corpus/dataset.py": "ForeignFiles, and a template of the package",
    "corpus/entry.py": "ForeignFiles",
    "corpus/failure_index.py": "the cache",
    "corpus/register.py": "appends to its ledger without following links",
    "corpus/scaffold.py": "the template of the package, into a folder that did not exist",
    "corpus/swebench.py": "a probe of the package",
    "corpus/upstream_program.py": "ForeignFiles",
    "intake/remote.py": "the cache",
    "localize/ranker/forest.py": "a model of the package",
    "localize/repository/git_layout.py": "files of a git folder, opened without following links and checked once open",
    "localize/repository/git_view.py": "a git folder of our own, just made",
    "localize/repository/work_tree.py": "tracked files of a work tree, opened without following links and checked once open",
    "localize/techniques/dnnloc.py": "a model of the package",
    "mutate/printed_metric.py": "a template of the package",
    "observe/crash/families/concepts.py": "a table of the package",
    "observe/tools/classifiers.py": "a model of the package",
    "observe/relations.py": "a table of the package",
    "observe/weights.py": "a table of the package",
    "record/runs.py": "its own write_text, which goes through the door",
    "record/trials.py": "appends to its archive without following links",
    "reproduce/stand_ins/__init__.py": "stand-ins of the package",
    "reproduce/templates/__init__.py": "templates of the package",
    "reproduce/words/__init__.py": "lists of the package",
    "run/build.py": "an environment that is being built in the cache",
    "run/download.py": "the lock file of an environment in the cache",
    "run/environment.py": "environments in the cache",
    "run/execute.py": "ForeignFiles and probes of the package, into a scratch folder; streams of a run",
    "run/preloaded.py": "pipes",
    "run/layer.py": "an environment that is being built in the cache",
    "run/supplement.py": "stand-ins of the package, into an environment that is being built in the cache",
    "run/sandbox/__init__.py": "the filter, into a scratch folder",
    "run/sandbox/bubblewrap.py": "hands a scratch folder to another user",
    "run/sandbox/cgroups.py": "control groups of the system",
    "run/sandbox/processes.py": "/proc",
    "run/sandbox/scratch.py": "locks of scratch folders",
    "run/sandbox/stage.py": "the first process of a run: control groups, the filter, /proc",
    "run/sandbox/watcher.py": "/proc",
    "run/source_build.py": "wheels that were built in a scratch folder, each opened without following links",
    "stacks/companion.py": "tables of the package",
    "stacks/stack.py": "stacks of the package",
    "show/api/answer_process.py": "its own standard output",
    "show/api/job_files.py": "names and sizes in the folder of a job, without following links",
    "show/api/jobs/worker.py": "/dev/null",
    "show/api/security/archives.py": "unpacks bytes in memory",
    "show/api/services.py": "the secret in the server's own folder, without following links",
    "mine/words.py": "words of the package",
    "study/published_reports.py": "tables of the package",
    "show/cli/main.py": "a traceback of ours, into the cache",
    "show/cli/running.py": "RunFolder.write_text, which goes through the door",
    "show/cli/stream.py": "/dev/null",
    "show/cli/verbs/report.py": "the page that was just written",
    "triage/head_file.py": "a model of the package",
    "triage/lexicon.py": "words of the package",
    "workflows/corpus_export.py": "a probe and a template of the package",
    "workflows/foreign_programs.py": "ForeignFiles",
    "workflows/foreign_trials.py": "ForeignFiles",
    "workflows/mutation_base.py": "ForeignFiles",
    "workflows/synthesis.py": "ForeignFiles",
    "workflows/synthetic_bugs.py": "ForeignFiles",
    "workflows/benchmark/bug_facts.py": "ForeignFiles",
    "workflows/benchmark/case.py": "ForeignFiles; /proc",
    "workflows/benchmark/driver_tool.py": "ForeignFiles",
    "workflows/benchmark/scratch_repository.py": "ForeignFiles, into a scratch folder",
    "workflows/benchmark/versions.py": "the package's own files",
    "workflows/check_memory.py": "names and times of the package's own files; the cache",
    "workflows/experiment.py": "ForeignFiles, into a scratch folder",
    "workflows/fix_patterns.py": "ForeignFiles",
    "workflows/laboratory.py": "a scratch folder",
    "workflows/localization.py": "FactStore.open: the cache",
    "workflows/localization_trial.py": "FactStore.open: the cache",
    "workflows/logged_curves.py": "RunFolder.write_text, which goes through the door",
    "workflows/notebook_session.py": "RunFolder.write_text, which goes through the door",
    "workflows/observation.py": "events into a folder that was just made; probes of the package",
    "workflows/repair_evaluation.py": "ForeignFiles",
    "workflows/run_seal.py": "the user's key in the cache",
    "workflows/submission.py": "ForeignFiles",
    "workflows/upstream/clone.py": "the lock of a clone in the cache",
    "workflows/upstream/sources.py": "ForeignFiles",
}


def openings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Calls that open a file, list a tree of them, or copy one."""
    modules = {
        alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "open":
            yield node.lineno, "open"
        elif isinstance(node.func, ast.Attribute) and node.func.attr in OPENING:
            owner = node.func.value
            of_tree = isinstance(owner, ast.Name) and owner.id == "ast"  # ast.walk
            copies = node.func.attr.startswith("copy") and not (isinstance(owner, ast.Name) and owner.id in modules)
            if not of_tree and not copies:
                yield node.lineno, node.func.attr


def found() -> dict[str, list[tuple[int, str]]]:
    """Every module outside of the probes that opens something, and where."""
    listed = {}
    for name, tree in trees().items():
        if not name.startswith(("probes/", "check/rules/")):
            listed[name] = list(openings(tree))
    return {name: places for name, places in listed.items() if places}


def test_a_module_that_opens_files_is_a_door_or_opens_only_ours() -> None:
    strangers = {name: places for name, places in found().items() if name not in DOORS | OWN_FILES.keys()}
    assert strangers == {}, (
        "read through core/foreign_file.py or core/named_file.py, write through core/written_file.py"
    )


def test_the_table_names_no_module_that_opens_nothing() -> None:
    assert OWN_FILES.keys() - found().keys() == set()
