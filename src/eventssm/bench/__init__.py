"""Measurements: every figure that the documents quote, made again by one command."""

from eventssm.bench._case import Case as Case
from eventssm.bench._case import Work as Work
from eventssm.bench._cases import all_cases as all_cases
from eventssm.bench._cases import chosen_cases as chosen_cases
from eventssm.bench._measure import Record as Record
from eventssm.bench._measure import measure as measure
from eventssm.bench._measure import peak_rss_mb as peak_rss_mb
