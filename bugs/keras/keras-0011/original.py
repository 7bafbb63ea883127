data = numpy.loadtxt("toxicity.csv", delimiter=";")
X = data[:, 2:4]
Y = data[:, 1]          # from -1.05 to 2.71

net = Sequential()
net.add(Dense(4, activation='relu', input_dim=2))
net.add(Dense(1, activation='relu'))
net.compile(optimizer='sgd', loss='mean_squared_error', metrics=['MSE'])
net.fit(X, Y, batch_size=10, epochs=500)

print(net.predict(X))   # 0 wherever Y is negative
