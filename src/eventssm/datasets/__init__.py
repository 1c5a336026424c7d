"""Labelled recordings, by name."""

from eventssm.datasets._dataset import Dataset as Dataset
from eventssm.datasets._dataset import MemoryDataset as MemoryDataset
from eventssm.datasets._dataset import Sample as Sample
