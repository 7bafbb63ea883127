hidden_sizes = [1024, 300]       # [1024] alone is fine

weights, biases = [], []
n_in = image_size * image_size
for n_out in hidden_sizes + [num_labels]:
    weights.append(tf.Variable(tf.truncated_normal([n_in, n_out])))
    biases.append(tf.Variable(tf.zeros([n_out])))
    n_in = n_out

net = tf_train_dataset
for w, b in zip(weights[:-1], biases[:-1]):
    net = tf.nn.relu(tf.matmul(net, w) + b)
logits = tf.matmul(net, weights[-1]) + biases[-1]
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits, tf_train_labels))
optimizer = tf.train.GradientDescentOptimizer(0.5).minimize(loss)   # nan by step 5
