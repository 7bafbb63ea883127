"""Tracebacks in all the states in which people paste them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.failure.traceback_text import last_failure, read_failures
from bugloss.core.raised import RaisedException
from bugloss.core.run import Frame


def parse(text: str) -> RaisedException | None:
    found = last_failure(text)
    return found.exception if found else None


def parse_all(text: str) -> list[RaisedException]:
    return [failure.exception for failure in read_failures(text)]


PLAIN = """\
Traceback (most recent call last):
  File "train.py", line 9, in <module>
    main()
    ~~~~^^
  File "train.py", line 5, in main
    x = net(batch)
RuntimeError: expected scalar type Float but found Double
"""
FRAMES = (Frame("train.py", 9, "<module>", "main()"), Frame("train.py", 5, "main", "x = net(batch)"))


def prefixed(prefix: str) -> str:
    return "".join(f"{prefix}{line}\n" for line in PLAIN.splitlines())


STATES = {
    "plain": PLAIN,
    "crlf": PLAIN.replace("\n", "\r\n"),
    "log": "12:00:00 INFO epoch 1\n" + prefixed("12:00:01 ERROR [worker-3] ") + "12:00:02 INFO done\n",
    "rank": prefixed("[rank0]: "),
    "ray": prefixed("(train pid=4711) "),
    "container": prefixed("trainer_1  | "),
    "quoted": "Hello,\n\n" + prefixed("> ") + "\nAny idea?\n",
    "markdown": "It stops:\n\n" + prefixed("    ") + "\nWhat is wrong?\n",
    "fenced": f"It stops:\n\n```\n{PLAIN}```\nWhat is wrong?\n",
    "logger": PLAIN.replace("Traceback", "ERROR:root:Traceback", 1),
    "coloured": PLAIN.replace("RuntimeError", "\x1b[31mRuntimeError\x1b[0m"),
    "colours pasted": PLAIN.replace("RuntimeError", "[0;31mRuntimeError[0m"),
    "shell": PLAIN + "$ vim train.py\n",
    "after output": "epoch 1 loss 0.7\n" * 50 + PLAIN,
}


@pytest.mark.parametrize("text", STATES.values(), ids=STATES)
def test_the_exception_is_read_in_every_state(text: str) -> None:
    exception = parse(text)
    assert exception is not None
    assert (exception.kind, exception.frames) == ("RuntimeError", FRAMES)
    assert exception.message.split("\n")[0] == "expected scalar type Float but found Double"


def test_what_follows_a_traceback_is_not_its_message() -> None:
    for state in ("log", "quoted", "markdown", "shell"):
        exception = parse(STATES[state])
        assert exception is not None
        assert exception.message == "expected scalar type Float but found Double"


def test_of_a_chain_the_last_exception_ended_the_program() -> None:
    for words in (
        "During handling of the above exception, another exception occurred",
        "The above exception was the direct cause of the following exception",
    ):
        chain = f"{PLAIN}\n{words}:\n\n{PLAIN.replace('RuntimeError: expected', 'ValueError: wanted')}"
        assert [found.kind for found in parse_all(chain)] == ["RuntimeError", "ValueError"]
        first, last = parse_all(chain)
        assert first.message == "expected scalar type Float but found Double"
        assert last.message == "wanted scalar type Float but found Double"


def test_a_class_is_known_by_its_short_and_its_whole_name() -> None:
    exception = parse(PLAIN.replace("RuntimeError", "torch.cuda.OutOfMemoryError"))
    assert exception is not None
    assert (exception.kind, exception.qualified) == ("OutOfMemoryError", "torch.cuda.OutOfMemoryError")


def test_old_notebooks_are_read() -> None:
    exception = parse(
        "-----\nRuntimeError                              Traceback (most recent call last)\n"
        "<ipython-input-5-1f2e> in <module>()\n      1 model = Net()\n----> 2 out = model(x)\n\n"
        "~/anaconda3/lib/python3.7/site-packages/torch/nn/modules/module.py in __call__(self, *input)\n"
        "--> 532             result = self.forward(*input)\n\nRuntimeError: size mismatch, m1: [1 x 8], m2: [4 x 2]\n"
    )
    assert exception is not None
    assert exception.frames[0] == Frame("<ipython-input-5-1f2e>", 2, "<module>", "out = model(x)")
    assert exception.frames[1].function == "__call__"
    assert exception.message == "size mismatch, m1: [1 x 8], m2: [4 x 2]"


def test_new_notebooks_are_read() -> None:
    exception = parse(
        "-----\nValueError                                Traceback (most recent call last)\n"
        "Cell In[3], line 4\n      2 model = build()\n----> 4 model.fit(x, y)\n\n"
        "File ~/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py:122, in filter.<locals>.handler(*args)\n"
        "--> 122     raise e\n\nValueError: wrong\n"
    )
    assert exception is not None
    assert exception.frames[0] == Frame("<cell 3>", 4, "<module>", "model.fit(x, y)")
    assert (exception.frames[1].line, exception.frames[1].function) == (122, "filter.<locals>.handler")


def test_a_traceback_without_its_head_is_read_from_its_end() -> None:
    exception = parse("\n".join(PLAIN.splitlines()[4:]))
    assert exception is not None
    assert exception.frames == FRAMES[1:]
    assert exception.kind == "RuntimeError"


def test_a_traceback_without_its_end_still_tells_where() -> None:
    exception = parse("\n".join(PLAIN.splitlines()[:6]))
    assert exception is not None
    assert (exception.kind, exception.message, exception.frames) == ("", "", FRAMES)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("RuntimeError: CUDA out of memory", "RuntimeError", "CUDA out of memory"),
        ("it says ValueError: no good", "ValueError", "no good"),
        ("E       KeyError: 'acc'", "KeyError", "'acc'"),
        (
            'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyboardInterrupt\n',
            "KeyboardInterrupt",
            "",
        ),
    ],
)
def test_a_single_line_is_enough(text: str, kind: str, message: str) -> None:
    exception = parse(text)
    assert exception is not None
    assert (exception.kind, exception.message) == (kind, message)


def test_the_paragraphs_of_a_framework_stay_together() -> None:
    message = "Exception encountered when calling Sequential.call().\n\nInvalid input shape\n\nArguments received by Sequential.call():\n  • x=1"
    exception = parse(PLAIN.replace("expected scalar type Float but found Double", message))
    assert exception is not None
    assert exception.message == message


def test_the_failed_assertion_of_a_card_is_added_to_what_the_exception_says() -> None:
    said = "Loss.cu:242: nll_loss: block: [0,0,0] Assertion `t >= 0 && t < n_classes` failed.\n"
    exception = parse(
        said + PLAIN.replace("expected scalar type Float but found Double", "CUDA error: device-side assert triggered")
    )
    assert exception is not None
    assert "n_classes" in exception.message


@pytest.mark.parametrize("text", ["", "\n", "epoch 1: loss 0.3\nepoch 2: loss nan", "no Traceback here"])
def test_a_text_without_an_exception_has_none(text: str) -> None:
    assert parse(text) is None


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    parse_all(text)


@given(
    st.lists(
        st.sampled_from(
            [
                *PLAIN.splitlines(),
                "",
                "During handling of the above exception, another exception occurred:",
                "> x",
                "Cell In[1], line 2",
                "----> 2 f()",
                "X        Traceback (most recent call last)",
            ]
        ),
        max_size=25,
    )
)
def test_torn_and_shuffled_tracebacks_can_be_read(lines: list[str]) -> None:
    parse_all("\n".join(lines))


def frames_of(text: str) -> list[tuple[str, int, str]]:
    return [(frame.path, frame.line, frame.text) for failure in read_failures(text) for frame in failure.frames]


BODY = PLAIN.split("\n", 1)[1]
TORN = {
    "without heading": BODY,
    "without indentation": "\n".join(line.strip() for line in BODY.splitlines() if "~" not in line),
    "without heading, logged": "".join(f"04:15:34 [INFO ] worker -   {line}\n" for line in BODY.splitlines()),
    "every other line blank": "".join(f"[20:44:38] {line}\n\n" for line in PLAIN.splitlines()),
    "one string of JSON": '{"error": "' + PLAIN.replace('"', '\\"').replace("\n", "\\n") + '"}',
    "after another one": f"{PLAIN.replace('Runtime', 'Key')}\nand later\n\n{BODY}",
    "of a remote process": f'RemoteTraceback: \n"""\n{PLAIN}"""\n',
}


@pytest.mark.parametrize("text", TORN.values(), ids=TORN)
def test_what_copying_and_logging_break_is_read_all_the_same(text: str) -> None:
    failure = read_failures(text)[-1]
    assert (failure.kind, failure.text.split("\n")[0]) == (
        "RuntimeError",
        "expected scalar type Float but found Double",
    )
    assert failure.frames == FRAMES


def test_frames_alone_tell_where() -> None:
    (failure,) = read_failures("It stops at\n" + "\n".join(BODY.splitlines()[:2]) + "\n\nand I do not know why.")
    assert (failure.kind, failure.frames) == ("", FRAMES[:1])


def test_a_page_that_takes_angle_brackets_for_tags_loses_names_but_no_frames() -> None:
    lost = PLAIN.replace("<module>", "").replace('  File "train.py", line 5', '  File "", line 5')
    assert frames_of(lost) == [("train.py", 9, "main()"), ("", 5, "x = net(batch)")]


def test_a_message_of_a_card_or_a_compiler_that_begins_like_a_traceback_is_one_failure() -> None:
    (failure,) = read_failures(
        "E           mxnet.base.MXNetError: Traceback (most recent call last):\n"
        'E             File "../src/io/image_io.cc", line 190\n'
        "E           MXNetError: Check failed: len > 0: Input cannot be an empty buffer\n"
    )
    assert (failure.kind, failure.text) == ("MXNetError", "Check failed: len > 0: Input cannot be an empty buffer")
    assert failure.frames[0].path == "../src/io/image_io.cc"


GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "train.py", line 9, in <module>
  |     main()
  | ExceptionGroup: workers failed (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "train.py", line 5, in main
    |     x = net(batch)
    | RuntimeError: expected scalar type Float
    +---------------- 2 ----------------
    | ValueError: never raised
    +------------------------------------
"""


def test_the_members_of_an_exception_group_are_failures_of_their_own() -> None:
    group, first, second = read_failures(GROUP)
    assert [one.kind for one in (group, first, second)] == ["ExceptionGroup", "RuntimeError", "ValueError"]
    assert (group.frames, first.frames, second.frames) == (FRAMES[:1], FRAMES[1:], ())
    assert second.text == "never raised"


@pytest.mark.parametrize(
    ("heading", "frame"),
    [
        ("<ipython-input-3-9f> in <cell line: 2>()", "<ipython-input-3-9f>"),
        ("[/tmp/ipython-input-3.py](https://localhost:8080/#) in <cell line: 0>()", "/tmp/ipython-input-3.py"),
        ("C:\\Users\\A Name\\net.py in forward(self, x)", "C:\\Users\\A Name\\net.py"),
        ("Input In [7], in <cell line: 2>()", "<cell 7>"),
        ("File ~/net.py:2, in Net.forward(self, x)", "~/net.py"),
    ],
)
@pytest.mark.parametrize("heading_of_all", ["ValueError      Traceback (most recent call last)\n", ""])
def test_frames_of_notebooks_are_read_with_and_without_their_heading(
    heading: str, frame: str, heading_of_all: str
) -> None:
    text = f"{heading_of_all}{heading}\n      1 x = 1\n----> 2 f(x)\n      3 \n\nValueError: wrong\n"
    for body in (text, "".join(f"    {line}\n" for line in text.splitlines()) if heading_of_all else text):
        failure = last_failure(body)
        assert failure is not None
        assert (failure.kind, failure.text) == ("ValueError", "wrong")
        assert [(one.path, one.line, one.text) for one in failure.frames] == [(frame, 2, "f(x)")]


def test_a_failure_knows_its_place_and_whether_another_follows() -> None:
    text = f"first\n{PLAIN}\nthen\n{PLAIN.replace('Runtime', 'Value')}\nlast\n"
    first, second = read_failures(text)
    assert text[first.start : first.end] + "\n" == PLAIN
    assert text[second.start : second.end].endswith("ValueError: expected scalar type Float but found Double")
    assert (first.superseded, second.superseded) == (True, False)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("ray.exceptions.RayTaskError(ValueError): \x1b[36mray::train()\x1b[39m", "RayTaskError"),
        ("socket.error: [Errno 111] Connection refused", "error"),
        ("exceptions.ValueError: bad", "ValueError"),
        ("queue.Empty", "Empty"),
    ],
)
def test_classes_have_all_kinds_of_names(line: str, kind: str) -> None:
    exception = parse(f'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\n{line}\n')
    assert exception is not None
    assert exception.kind == kind


def test_words_below_the_arguments_of_a_layer_are_not_the_message() -> None:
    message = "Exception encountered when calling Net.call().\n\nbad\n\nArguments received by Net.call():\n  • x=1"
    exception = parse(f"ValueError: {message}\n\nHow can I fix it?\n")
    assert exception is not None
    assert exception.message == message
