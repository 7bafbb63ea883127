num = 101
xs = np.linspace(0, 1, num)
exact = np.exp(xs)

net = tf.keras.Sequential()
net.add(tf.keras.layers.Dense(50, activation="tanh", input_shape=[1]))
net.add(tf.keras.layers.Dense(1))


def my_loss(zero, y):
    # residual of the "equation" y(x) - exp(x) = 0
    return tf.reduce_mean(tf.square((y - exact) - zero), axis=-1)


net.compile(optimizer="adam", loss=my_loss)
net.fit(xs, tf.zeros(num), batch_size=1, epochs=100)
plt.plot(xs, net.predict(xs)[:, 0], xs, exact)  # the first curve is flat
