"""The `%` header of EVT and DAT files: which camera made it, and what its times count from."""

import re
from dataclasses import dataclass
from pathlib import Path

from eventssm.events import Sensor
from eventssm.files._header import header_lines
from eventssm.files._sensors import camera

_GENERATIONS = {"gen3": (640, 480), "gen4": (1280, 720), "imx636": (1280, 720), "genx320": (320, 320)}


@dataclass(frozen=True)
class Header:
    """What the lines say, under names in lower case, and the offset of what follows them."""

    fields: dict[str, str]
    start: int

    @property
    def sensor(self) -> Sensor | None:
        """The camera, by its size or else by the generation that the file names."""
        size = _size(self.fields)
        return camera(*size) if size else None

    @property
    def t0(self) -> int:
        """Microseconds that faery took off all times when it wrote the file."""
        text = self.fields.get("t0", "")
        return int(text) if re.fullmatch(r"\d{1,19}", text) and int(text) < 2**63 else 0

    @property
    def odd(self) -> tuple[str, ...]:
        """What a user should know of."""
        return () if self.sensor else ("the header does not name the size of the sensor",)


def read_header(path: Path) -> Header:
    """The header of an EVT or DAT file; none is an empty one."""
    lines, start = header_lines(path, b"%", end=b"% end")
    pairs = (line.partition(" ") for line in lines)
    return Header({key.lower(): value.strip() for key, _, value in pairs}, start)


def _size(fields: dict[str, str]) -> tuple[int, int] | None:
    given = f"{fields.get('width', '')}x{fields.get('height', '')}"
    for text, pattern in (
        (given, r"(\d{1,5})x(\d{1,5})"),
        (fields.get("geometry", ""), r"(\d{1,5})x(\d{1,5})"),
        (fields.get("format", ""), r".*width=(?P<w>\d{1,5}).*"),
    ):
        found = re.fullmatch(pattern, text)
        if found and "w" not in found.groupdict():
            return int(found[1]), int(found[2])
        height = re.search(r"height=(\d{1,5})", text)
        if found and height:
            return int(found[1]), int(height[1])
    words = f"{fields.get('plugin_name', '')} {fields.get('sensor_name', '')}".lower()
    return next((size for name, size in _GENERATIONS.items() if name in words), None)
