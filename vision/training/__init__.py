"""Makes the data, trains and measures the models; neither the wheel nor the phone carries it."""
