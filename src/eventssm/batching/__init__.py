"""Batches of recordings: bucketed, padded, augmented, the same whoever makes them."""

from eventssm.batching._batch import Batch as Batch
from eventssm.batching._batch import assemble as assemble
from eventssm.batching._batches import BatchConfig as BatchConfig
from eventssm.batching._batches import Batches as Batches
from eventssm.batching._buckets import choose_buckets as choose_buckets
from eventssm.batching._plan import Plan as Plan
from eventssm.batching._slices import slice_counts as slice_counts
from eventssm.batching._slices import slice_table as slice_table
from eventssm.batching._slices import slices as slices
from eventssm.batching._stream import BatchStream as BatchStream
