writer = tf.summary.create_file_writer("./logs")


@tf.function
def train_step(images, n):
    z = tf.random.normal([BATCH_SIZE, noise_dim])
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = generator(z, training=True)
        g_loss = generator_loss(discriminator(fake, training=True))
        d_loss = discriminator_loss(discriminator(images, training=True), discriminator(fake, training=True))
    g_grads = g_tape.gradient(g_loss, generator.trainable_variables)
    d_grads = d_tape.gradient(d_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(g_grads, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(d_grads, discriminator.trainable_variables))
    with writer.as_default():
        tf.summary.scalar("gen_loss", g_loss, step=n)
        tf.summary.scalar("disc_loss", d_loss, step=n)


n = 0
for epoch in range(EPOCHS):
    for image_batch in train_dataset:
        train_step(image_batch, n)
        n += 1
