class BasicConv2d(nn.Module):
    def __init__(self, in_planes, out_planes, kernel_size, stride, padding=0):
        super(BasicConv2d, self).__init__()
        self.conv = nn.Conv2d(in_planes, out_planes, kernel_size, stride, padding, bias=False)
        self.bn = nn.BatchNorm2d(out_planes, eps=0.001, momentum=0, affine=True)
        self.relu = nn.ReLU(inplace=False)


model = inception(num_classes=num_my_classes)
for epoch in range(epochs):
    model.train()
    train(train_loader, model, criterion, optimizer)  # goes down
    model.eval()
    validate(val_loader, model, criterion)  # goes up
