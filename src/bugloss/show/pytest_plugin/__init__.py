"""The pytest plug-in: it observes the training in a test, and fails the test on chosen symptoms."""
