"""Bodies are split into blocks whose positions hold."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.report import BlockKind
from bugloss.intake.blocks import split_blocks


def kinds(body: str) -> list[str]:
    return [block.kind.value for block in split_blocks(body)]


def test_fenced_code_and_its_language_are_kept_without_the_fence() -> None:
    (prose, code) = split_blocks("Here:\n\n```python\nimport torch\nx = torch.ones(2)\n```\n")
    assert prose.kind is BlockKind.PROSE
    assert (code.kind, code.text, code.language) == (BlockKind.CODE, "import torch\nx = torch.ones(2)", "python")


def test_indented_code_is_dedented() -> None:
    blocks = split_blocks("Look:\n\n    def f(x):\n        return x\n\nThanks")
    assert [block.kind.value for block in blocks] == ["prose", "code", "prose"]
    assert blocks[1].text == "def f(x):\n    return x"


def test_code_pasted_amid_prose_is_recognised_line_by_line() -> None:
    body = "I build a model.\nmodel = Sequential()\nmodel.add(Dense(10))\nIt does not learn, and I do not know why."
    assert kinds(body) == ["prose", "code", "prose"]


def test_sentences_that_begin_like_code_stay_prose() -> None:
    body = "For each image in the folder I call predict:\nif it is a cat then the answer is wrong.\nimport of the module fails."
    assert kinds(body) == ["prose"]


def test_prompts_are_taken_off_and_their_output_is_a_log() -> None:
    blocks = split_blocks("```\n>>> x = 1\n>>> x.shape\n(3, 4)\n```")
    assert [(block.kind.value, block.text) for block in blocks] == [("code", "x = 1\nx.shape"), ("log", "(3, 4)")]


def test_a_traceback_below_code_in_one_fence_is_a_block_of_its_own() -> None:
    body = (
        "```\nmodel.fit(x, y)\n\nTraceback (most recent call last):\n"
        '  File "a.py", line 3, in <module>\n    model.fit(x, y)\nValueError: shapes do not match\n  and more\n```\nHelp'
    )
    blocks = split_blocks(body)
    assert [block.kind.value for block in blocks] == ["code", "traceback", "prose"]
    assert blocks[1].text.endswith("ValueError: shapes do not match\n  and more")


FRAMES = """Loading stops:

    File "train.py", line 86, in restore
      net.load_state_dict(torch.load(path))
    File "/venv/lib/python3.11/site-packages/torch/serialization.py", line 795, in load
      raise RuntimeError("no such archive")
    RuntimeError: no such archive
"""


def test_a_traceback_without_its_heading_is_one_block_with_its_source_lines() -> None:
    blocks = split_blocks(FRAMES)
    assert [block.kind for block in blocks] == [BlockKind.PROSE, BlockKind.TRACEBACK]
    assert "net.load_state_dict" in blocks[1].text
    assert blocks[1].text.endswith("RuntimeError: no such archive")


def test_a_frame_that_leads_to_no_error_does_not_swallow_the_code_below() -> None:
    body = '```\n  File "train.py", line 3, in main\nx = 3\ny = x + 1\nz = y * 2\nprint(z)\nw = z\n```\n'
    assert BlockKind.CODE in {block.kind for block in split_blocks(body)}


def test_indented_lines_below_an_error_amid_prose_belong_to_its_message() -> None:
    body = "It says\n\nValueError: the shapes differ:\n  first: (\n    layer(3, size=4))\n\nWhat now?"
    blocks = split_blocks(body)
    assert [block.kind for block in blocks] == [BlockKind.PROSE, BlockKind.TRACEBACK, BlockKind.PROSE]
    assert blocks[1].text.endswith("layer(3, size=4))")


def test_training_output_and_summaries_are_logs() -> None:
    body = "```\nEpoch 1/3\n100/100 [=====] - 1s - loss: 0.6931 - acc: 0.5\nLayer (type)   Output Shape\n=======\n```"
    assert kinds(body) == ["log"]


def test_environments_are_recognised_in_and_outside_fences() -> None:
    assert kinds("- OS: Ubuntu 18.04\n- Python: 3.6\n- PyTorch version: 1.4.0") == ["environment"]
    assert kinds("```\ntorch==1.4.0\nnumpy==1.18.1\n```") == ["environment"]


def test_pre_tags_in_markdown_hold_code() -> None:
    (block,) = split_blocks("<pre><code>import torch\nx = a &lt; b\n</code></pre>")
    assert (block.kind, block.text) == (BlockKind.CODE, "import torch\nx = a < b")


def test_shell_commands_are_code_of_their_own_language() -> None:
    (block,) = split_blocks("```\n$ pip install torch\n```")
    assert block.language == "shell"


def test_an_unclosed_fence_ends_with_the_report() -> None:
    assert kinds("Text\n```\nimport torch") == ["prose", "code"]


@given(st.text(alphabet=st.sampled_from("abc =():\n\t `#>.<pre/Error:1"), max_size=300))
def test_blocks_never_overlap_and_hold_every_word(body: str) -> None:
    blocks = split_blocks(body)
    assert all(first.end <= second.start for first, second in pairwise(blocks))
    assert all(0 <= block.start < block.end <= len(body) for block in blocks)
