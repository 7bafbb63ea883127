X = np.random.randn(100, 5)
Y = X + 0.01 * np.random.randn(100, 5)
W = np.random.rand(100, 5)          # importance of every entry of Y

def my_loss(y_true, y_pred):
    return K.mean(W * K.abs(y_pred - y_true))

inp = Input(shape=(5,))
net = Model(inp, Dense(5)(inp))
net.compile('adam', my_loss)        # 'mean_absolute_error' is fine
net.fit(X, Y, epochs=10)            # InvalidArgumentError: Incompatible shapes: [32,5] vs. [100,5]
