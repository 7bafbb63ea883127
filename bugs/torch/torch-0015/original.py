class VideoNet(torch.nn.Module):
    def __init__(self, num_classes, dropout_keep_prob=1):
        super(VideoNet, self).__init__()
        self.features = inception_3d()
        self.avg_pool = torch.nn.AvgPool3d((2, 7, 7), stride=(1, 1, 1))
        self.dropout = torch.nn.Dropout(dropout_keep_prob)
        self.logits = torch.nn.Conv3d(1024, num_classes, kernel_size=1)

    def forward(self, clip):
        out = self.dropout(self.avg_pool(self.features(clip)))
        return self.logits(out).mean(2)


net = VideoNet(num_classes=4)
net.train()  # the loss never changes
