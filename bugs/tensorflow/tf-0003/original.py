time_steps = 3
n_features = 1
x = tf.placeholder("float", [None, time_steps, n_features])
y = tf.placeholder("float", [None, 1])
w_out = tf.Variable(tf.random_normal([num_neurons, 1]))
b_out = tf.Variable(tf.random_normal([1]))

def model(X):
    X = tf.transpose(X, [1, 0, 2])            # (3, ?, 1)
    X = tf.reshape(X, [-1, n_features])       # (?, 1)
    X = tf.split(0, time_steps, X)            # list of 3 tensors (?, 1)
    cell = tf.nn.rnn_cell.LSTMCell(num_neurons)
    out, state = tf.nn.dynamic_rnn(cell=cell, inputs=X, dtype=tf.float32)   # ValueError
    out = tf.transpose(out, [1, 0, 2])
    return tf.matmul(tf.gather(out, time_steps - 1), w_out) + b_out

pred = model(x)
