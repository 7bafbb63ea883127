"""Chooses a retouching style for an image."""

from torch import nn

from retouch.backbone import build_backbone


class StyleChooser(nn.Module):
    def __init__(self, styles=4, pretrained=False):
        super().__init__()
        self.backbone = build_backbone(pretrained)
        self.head = nn.Linear(16, styles)
        self.init_weights()

    def init_weights(self):
        """Xavier for all layers with weights."""
        for module in self.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                nn.init.xavier_uniform_(module.weight, gain=0.5)
                nn.init.zeros_(module.bias)

    def forward(self, images):
        return self.head(self.backbone(images))
