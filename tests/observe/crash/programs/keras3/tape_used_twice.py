import tensorflow as tf

encoder = tf.keras.layers.Dense(4)
decoder = tf.keras.layers.Dense(3)
first, second = tf.keras.optimizers.SGD(0.1), tf.keras.optimizers.SGD(0.1)
x = tf.random.uniform((8, 3))
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((decoder(encoder(x)) - x) ** 2)
    first.apply_gradients(zip(tape.gradient(loss, encoder.trainable_variables), encoder.trainable_variables))
    second.apply_gradients(zip(tape.gradient(loss, decoder.trainable_variables), decoder.trainable_variables))
