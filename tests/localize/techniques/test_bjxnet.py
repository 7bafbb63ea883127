"""bjXnet: how candidates are laid out, and the technique in an interpreter that has PyTorch."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_repository import TinyRepository

from bugloss.core.errors import MissingExtra
from bugloss.core.report import Report
from bugloss.intake.reading import take_apart
from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.neural.graph_batch import chosen_nodes, lay_out
from bugloss.localize.neural.property_graph import DATA, bucket, read_graph
from bugloss.localize.question.query import read_query
from bugloss.localize.techniques.bjxnet import MODEL, BjxNet, graphs_of
from bugloss.run.environment import Environment

SOURCE = Path(__file__).resolve().parents[3] / "src"
LOAD, SAVE = read_graph("def load():\n    x = 1\n    return x\n"), read_graph("def save():\n    return load\n")


def test_nodes_of_all_files_stand_in_one_row() -> None:
    batch = lay_out({"load": 1}, [LOAD, SAVE])
    assert batch.files == 2 and batch.file_of == [0, 0, 0, 0, 1, 1, 1]
    sources, targets = batch.edges[DATA]
    assert (sources, targets) == ([2], [3])  # x of the first file; edges of the second would begin at 4
    assert batch.starts[1] == 0 and batch.terms[0] == bucket("load")


def test_terms_weigh_more_the_fewer_files_have_them() -> None:
    batch = lay_out({"load": 1, "unheard": 1}, [LOAD, SAVE])
    # load stands in both files: ln 2; a word of no file counts as one of a single file: ln 3. Then length 1.
    weights = dict(zip(batch.asked, batch.asked_weights, strict=True))
    length = math.hypot(math.log(2), math.log(3))
    assert weights[bucket("load")] == pytest.approx(math.log(2) / length)
    assert weights[bucket("unheard")] == pytest.approx(math.log(3) / length)


def test_some_candidates_can_be_taken_with_the_rarity_of_all() -> None:
    whole, part = lay_out({"save": 1}, [LOAD, SAVE]), lay_out({"save": 1}, [LOAD, SAVE], [1])
    assert part.files == 1 and part.asked_weights == whole.asked_weights
    assert part.kinds == whole.kinds[4:] and set(part.file_of) == {0}


def test_of_a_large_file_the_definitions_stay_that_share_most_with_the_report() -> None:
    body = "".join(f"def part_{name}():\n    {name} = 1\n    return {name}\n" for name in ("apple", "banana", "cherry"))
    graph = read_graph(body)  # 0 module; 1 to 3 apple, 4 to 6 banana, 7 to 9 cherry
    assert chosen_nodes(graph, {bucket("cherry"): 1.0}, most=3) == [7, 8, 9]
    assert chosen_nodes(graph, {}, most=50) == list(range(10))


def test_no_report_and_no_term_are_laid_out() -> None:
    assert lay_out({}, [read_graph("")]).asked == []


def test_graphs_are_read_from_the_repository_and_kept(open_library: Callable[[], FileCorpus]) -> None:
    corpus = open_library()
    first = graphs_of(corpus, range(corpus.index.size))
    assert max(graph.size for graph in first) > 3
    blob = corpus.index.blobs[corpus.index.paths.index("pkg/loss.py")]
    assert corpus.store.made(f"graph-1:{blob}") is not None
    assert graphs_of(corpus, range(corpus.index.size)) == first


def test_without_pytorch_one_sentence_says_how_to_get_it(
    open_library: Callable[[], FileCorpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra) as raised:
        BjxNet().score(open_library(), Question(read_query(take_apart(Report("focal loss", "")))))
    assert "pip install 'bugloss[torch]'" in raised.value.hint and "\n" not in raised.value.message


def test_the_weights_that_ship_are_small() -> None:
    assert MODEL.stat().st_size < 1_000_000


PROGRAM = """
import json, sys
from pathlib import Path
from bugloss.core.report import Report
from bugloss.adapters.graph_network import fresh, read_weights, score, tensors_of, write_weights
from bugloss.intake.reading import take_apart
from bugloss.localize.contract import Question, Technique
from bugloss.localize.index.file_corpus import FileSelection, open_corpus
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.neural.graph_batch import lay_out
from bugloss.localize.repository.objects import Repository
from bugloss.localize.neural.property_graph import BUCKETS, EDGE_KINDS, KINDS, read_graph
from bugloss.localize.question.query import read_query
from bugloss.localize.techniques.bjxnet import BjxNet
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import find

folder, scratch = map(Path, sys.argv[1:])
repository = Repository(folder)
corpus = open_corpus(repository, repository.resolve("HEAD"), FactStore.open(None), FileSelection())
question = Question(read_query(take_apart(Report("focal_loss fails on predictions", ""))))
shipped = find(PluginGroup.TECHNIQUE, Technique, "bjxnet").score(corpus, question)
again = find(PluginGroup.TECHNIQUE, Technique, "bjxnet").score(corpus, question)
weights = fresh(BUCKETS, len(KINDS), EDGE_KINDS)
write_weights(scratch / "w.gz", weights)
worst = max(float((tensor - weights[name]).abs().max() / weights[name].abs().max()) for name, tensor in read_weights(scratch / "w.gz").items() if weights[name].abs().max() > 0)
plain = BjxNet(weights).score(corpus, question)
apart = [read_graph("def focal_loss(x):\\n    return x\\n"), read_graph("def other(y):\\n    return y\\n")]
both = score(weights, tensors_of(lay_out({"focal_loss": 1}, apart), [0.0, 0.0])).tolist()
empty = score(weights, tensors_of(lay_out({}, [read_graph("")]), [0.0])).tolist()
order = [corpus.index.paths[at] for at in sorted(range(len(plain)), key=lambda at: -plain[at])]
print(json.dumps({"order": order, "same": shipped == again, "files": len(shipped), "worst": worst, "both": both, "empty": len(empty)}))
"""


@pytest.mark.stack
def test_the_technique_runs_where_pytorch_is(
    stack: Callable[[str], Environment], library: TinyRepository, tmp_path: Path
) -> None:
    command = [str(stack("torch").python), "-c", PROGRAM, str(library.folder), str(tmp_path)]
    variables = {"PYTHONPATH": str(SOURCE), "PATH": "/usr/bin:/bin:/usr/local/bin", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["files"] == 4 and found["same"] and found["empty"] == 1
    assert found["order"][0] == "pkg/loss.py"
    assert found["both"][0] > found["both"][1]  # untrained weights already match equal words
    assert found["worst"] < 0.005  # a hundred-and-twenty-seventh of the largest weight, rounded to the nearest
