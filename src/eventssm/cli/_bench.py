"""`eventssm bench`: the measurements that the documents quote."""

from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.console import Console
from rich.table import Table

from eventssm.cli._compilation import use_compilation_cache


@dataclass(frozen=True)
class Bench:
    """Measure how many events a second this machine makes, beside a plain form of the same work.

    Both forms run in turns in one process after warming up; the median counts. Peaks of memory come from
    processes of their own. Try `eventssm bench --list`, `eventssm bench data` or `eventssm bench --json`.
    """

    name: Annotated[str | None, tyro.conf.Positional] = None
    """A case, or a group of them such as data [default: all]."""
    repeats: int = 5
    """Runs of each form."""
    memory: bool = True
    """Measure the peaks of memory too."""
    list: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Name the cases and measure nothing."""
    json: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """One line of JSON for each case."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""

    def run(self, console: Console) -> None:
        """Measure, and print as it goes."""
        from eventssm.bench import chosen_cases, measure

        use_compilation_cache()
        cases = chosen_cases(self.name)
        if self.list:
            table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
            for case in cases:
                table.add_row(case.name, case.about)
            console.print(table)
            return
        width = max(len(case.name) for case in cases)
        notes = Console(stderr=True)
        for case in cases:
            with notes.status(f"{case.name}: {case.about}"):
                record = measure(case, self.repeats, self.memory)
            if self.json:
                console.print(record.line())
                continue
            parts = [f"{record.events_per_s:>12,.0f} events/s", f"spread {record.spread:.0%}"]
            if record.ratio is not None:
                parts.append(f"{record.ratio:.1f} times the twin's {record.twin_events_per_s:,.0f}")
            if record.peak_rss_mb is not None:
                parts.append(f"{record.peak_rss_mb:,.0f} MB")
            if record.twin_peak_rss_mb is not None:
                parts.append(f"twin {record.twin_peak_rss_mb:,.0f} MB")
            console.print(f"{case.name:<{width}} {', '.join(parts)}")
