"""From recordings to batches: slices, buckets, padding, order; deterministic and resumable."""

from eventssm.batching._slices import slice_counts as slice_counts
from eventssm.batching._slices import slice_table as slice_table
from eventssm.batching._slices import slices as slices
