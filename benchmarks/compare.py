"""Two files of records, say of two commits: their ratios case by case.

eventssm bench train --json > before.jsonl      # and after.jsonl at the other commit
python benchmarks/compare.py before.jsonl after.jsonl
"""

import argparse
import json
from pathlib import Path
from typing import Any


def records(path: Path) -> dict[str, dict[str, Any]]:
    """The last record of every case."""
    lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    return {line["name"]: line for line in lines}


def table(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> list[str]:
    """Cases that both have, with what changed; "noise" where the change is within the larger spread."""
    lines = [
        "| case | before | after | ratio | peak before | peak after | |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in before:
        if name not in after:
            continue
        old, new = before[name], after[name]
        ratio = new["events_per_s"] / old["events_per_s"]
        noise = abs(ratio - 1) <= max(old["spread"], new["spread"]) / 2
        peaks = ("-" if one["peak_rss_mb"] is None else f"{one['peak_rss_mb']:,.0f}" for one in (old, new))
        rates = f"{old['events_per_s']:,.0f} | {new['events_per_s']:,.0f} | {ratio:.2f}"
        lines.append(f"| {name} | {rates} | {' | '.join(peaks)} | {'noise' if noise else ''} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    chosen = parser.parse_args()
    print("\n".join(table(records(chosen.before), records(chosen.after))))


if __name__ == "__main__":
    main()
