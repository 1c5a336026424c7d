"""One form of one case in a process of its own: prints its peak of memory in MB."""

import sys

from eventssm.bench import all_cases, peak_rss_mb

if __name__ == "__main__":
    name, form = sys.argv[1:]
    case = all_cases()[name]
    make = case.twin if form == "twin" else case.make
    assert make is not None
    sys.stdout.write(f"{peak_rss_mb(make()):.1f}\n")
