# pip install --upgrade tensorflow==2.0.0-alpha0
# model is trained, test_images and test_labels are loaded
guess = tf.argmax(model(test_images), 1)
matrix = tf.math.confusion_matrix(test_labels, guess)

sess = tf.Session()
print(sess.run(matrix))
