"""Labelled recordings, by name."""

from eventssm.datasets._collection import SPLITS as SPLITS
from eventssm.datasets._collection import Collection as Collection
from eventssm.datasets._collection import Entry as Entry
from eventssm.datasets._collection import held_out as held_out
from eventssm.datasets._collection import split_by_key as split_by_key
from eventssm.datasets._collection import split_by_subject as split_by_subject
from eventssm.datasets._dataset import Dataset as Dataset
from eventssm.datasets._dataset import MemoryDataset as MemoryDataset
from eventssm.datasets._dataset import Sample as Sample
from eventssm.datasets._download import DownloadProgress as DownloadProgress
from eventssm.datasets._download import Remote as Remote
from eventssm.datasets._download import fetch as fetch
from eventssm.datasets._labelled_file import labelled_file as labelled_file
from eventssm.datasets._layout import MANIFEST as MANIFEST
from eventssm.datasets._layout import Manifest as Manifest
from eventssm.datasets._layout import sensor_record as sensor_record
from eventssm.datasets._names import FOLDER as FOLDER
from eventssm.datasets._names import KNOWN as KNOWN
from eventssm.datasets._names import data_root as data_root
from eventssm.datasets._names import load as load
from eventssm.datasets._names import prepare as prepare
from eventssm.datasets._names import store_path as store_path
from eventssm.datasets._prepare import Progress as Progress
from eventssm.datasets._prepare import prepare_store as prepare_store
from eventssm.datasets._store import StoreDataset as StoreDataset
from eventssm.datasets._tonic import from_indexable as from_indexable
