"""Trained weights that cannot be downloaded: the model keeps the random ones that it starts with, and it is said.

Also ``plot_model``, which needs a program that few machines have: without it nothing is drawn and training goes on.
"""

import functools

from .. import core

KERAS = ("keras.applications.", "keras.src.applications.", "tensorflow.python.keras.applications.")
FAMILIES = (
    "convnext densenet efficientnet efficientnet_v2 inception_resnet_v2 inception_v3 mobilenet mobilenet_v2 "
    "mobilenet_v3 nasnet regnet resnet resnet50 resnet_rs resnet_v2 vgg16 vgg19 xception"
).split()
DRAWING = (
    "keras.utils.vis_utils", "keras.src.utils.vis_utils", "keras.src.utils.model_visualization",
    "tensorflow.python.keras.utils.vis_utils",
)  # fmt: skip


class NoWeights(dict):  # type: ignore[type-arg]
    """What a file of weights is replaced by: a model that loads it stays as it is."""


def install(recorder, wrapping, watch_import):
    for place in KERAS:
        for family in FAMILIES:
            watch_import(place + family, wrapping(recorder, wrap_application))
    for place in DRAWING:
        watch_import(place, wrapping(recorder, wrap_drawing))
    watch_import("torch.hub", wrapping(recorder, wrap_hub))
    watch_import("torch.nn.modules.module", wrapping(recorder, wrap_module))


def wrap_application(recorder, module):
    """The functions of a module of ``keras.applications`` that make a network."""
    instead = core.neighbour("generated").instead
    for name, function in list(vars(module).items()):
        code = getattr(function, "__code__", None)
        if code is not None and name[:1].isupper() and "weights" in code.co_varnames[: code.co_argcount]:
            made = functools.partial(untrained, function)
            setattr(module, name, instead(recorder, function, "weights of " + name, made))


def untrained(function, *arguments, **named):
    """The same network without trained weights, whether they are named or the default."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    place = names.index("weights")
    if len(arguments) > place:
        return function(*(arguments[:place] + (None,) + arguments[place + 1 :]), **named)
    return function(*arguments, **dict(named, weights=None))


def wrap_drawing(recorder, module):
    real = module.plot_model

    @functools.wraps(real)
    def plot_model(*arguments, **named):
        try:
            return real(*arguments, **named)
        except (ImportError, OSError):  # pydot or graphviz is missing
            return None

    module.plot_model = plot_model


def wrap_hub(recorder, module):
    """``load_state_dict_from_url``, which torchvision, timm and others fetch weights by."""
    instead = core.neighbour("generated").instead
    real = module.load_state_dict_from_url
    module.load_state_dict_from_url = instead(recorder, real, name_of, no_weights)


def name_of(url, *arguments, **named):
    return "weights in " + str(url).rsplit("/", 1)[-1]


def no_weights(*arguments, **named):
    return NoWeights()


def wrap_module(recorder, module):
    """A model asked to load what is not there stays as it is; its method is looked up before the file is fetched."""
    real = module.Module.load_state_dict

    @functools.wraps(real)
    def load_state_dict(model, state_dict, *more, **options):
        if isinstance(state_dict, NoWeights):
            return real(model, model.state_dict())
        return real(model, state_dict, *more, **options)

    module.Module.load_state_dict = load_state_dict
