"""What `eventssm info FILE` tells of a file with recordings."""

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from eventssm import _checks
from eventssm.cli._recording import meter, sensor_of
from eventssm.files import Survey, count_recordings, each_recording, find_format, open_file


def file_facts(
    path: Path, console: Console, format: str | None, sensor: str | None, index: int | None
) -> dict[str, Any]:
    """Sums over a recording, or over all of a file that holds several."""
    with _checks.about(path):
        found = find_format(path, format)
    several = count_recordings(path) if found.name == "hdf5" and index is None else 1
    dropped, odd = 0, []
    with meter(console, "reading") as bar:
        if several != 1:
            survey: Survey | None = None
            for events in each_recording(path):
                survey = Survey(events.sensor) if survey is None else survey
                survey.add(bar.watch(iter([events])))
            if survey is None:
                odd.append("no recording")
        else:
            file = open_file(path, format, sensor_of(sensor), index=index, backwards="drop")
            survey = Survey(file.sensor)
            survey.add(bar.watch(file.pieces()))
            dropped, odd = file.dropped, list(file.source.odd)
    facts: dict[str, Any] = {"path": str(path), "bytes": path.stat().st_size, "format": found.name}
    if survey is not None:
        facts |= _sums(survey)
        odd += _oddities(survey)
    if dropped:
        odd.append(f"times go backwards: {dropped:,} of the events were left out")
    return facts | {"backwards": dropped, "odd": odd}


def show_file(facts: dict[str, Any], console: Console) -> None:
    """Prints the facts as a table of two columns."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in _rows(facts):
        table.add_row(name, text)
    console.print(table)


def _sums(survey: Survey) -> dict[str, Any]:
    sensor = survey.sensor
    busiest = survey.busiest
    return {
        "sensor": {
            "name": sensor.name, "width": sensor.width, "height": sensor.height, "channels": sensor.channels,
        },
        "recordings": survey.recordings,
        "events": survey.events,
        "first_us": survey.first,
        "last_us": survey.last,
        "duration_s": survey.duration / 1e6,
        "rate_per_s": survey.rate,
        "on_share": survey.on / survey.events if sensor.is_camera and survey.events else None,
        "longest_gap_us": survey.longest_gap,
        "active_channels": survey.active,
        "busiest_channel": None if busiest is None else {"channel": busiest[0], "share": busiest[1]},
    }  # fmt: skip


def _oddities(survey: Survey) -> list[str]:
    odd = []
    if not survey.events:
        odd.append("no events")
    elif survey.duration == 0 and survey.events > survey.recordings:
        odd.append("all events have the same time")
    elif survey.duration and survey.longest_gap > survey.duration / 2 and survey.events > 2:
        odd.append(f"a silence of {survey.longest_gap / 1e6:,.6g} s, more than half of the duration")
    busiest = survey.busiest
    if busiest is not None and survey.events >= 1000 and busiest[1] > 0.05:
        odd.append(f"{busiest[1]:.0%} of the events are of one channel, {_place(survey, busiest[0])}")
    return odd


def _place(survey: Survey, channel: int) -> str:
    sensor = survey.sensor
    if sensor.width is None or sensor.height is None:
        return str(channel)
    row, x = divmod(channel, sensor.width)
    p, y = divmod(row, sensor.height)
    return f"x {x}, y {y}, {'ON' if p else 'OFF'}"


def _rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("file", facts["path"]), ("format", f"{facts['format']}, {facts['bytes']:,} bytes")]
    if "sensor" in facts:
        sensor = facts["sensor"]
        rows.append(("sensor", f"{sensor['name']}, {sensor['channels']:,} channels"))
        if facts["recordings"] != 1:
            rows.append(("recordings", f"{facts['recordings']:,} (--index N tells of one)"))
        rows.append(("events", f"{facts['events']:,}"))
        rows.append(("duration", f"{facts['duration_s']:,.6g} s{_mean(facts)}"))
        if facts["first_us"] is not None:
            rows.append(("times", f"{facts['first_us']:,} to {facts['last_us']:,} us"))
        if facts["rate_per_s"] is not None:
            rows.append(("rate", f"{facts['rate_per_s']:,.0f} events/s"))
        if facts["on_share"] is not None:
            rows.append(("polarity", f"{facts['on_share']:.1%} ON"))
        rows.append(("longest gap", f"{facts['longest_gap_us'] / 1000:,.6g} ms"))
        if facts["active_channels"] is not None:
            share = facts["active_channels"] / sensor["channels"]
            rows.append(("active", f"{facts['active_channels']:,} channels, {share:.1%}"))
    return rows + [("odd" if number == 0 else "", text) for number, text in enumerate(facts["odd"])]


def _mean(facts: dict[str, Any]) -> str:
    count = facts["recordings"]
    return "" if count == 1 else f" in all, {facts['duration_s'] / count:.4g} s each"
