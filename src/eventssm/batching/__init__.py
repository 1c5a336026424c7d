"""From recordings to batches: slices, buckets, padding, order; deterministic and resumable."""
