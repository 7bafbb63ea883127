"""Tensors and models that are not on one device, devices that are not there, copies that must come back first."""

from __future__ import annotations

import re

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash_event import Operand


def _two_devices(scene: Scene, match: re.Match[str]) -> CrashText:
    words = {name: value for name, value in match.groupdict().items() if value}
    first = words.get("first") or words.get("wrong") or words.get("one") or "one device"
    second = words.get("second") or words.get("right") or words.get("other") or "another"
    apart = _apart(scene)
    evidence = (f"In this function: {apart}.",) if apart else ()
    argument = (
        f" (argument {words['argument']} of {words['function']})" if "argument" in words and "function" in words else ""
    )
    return CrashText(
        f"An operation{argument} has inputs on {first} and on {second}.",
        "Move model and data to one device, model.to(device) and batch.to(device); create new tensors on the same "
        "device, torch.zeros(…, device=x.device) or torch.zeros_like(x); register constants of a module with "
        "register_buffer.",
        evidence,
        suspects=tuple(operand.name for operand in _operands_apart(scene) if operand.device == first),
    )


def _apart(scene: Scene) -> str:
    """The tensors of the crashing line by device, if they are on more than one."""
    return ", ".join(f"{operand.name} is on {operand.device}" for operand in _operands_apart(scene)[:4])


def _operands_apart(scene: Scene) -> list[Operand]:
    line = scene.place.text if scene.place else ""
    placed = [operand for operand in scene.operands if operand.device]
    shown = [operand for operand in placed if not line or operand.name in line] or placed
    return shown if len({operand.device for operand in shown}) > 1 else []


PATTERNS = (
    Pattern(
        "devices-differ",
        CrashKind.DEVICE,
        FixPattern.DEVICE,
        (
            "to be on the same device",
            "is not on the expected device",
            "are not at the same device",
            "not on the same device",
        ),
        r"two devices, (?P<first>[\w:]+) and (?P<second>[\w:]+?)[!.]?(?: \(when checking argument for argument "
        r"(?P<argument>\w+) in "
        r"method (?P<function>\w+)\))?(?:$|\W)"
        r"|Tensor on device (?P<wrong>[\w:]+) is not on the expected device (?P<right>[\w:]+?)!"
        r"|got \w+ is on (?P<one>[\w:]+), different from other tensors on (?P<other>[\w:]+)"
        r"|same device(?!.*(?:two devices|different from other))",
        _two_devices,
        (
            Example(
                "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when "
                "checking argument for argument mat1 in method wrapper_addmm)",
                ("cuda:0 and on cpu", "argument mat1 of wrapper_addmm"),
            ),
            Example(
                "Tensor on device meta is not on the expected device cpu!",
                ("noise is on cpu", "codes is on meta"),
                program="codes = codes + noise\n",
                operands=(Operand("codes", (8, 2), "float32", "meta"), Operand("noise", (8, 2), "float32", "cpu")),
            ),
            Example(
                "Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors "
                "on cuda:0",
                ("cpu", "cuda:0"),
            ),
            Example(
                "Input and hidden tensors are not at the same device, found input tensor at cuda:0 and hidden tensor "
                "at cpu"
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "devices-differ",
        CrashKind.DEVICE,
        FixPattern.DEVICE,
        ("torch.cuda.", "Expected object of backend", "Expected object of device type"),
        r"Input type \((?P<first>torch\.(?:cuda\.)?\w+)\) and (?:weight|bias) type \("
        r"(?P<second>torch\.(?:cuda\.)?\w+)\)"
        r"|of (?:backend|device type) (?P<right>\w+) but got (?:backend|device type) (?P<wrong>\w+)"
        r"|type torch\.(?P<one>cuda\.)?\w+ but found type torch\.(?P<other>cuda\.)?\w+",
        _two_devices,
        (
            Example(
                "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same",
                ("torch.FloatTensor", "torch.cuda.FloatTensor"),
            ),
            Example("Expected object of backend CPU but got backend CUDA for argument #2 'weight'", ("CUDA", "CPU")),
            Example(
                "Expected object of device type cuda but got device type cpu for argument #1 'self' in call to _th_mm"
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "accelerator-missing",
        CrashKind.DEVICE,
        FixPattern.DEVICE,
        (
            "Torch not compiled with CUDA enabled",
            "no NVIDIA driver",
            "No CUDA GPUs are available",
            "CUDA is not enabled",
        ),
        r"not compiled with CUDA|no NVIDIA driver|No CUDA GPUs|CUDA is not enabled",
        plain(
            "The program needs a GPU, but this machine or this build of the framework has no GPU support.",
            "Choose the device at run time, device = 'cuda' if torch.cuda.is_available() else 'cpu', and use "
            ".to(device) instead of .cuda(); to use a GPU, install the build with CUDA.",
        ),
        (
            Example("Torch not compiled with CUDA enabled", (), "AssertionError"),
            Example("Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU"),
            Example("No CUDA GPUs are available"),
            Example(
                "Cannot assign a device for operation zeros: node zeros was explicitly assigned to /device:GPU:0 but "
                "available devices are [ /job:localhost/replica:0/task:0/device:CPU:0 ]. The requested device appears "
                "to be a GPU, but CUDA is not enabled.",
                (),
                "InvalidArgumentError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "checkpoint-of-other-device",
        CrashKind.DEVICE,
        FixPattern.DEVICE,
        ("Attempting to deserialize object on",),
        r"deserialize object on (?:a )?(?P<device>.+?)(?: but|\.)",
        plain(
            "The checkpoint was saved on {device}, which this machine does not have.",
            "Load it with torch.load(path, map_location='cpu') and move the model afterwards.",
        ),
        (
            Example(
                "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are "
                "running on a CPU-only machine, please use torch.load with map_location",
                ("CUDA device", "map_location='cpu'"),
            ),
        ),
        confidence=0.98,
    ),
    Pattern(
        "device-number",
        CrashKind.DEVICE,
        FixPattern.DEVICE,
        ("invalid device ordinal", "Invalid device id"),
        r"invalid device ordinal|Invalid device id",
        plain(
            "The program uses a GPU index that this machine does not have.",
            "Use an index below torch.cuda.device_count(), and check CUDA_VISIBLE_DEVICES: it renumbers the GPUs "
            "from 0.",
        ),
        (Example("CUDA error: invalid device ordinal"), Example("Invalid device id", (), "AssertionError")),
    ),
    Pattern(
        "device-array-conversion",
        CrashKind.DEVICE,
        FixPattern.DEVICE,
        ("device type tensor to numpy", "can't convert CUDA tensor to numpy"),
        r"can't convert (?P<device>\S+) (?:device type )?tensor to numpy",
        plain(
            "NumPy can only read CPU memory; this tensor is on {device}.",
            "Copy it first: tensor.detach().cpu().numpy().",
        ),
        (
            Example(
                "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory "
                "first.",
                ("cuda:0", ".cpu().numpy()"),
                "TypeError",
            ),
            Example(
                "can't convert CUDA tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.",
                (),
                "TypeError",
            ),
        ),
        confidence=0.98,
    ),
    Pattern(
        "build-does-not-fit-device",
        CrashKind.DEVICE,
        FixPattern.ENVIRONMENT,
        (
            "no kernel image is available",
            "cuda runtime error",
            "CUDA driver version is insufficient",
            "CUDNN_STATUS_NOT_INITIALIZED",
            "driver on your system is",
        ),
        r"no kernel image|cuda runtime error \((?:11|48)\)|driver version is insufficient|CUDNN_STATUS_NOT_INITIALIZED"
        r"|driver on your system is",
        plain(
            "The installed build does not fit this GPU or its driver.",
            "Install the build for this GPU and driver (see torch.cuda.get_arch_list() and nvidia-smi), or "
            "update the driver.",
        ),
        (
            Example("CUDA error: no kernel image is available for execution on the device"),
            Example("cuda runtime error (11) : invalid argument at /pytorch/aten/src/THC/THCGeneral.cpp:405"),
            Example("cuDNN error: CUDNN_STATUS_NOT_INITIALIZED"),
        ),
    ),
)

FAMILY = CrashFamily("devices", PATTERNS)
