import torch

from serve.detector import Detector, detect, export


def main():
    torch.manual_seed(0)
    images = torch.rand(4, 3, 24, 24)
    model = Detector()
    for half in (False, True):
        scores = detect(export(model, half), images)
        print("half" if half else "full", [round(score, 3) for score in scores[:, 0].tolist()])


if __name__ == "__main__":
    main()
