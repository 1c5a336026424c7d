"""A run on one page that needs nothing else."""

from eventssm.report._gather import Findings as Findings
from eventssm.report._gather import gather as gather
from eventssm.report._page import page as page
