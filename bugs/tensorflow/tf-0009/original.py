os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"

ds = tf.data.TFRecordDataset(records).map(parse).batch(128).prefetch(2)

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    net = tf.keras.models.load_model(model_path)

    for x, label in ds:
        with tf.GradientTape() as t:
            t.watch(x)
            out = net(x)
        g = t.gradient(out, x)
        # nvidia-smi: first GPU 100 %, second GPU 0 %
