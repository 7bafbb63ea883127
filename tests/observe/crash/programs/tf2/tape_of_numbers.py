import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.1)
x, y = tf.random.uniform((8, 2)), tf.random.uniform((8, 1))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(model(x).numpy() - y))
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
