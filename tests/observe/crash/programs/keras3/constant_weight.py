import tensorflow as tf

w = tf.constant([1.0, 2.0])
optimizer = tf.keras.optimizers.SGD(0.1)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w ** 2)
    grads = tape.gradient(loss, [w])
    optimizer.apply_gradients(zip(grads, [w]))
