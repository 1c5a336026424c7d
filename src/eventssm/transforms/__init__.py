"""Changes to recordings that make training data: pure, seeded, never out of the sensor's range."""
