class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(3, 6, 5)
        self.pool = nn.MaxPool2d(2, 2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 50)
        self.fc3 = nn.Linear(50, len(classes))

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        print(x.shape)
        x = x.view(x.size(0), -1)
        x = F.relu(self.fc1(x))  # <- size mismatch, m1: [1 x 214720], m2: [400 x 120]
        x = F.relu(self.fc2(x))
        return self.fc3(x)


net = Net()
for images, labels in train_loader:  # 90 images, 3 classes
    outputs = net(images)
