"""The one telling sentence, out of everything that frameworks wrap around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.failure.essence import essence

SENTENCE = "Input 0 of layer 'dense' is incompatible with the layer"
WRAPPED = {
    "bare": SENTENCE,
    "keras 3": f"Exception encountered when calling Sequential.call().\n\n\x1b[1m{SENTENCE}\x1b[0m\n\nArguments received by Sequential.call():\n  • x=1",
    "tf.keras": f'Exception encountered when calling layer "net" (type Net).\n\n{SENTENCE}\n\nCall arguments received:\n  • x=1',
    "autograph": f'in user code:\n\n    File "/lib/python3.8/site-packages/keras/t.py", line 9, in f  *\n        return g()\n\n    ValueError: {SENTENCE}\n',
    "autograph 1": f"in converted code:\n\n    train.py:230 f  *\n        return g()\n\n    ValueError: {SENTENCE}\n",
    "graph": f"Graph execution error:\n\nDetected at node 'a/b' defined at (most recent call last):\n    File \"train.py\", line 3, in <module>\n      fit()\nNode: 'a/b'\n{SENTENCE}\n\t [[{{{{node a/b}}}}]] [Op:__inference_f_1]",
    "graph 3": f'Graph execution error:\n\nDetected at node a/b defined at (most recent call last):\n  File "train.py", line 3, in <module>\n\n  File "k.py", line 4, in f\n\n{SENTENCE}\n\t [[{{{{node a/b}}}}]]',
    "session": f"{SENTENCE}\n\t [[node add (defined at /x/ops.py:1748) ]]\n\nOriginal stack trace for 'add':\n  File \"train.py\", line 3, in <module>\n    x + y\n",
    "worker": f'Caught ValueError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\n  File "train.py", line 3, in f\n    g()\nValueError: {SENTENCE}\n',
    "replica": f'Caught ValueError in replica 0 on device 0.\nOriginal Traceback (most recent call last):\n  File "train.py", line 3, in f\n    g()\nValueError: {SENTENCE}\n',
    "layers in layers": f'Exception encountered when calling layer "net" (type Net).\n\nin user code:\n\n    File "train.py", line 3, in call  *\n        return self.conv(x)\n\n    ValueError: Exception encountered when calling layer "conv" (type Conv2D).\n    \n    {SENTENCE}\n    \n    Call arguments received by layer "conv" (type Conv2D):\n      • inputs=1\n\n\nCall arguments received by layer "net" (type Net):\n  • x=1',
    "roots": f"2 root error(s) found.\n  (0) Invalid argument:  {SENTENCE}\n\t [[{{{{node a}}}}]]\n  (1) Cancelled: later\n0 successful operations.",
    "python function": f'{{{{function_node __wrapped__EagerPyFunc}}}} ValueError: {SENTENCE}\nTraceback (most recent call last):\n\n  File "train.py", line 3, in f\n    g()\n\nValueError: {SENTENCE}\n\n\n\t [[{{{{node PyFunc}}}}]] [Op:EagerPyFunc]',
    "backend": f"backend='inductor' raised:\nRuntimeError: {SENTENCE}\n\nSet TORCH_LOGS=\"+dynamo\" for more information",
    "dynamo": f'Failed running call_function <built-in function linear>(*(FakeTensor(..., size=(2, 3)),), **{{}}):\n{SENTENCE}\n\nfrom user code:\n   File "train.py", line 3, in forward\n    return self.fc(x)\n',
    "fake tensors": f'Dynamo failed to run FX node with fake tensors: call_function <built-in function linear>(*(1,), **{{}}): got RuntimeError("{SENTENCE}")\n\nfrom user code:\n   File "train.py", line 3, in forward\n    return self.fc(x)\n',
    "ray": f'\x1b[36mray::train()\x1b[39m (pid=1, ip=1.2.3.4)\n  File "train.py", line 3, in train\n    f()\nValueError: {SENTENCE}',
    "frames of C++": f"{SENTENCE}\nException raised from check at ../aten/src/x.cpp:12 (most recent call first):\nframe #0: c10::Error::Error(...) + 0x42",
    "back trace": f"{SENTENCE}\nStack trace:\n  [bt] (0) /x/libmxnet.so(+0x2c)",
    "line of C++": f"{SENTENCE} at /pytorch/aten/src/TH/generic/THTensorMath.cpp:2070",
    "eager": f"{{{{function_node __wrapped__MatMul_device_/job:localhost/device:CPU:0}}}} {SENTENCE} [Op:MatMul] name: ",
}


@pytest.mark.parametrize("message", WRAPPED.values(), ids=WRAPPED)
def test_the_sentence_is_found(message: str) -> None:
    assert essence(message).text == SENTENCE


@pytest.mark.parametrize(
    "name",
    ["autograph 1", "graph", "graph 3", "session", "worker", "layers in layers", "python function", "dynamo", "ray"],
)
def test_the_frames_of_the_wrapping_are_kept(name: str) -> None:
    assert "train.py" in [frame.path for frame in essence(WRAPPED[name]).frames]


def test_the_layer_that_was_called_is_named() -> None:
    assert essence(WRAPPED["keras 3"]).layer == "Sequential"
    assert essence(WRAPPED["tf.keras"]).layer == "net"
    assert essence(WRAPPED["layers in layers"]).layer == "conv"


def test_the_exception_inside_is_named() -> None:
    assert essence(WRAPPED["worker"]).kind == "ValueError"
    assert essence(WRAPPED["backend"]).kind == "RuntimeError"
    assert essence(WRAPPED["fake tensors"]).kind == "RuntimeError"
    assert essence(WRAPPED["bare"]).kind == ""


@given(
    st.text(max_size=200),
    st.sampled_from(["", "in user code:", "Graph execution error:", "Caught X in DataLoader worker process 0."]),
)
def test_any_message_has_an_essence(message: str, start: str) -> None:
    essence(start + message)
