"""Gradients that cannot be computed: freed graphs, changed values, broken chains, tensors that never required one."""

from __future__ import annotations

import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape, show_shape
from bugloss.source.text.syntax import method_of


def _changed(scene: Scene, match: re.Match[str]) -> CrashText:
    shape, origin = match["shape"], match["origin"]
    tensor = f"a tensor of {show_shape(read_shape(shape))}" if shape else "a tensor"
    made = f", the result of {origin.removesuffix('Backward0').removesuffix('Backward')}," if origin else ""
    evidence = (
        f"{tensor}{made} is at version {match['have']}, but version {match['want']} is needed." if match["have"] else ""
    )
    if origin and re.match(r"(?:As[Ss]trided|T(?:Backward)?$|TBackward)", origin):
        advice = (
            "A weight was changed between forward and backward: call all backward() before optimizer.step(), or run "
            "forward again after it (typical with two losses or a GAN)."
        )
    else:
        advice = (
            "Replace in-place operations (x += y, x[i] = …, relu(inplace=True)) on that tensor by ones that make a new "
            "one; torch.autograd.set_detect_anomaly(True) shows the forward line."
        )
    return CrashText(
        f"The backward pass needs {tensor}{made} as it was in the forward pass, but it was overwritten meanwhile.",
        advice,
        (evidence,) if evidence else (),
    )


def _without_gradient(scene: Scene, match: re.Match[str]) -> CrashText:
    """Names the call between network and loss that passes no gradient on, where the program shows one."""
    cut = None
    if scene.program is not None:
        from bugloss.observe.crash.fixes.autograd import cut_of

        cut = cut_of(scene, scene.program)
    if cut is not None and scene.place is not None:
        what = f"{method_of(cut)}(…) in line {cut.lineno}"
        return CrashText(
            f"{what} passes no gradient on, so that the loss does not depend on any parameter.",
            f"Compute the loss without {what}: from the outputs of the network themselves.",
            locations=(Location(scene.place.path, cut.lineno, 0.85, None, "the gradient ends here"),),
        )
    return CrashText(
        "The loss depends on no parameter that requires a gradient: the chain was cut, or everything is frozen.",
        "Look between model and loss for torch.tensor(…), .detach(), .item(), .numpy(), argmax, comparisons or "
        "no_grad, and for requires_grad=False on all parameters.",
    )


PATTERNS = (
    Pattern(
        "graph-freed",
        CrashKind.AUTOGRAD,
        FixPattern.API_CONTRACT,
        ("backward through the graph a second time",),
        r"a second time",
        plain(
            "backward() is called a second time on a graph whose buffers are already freed.",
            "Run the forward pass again in each iteration and detach what is carried over (hidden = "
            "hidden.detach(), running sums with loss.item()); add losses up and call backward once. retain_graph=True "
            "only hides a growing graph.",
        ),
        (
            Example(
                "Trying to backward through the graph a second time (or directly access saved tensors after they have "
                "already been freed). Specify retain_graph=True if you need to backward through the graph a second "
                "time",
                ("detach",),
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "in-place-change",
        CrashKind.AUTOGRAD,
        FixPattern.API_CONTRACT,
        ("modified by an inplace operation",),
        r"modified by an inplace operation(?:: \[torch\.[\w.]+ (?P<shape>\[[^\]]*\])\](?:, which is output \d+ of "
        r"(?P<origin>\w+))?, is "
        r"at version (?P<have>\d+); expected version (?P<want>\d+))?",
        _changed,
        (
            Example(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                "[torch.FloatTensor [64, 32]], which is output 0 of ReluBackward0, is at version 1; expected version 0 "
                "instead.",
                ("64×32", "the result of Relu", "version 1"),
            ),
            Example(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                "[torch.FloatTensor [20, 1]], which is output 0 of AsStridedBackward0, is at version 2; expected "
                "version 1 instead.",
                ("before optimizer.step()",),
            ),
            Example("one of the variables needed for gradient computation has been modified by an inplace operation"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "in-place-change",
        CrashKind.AUTOGRAD,
        FixPattern.API_CONTRACT,
        ("leaf Variable that requires grad",),
        r"leaf Variable that requires grad",
        plain(
            "A parameter that requires a gradient was changed in place while gradients were recorded.",
            "Change weights under with torch.no_grad():, or through torch.nn.init; to compute with a changed copy use "
            "w = w + delta.",
        ),
        (
            Example("a leaf Variable that requires grad is being used in an in-place operation.", ("no_grad",)),
            Example("a view of a leaf Variable that requires grad is being used in an in-place operation."),
        ),
        confidence=0.95,
    ),
    Pattern(
        "loss-without-gradient",
        CrashKind.AUTOGRAD,
        FixPattern.NEURAL_CONNECTION,
        ("does not require grad and does not have a grad_fn",),
        r"element (?P<number>\d+) of tensors",
        _without_gradient,
        (Example("element 0 of tensors does not require grad and does not have a grad_fn", (".detach()",)),),
        confidence=0.95,
    ),
    Pattern(
        "loss-not-scalar",
        CrashKind.AUTOGRAD,
        FixPattern.LOSS_FUNCTION,
        (
            "implicitly created only for scalar outputs",
            "only one element tensors can be converted",
            "cannot be converted to Scalar",
        ),
        r"scalar outputs|one element tensors|Tensor with (?P<count>\d+) elements",
        plain(
            "A single number is needed, but the tensor has several elements⟨ ({count})⟩.",
            "Reduce the loss first, loss.mean().backward() (reduction='mean'); to read values use .tolist() or one "
            "element with [i].",
        ),
        (
            Example("grad can be implicitly created only for scalar outputs", ("loss.mean()",)),
            Example("a Tensor with 3 elements cannot be converted to Scalar", ("(3)",)),
            Example("only one element tensors can be converted to Python scalars", (), "ValueError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "array-of-tracked-tensor",
        CrashKind.AUTOGRAD,
        FixPattern.API_CONTRACT,
        ("numpy() on Tensor that requires grad", "numpy() on Variable that requires grad"),
        r"requires grad",
        plain(
            "A tensor that requires gradients cannot be converted to a NumPy array.",
            "Detach it first: tensor.detach().cpu().numpy(). Inside a loss use tensor operations, otherwise the "
            "gradient is lost.",
        ),
        (
            Example(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
                (".detach().cpu().numpy()",),
            ),
        ),
        confidence=0.98,
    ),
    Pattern(
        "inference-tensor",
        CrashKind.AUTOGRAD,
        FixPattern.API_CONTRACT,
        ("Inference tensors cannot", "Inplace update to inference tensor"),
        r"[Ii]nference tensor",
        plain(
            "A tensor created under inference_mode is used in a computation that needs gradients.",
            "Use torch.no_grad() there instead of inference_mode, or clone the tensor outside of it.",
        ),
        (Example("Inference tensors cannot be saved for backward. To work around this, you can make a clone"),),
        confidence=0.95,
    ),
    Pattern(
        "no-gradients",
        CrashKind.AUTOGRAD,
        FixPattern.NEURAL_CONNECTION,
        (
            "No gradients provided for any variable",
            "appears to not have been used in the graph",
            "does not support gradients",
        ),
        r"No gradients provided|not have been used in the graph|does not support gradients",
        plain(
            "No gradient reaches the variables: the loss was not computed from them.",
            "Compute outputs and loss inside the tape from the model's own variables; argmax, round, casts to integers "
            "and .numpy() cut the graph; check that variables are trainable.",
        ),
        (
            Example("No gradients provided for any variable.", ("argmax",), "ValueError"),
            Example(
                "The differentiated Tensor at index 0 appears to not have been used in the graph. Set allow_unused=True"
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "graph-freed",
        CrashKind.AUTOGRAD,
        FixPattern.API_CONTRACT,
        ("non-persistent GradientTape",),
        r"GradientTape",
        plain(
            "tape.gradient() is called twice on a tape that is not persistent.",
            "Compute all gradients in one call, tape.gradient(loss, [a, b]), or create it with "
            "tf.GradientTape(persistent=True).",
        ),
        (Example("A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"),),
        confidence=0.98,
    ),
    Pattern(
        "optimizer-without-parameters",
        CrashKind.AUTOGRAD,
        FixPattern.NEURAL_CONNECTION,
        ("optimizer got an empty parameter list", "optimize a non-leaf Tensor", "'method' object is not iterable"),
        r"empty parameter list|non-leaf Tensor|'method' object is not iterable",
        plain(
            "The optimizer got no trainable parameters.",
            "Keep layers in attributes, nn.ModuleList or nn.Sequential (a plain list is not seen), call "
            "super().__init__(), pass model.parameters() with its parentheses, and make tensors on their device before "
            "requires_grad_().",
        ),
        (
            Example("optimizer got an empty parameter list", ("ModuleList",), "ValueError"),
            Example("can't optimize a non-leaf Tensor", (), "ValueError"),
            Example("'method' object is not iterable", ("parentheses",), "TypeError"),
        ),
        confidence=0.85,
    ),
    Pattern(
        "copy-of-tracked-tensor",
        CrashKind.AUTOGRAD,
        FixPattern.API_CONTRACT,
        (
            "support the deepcopy protocol",
            "can only be called in training mode",
            "finished reduction in the prior",
        ),
        r"deepcopy|in training mode|finished reduction",
        plain(
            "A tensor or module is used in a way that autograd does not support.",
            "Copy values with tensor.detach().clone(); call model.train() before the backward pass of a recurrent "
            "layer; under DistributedDataParallel use every parameter in the forward pass or set "
            "find_unused_parameters=True.",
        ),
        (
            Example(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
                "moment."
            ),
            Example("cudnn RNN backward can only be called in training mode"),
        ),
        confidence=0.7,
    ),
    Pattern(
        "scaler-not-used",
        CrashKind.AUTOGRAD,
        FixPattern.API_CONTRACT,
        ("No inf checks were recorded", "_scale is None", "unscale_() has already been called"),
        r"inf checks|_scale is None|unscale_\(\) has already",
        plain(
            "The methods of the gradient scaler are called in the wrong order.",
            "Once per iteration: scaler.scale(loss).backward(); scaler.unscale_(optimizer) only before clipping; "
            "scaler.step(optimizer); scaler.update().",
        ),
        (
            Example("No inf checks were recorded for this optimizer.", ("scaler.update()",), "AssertionError"),
            Example(
                "Attempted unscale_ but _scale is None.  This may indicate your script did not use scaler.scale(loss)",
                (),
                "AssertionError",
            ),
        ),
        confidence=0.95,
    ),
)

FAMILY = CrashFamily("autograd", PATTERNS)
