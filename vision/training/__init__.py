"""What makes the training data and trains the two models; never loaded by the product."""
