def make_net():
    net = Sequential()
    net.add(Dense(13, input_dim=13, kernel_initializer='normal', activation='relu'))
    net.add(Dense(1, kernel_initializer='normal'))
    net.compile(optimizer='adam', loss='mean_squared_error')
    return net

nets = []
for X, y in zip(train_sets, train_targets):
    reg = KerasRegressor(build_fn=make_net, epochs=50, batch_size=10, verbose=0)
    nets.append(reg.fit(X, y))

results = []
for X in test_sets:
    for net in nets:
        results.append(net.predict(X))    # AttributeError here
