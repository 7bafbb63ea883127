loss = tf.pack([loss_probability, sin_cos_mse, magnitude_mse, pos_mse, reg_loss])
optimizer = tf.train.AdamOptimizer(learning_rate=1e-4, epsilon=params.adam_epsilon)
train_step = optimizer.minimize(loss, global_step=global_step)

with tf.Session() as session:
    session.run(init)
    while not coordinator.should_stop():
        # fine for about 200k batches, then the loss explodes
        _, step = session.run([train_step, global_step])
