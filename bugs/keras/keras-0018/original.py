# x_train: flattened CIFAR-10 pictures divided by 255, y_train: one-hot labels
model = Sequential()
model.add(Dense(units = 8, activation = 'sigmoid', input_dim = x_train.shape[1]))
for n in [16, 32, 64, 128]:
    model.add(Dense(units = n, activation = 'sigmoid'))
model.add(Dense(units = 10, activation = 'softmax'))

model.compile(optimizer = 'adam', loss = 'categorical_crossentropy', metrics = ['accuracy'])
model.fit(x_train, y_train, batch_size = 500, epochs = 1000)   # accuracy stays at 0.10
