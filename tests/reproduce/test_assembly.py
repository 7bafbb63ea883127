"""The first program: the report's fragments put together, and lines that only the traceback shows."""

from __future__ import annotations

from pretended_runs import reading_of

from bugloss.reproduce.program.assembly import assemblies
from bugloss.reproduce.program.draft import LineOrigin
from bugloss.workflows.reproduction import exceptions_of


def first(body: str) -> str:
    reading = reading_of(body)
    return assemblies(reading, exceptions_of(reading))[0].draft.text


def test_a_block_that_another_needs_goes_before_it() -> None:
    body = (
        "I train it:\n\n```python\nnet = Net()\nnet.fit()\n```\n\nThe class:\n\n```python\nclass Net:\n    pass\n```\n"
    )
    text = first(body)
    assert text.index("class Net") < text.index("net = Net()")


def test_a_block_that_is_repeated_stands_there_once() -> None:
    body = "```python\nx = 1\ny = x + 1\n```\n\nAgain:\n\n```python\ny = x + 1\n```\n"
    assert first(body).count("y = x + 1") == 1


def test_shell_commands_are_no_part_of_the_program() -> None:
    assert first("```bash\npip install torch\n```\n\n```python\nx = 1\n```\n") == "x = 1\n"


def test_what_is_said_to_work_is_left_out_of_the_second_try() -> None:
    body = (
        "```python\nmodel = build(1)\nmodel.run()\n```\n\nThis works:\n\n```python\nmodel = other(2)\nmodel.go()\n```\n"
    )
    reading = reading_of(body)
    texts = [one.draft.text for one in assemblies(reading, [])]
    assert "other" in texts[0]
    assert any("other" not in text for text in texts[1:])


def test_a_call_that_only_the_traceback_shows_is_restored() -> None:
    body = (
        "```python\ndef train(rate):\n    return 1 / rate\n```\n\n```\nTraceback (most recent call last):\n"
        '  File "run.py", line 9, in <module>\n    train(0)\n  File "run.py", line 2, in train\n    return 1 / rate\n'
        "ZeroDivisionError: division by zero\n```\n"
    )
    reading = reading_of(body)
    draft = assemblies(reading, exceptions_of(reading))[0].draft
    assert draft.text.endswith("train(0)\n")
    assert draft.origins[draft.text.split("\n").index("train(0)")] is LineOrigin.RESTORED


def test_the_source_lines_of_a_traceback_are_no_part_of_the_program() -> None:
    """An indented one without its first line: the raise in it looked like a line of the program."""
    body = (
        "```python\nx = net(y)\n```\n\n"
        '    File ".../torch/_prims_common/__init__.py", line 931, in check_same_device\n'
        "        raise RuntimeError(msg)\n    RuntimeError: Tensor on device meta is not on the expected device cpu!\n"
    )
    assert "raise" not in first(body)
    (exception,) = exceptions_of(reading_of(body))
    assert (exception.kind, exception.frames[-1].function) == ("RuntimeError", "check_same_device")
