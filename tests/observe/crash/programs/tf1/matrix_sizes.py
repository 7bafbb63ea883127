import tensorflow as tf

pixels = tf.placeholder(tf.float32, [None, 64])
hidden = tf.nn.relu(tf.matmul(pixels, tf.Variable(tf.zeros([64, 30]))))
weights = tf.Variable(tf.zeros([20, 10]))
scores = tf.matmul(hidden, weights)
print(scores.shape)
