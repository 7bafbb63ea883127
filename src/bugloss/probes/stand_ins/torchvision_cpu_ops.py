"""Put beside torchvision by bugloss, where its compiled part is built for CUDA and torch is not.

torchvision cannot be imported without the operators that it describes to torch. Of these, non-maximum suppression is
given here in plain torch; what else is compiled (deformable convolution, pooling of regions) is missing.
"""

import importlib

torch = importlib.import_module("torch")

_library = torch.library.Library("torchvision", "DEF")
_library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
_library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")


def _nms(boxes, scores, iou_threshold):
    order = scores.argsort(descending=True, stable=True)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept = []
    while order.numel():
        best, order = order[0], order[1:]
        kept.append(best)
        low = torch.maximum(boxes[best, :2], boxes[order, :2])
        high = torch.minimum(boxes[best, 2:], boxes[order, 2:])
        shared = (high - low).clamp(min=0).prod(dim=1)
        order = order[shared / (areas[best] + areas[order] - shared) <= iou_threshold]
    return torch.stack(kept) if kept else torch.empty(0, dtype=torch.int64)


_library.impl("nms", _nms, "CPU")
