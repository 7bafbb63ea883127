# W1, b1, W2, b2 were stored after the last run
w1_start = read_matrix('w1.txt')
w2_start = read_matrix('w2.txt')

X = tf.placeholder("float", [None, n_input])
Y = tf.placeholder("float", [None, n_classes])
W1 = tf.Variable(w1_start)      # was tf.random_normal([n_input, n_hidden])
W2 = tf.Variable(w2_start)      # was tf.random_normal([n_hidden, n_classes])

hidden = tf.nn.sigmoid(tf.matmul(X, W1))     # TypeError
pred = tf.matmul(hidden, W2)
cost = tf.reduce_mean(tf.square(pred - Y))
train = tf.train.AdamOptimizer(0.01).minimize(cost)
