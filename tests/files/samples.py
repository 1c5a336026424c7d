"""Small files of every format, made here byte by byte or, where the package writes it, by the package."""

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np

from eventssm import Events, Sensor
from eventssm import write as write_events

CAMERA = Sensor(name="64x48", width=64, height=48)
DVS128 = Sensor(name="128x128", width=128, height=128)
COCHLEA = Sensor(name="cochlea-700", channels=700)
COUNT = 40


def random_events(sensor: Sensor = CAMERA, count: int = COUNT, seed: int = 5, gap: int = 3000) -> Events:
    rng = np.random.default_rng(seed)
    t = 7 + np.cumsum(rng.integers(0, gap, count))
    return Events(sensor, t=t, channel=rng.integers(0, sensor.channels, count))


EVT3_VECTORS = [
    0x8001, 0x6005, 0x0007, 0x3810, 0x4801, 0x4003, 0x5081,  # x 16, 27; 28, 29; 40, 47 at y 7, ON
    0x2005, 0xA001, 0x6009, 0x0008, 0x2805, 0x8002, 0x2806,  # single events; a new upper time
]  # fmt: skip
"""EVT3 words with what cameras write and faery does not: vectors, triggers, time that is set twice."""


def evt3_bytes(words: list[int], header: bytes = b"% evt 3.0\n% geometry 64x48\n% end\n") -> bytes:
    return header + np.array(words, "<u2").tobytes()


def evt2_bytes(words: list[int], header: bytes = b"% evt 2.0\n% geometry 64x48\n% end\n") -> bytes:
    return header + np.array(words, "<u4").tobytes()


def evt21_bytes(words: list[int], legacy: bool = False) -> bytes:
    order = (
        b"% format EVT21;endianness=legacy;height=48;width=64\n"
        if legacy
        else b"% evt 2.1\n% geometry 64x48\n"
    )
    halves = np.array(words, "<u8").view("<u4").reshape(-1, 2)
    return order + b"% end\n" + (halves[:, ::-1] if legacy else halves).tobytes()


def dat_bytes(records: list[tuple[int, int]], version: int = 2, kind: bytes = b"\x0c\x08") -> bytes:
    header = f"% Data file containing CD events.\n% Version {version}\n% Width 64\n% Height 48\n".encode()
    return header + kind + np.array(records, "<u4").tobytes()


def aedat2_bytes(records: list[tuple[int, int]], chip: str = "ch.unizh.ini.jaer.chip.retina.DVS128") -> bytes:
    named = f"# AEChip: {chip}\r\n".encode() if chip else b""
    return b"#!AER-DAT2.0\r\n" + named + b"#End Of ASCII Header\r\n" + np.array(records, ">u4").tobytes()


def dvs128_address(x: int, y: int, on: bool) -> int:
    return (127 - y) << 8 | (127 - x) << 1 | (not on)


def packet(kind: int, records: list[tuple[int, int]], overflow: int = 0, source: int = 1) -> bytes:
    head = np.array([kind, source], "<i2").tobytes()
    count = len(records)
    return (
        head
        + np.array([8, 4, overflow, count, count, count], "<i4").tobytes()
        + np.array(records, "<u4").tobytes()
    )


def aedat3_bytes(*packets: bytes, source: str = "DVS128") -> bytes:
    lines = f"#!AER-DAT3.1\r\n#Format: RAW\r\n#Source 1: {source}\r\n#!END-HEADER\r\n"
    return lines.encode() + b"".join(packets)


def polarity(x: int, y: int, on: bool, valid: bool = True) -> int:
    return x << 17 | y << 2 | on << 1 | valid


def nmnist_bytes(events: list[tuple[int, int, int, bool]]) -> bytes:
    return b"".join(bytes([x, y, on << 7 | t >> 16, t >> 8 & 0xFF, t & 0xFF]) for t, x, y, on in events)


def _aedat2(path: Path) -> None:
    events = random_events(DVS128)
    rows = zip(events.t, events.x, events.y, events.p, strict=True)
    path.write_bytes(aedat2_bytes([(dvs128_address(int(x), int(y), bool(p)), int(t)) for t, x, y, p in rows]))


def _aedat3(path: Path) -> None:
    events = random_events(DVS128)
    rows = zip(events.t, events.x, events.y, events.p, strict=True)
    words = [(polarity(int(x), int(y), bool(p)), int(t)) for t, x, y, p in rows]
    path.write_bytes(aedat3_bytes(packet(1, words[:20]), packet(0, [(3, 9)]), packet(1, words[20:])))


def _nmnist(path: Path) -> None:
    events = random_events(Sensor(name="34x34", width=34, height=34), gap=300)
    rows = zip(events.t, events.x, events.y, events.p, strict=True)
    path.write_bytes(nmnist_bytes([(int(t), int(x), int(y), bool(p)) for t, x, y, p in rows]))


def _npy(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, random_events().to_structured())


def _npz_structured(path: Path) -> None:
    with path.open("wb") as file:
        np.savez(file, events=random_events().to_structured())


def _prophesee_hdf5(path: Path) -> None:
    dtype = [("x", "<u2"), ("y", "<u2"), ("p", "<i2"), ("t", "<i8")]
    events = random_events()
    records = np.zeros(len(events), dtype)
    for name in ("t", "x", "y", "p"):
        records[name] = getattr(events, name)
    with h5py.File(path, "w") as file:
        file.attrs["geometry"] = "64x48"
        file.create_dataset("CD/events", data=records, chunks=(16,), compression="gzip")
        file.create_dataset("CD/indexes", data=np.zeros(1, [("id", "<u8"), ("ts", "<i8")]))


def _dsec_hdf5(path: Path) -> None:
    events = random_events()
    with h5py.File(path, "w") as file:
        for name, dtype in (("t", "u4"), ("x", "u2"), ("y", "u2"), ("p", "u1")):
            file.create_dataset(f"events/{name}", data=getattr(events, name).astype(dtype))
        file["ms_to_idx"] = np.zeros(3, np.uint64)
        file["t_offset"] = np.int64(49_000_000_000)


def _vectors(path: Path) -> None:
    path.write_bytes(evt3_bytes(EVT3_VECTORS * 4))


def _evt21(path: Path) -> None:
    words = [(8 << 60) | (9 << 32), (1 << 60) | (5 << 54) | (32 << 43) | (7 << 32) | 0b1011]
    path.write_bytes(evt21_bytes(words * 3))


def _written(format: str, sensor: Sensor = CAMERA) -> Callable[[Path], None]:
    return lambda path: write_events(random_events(sensor), path, format)


SAMPLES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "evt3": ("evt3", _written("evt3")),
    "evt3-vectors": ("evt3", _vectors),
    "evt2": ("evt2", _written("evt2")),
    "evt2.1": ("evt2.1", _evt21),
    "dat": ("dat", _written("dat")),
    "aedat2": ("aedat2", _aedat2),
    "aedat3": ("aedat3", _aedat3),
    "csv": ("csv", _written("csv")),
    "csv-channels": ("csv", _written("csv", COCHLEA)),
    "npz": ("npz", _written("npz")),
    "npz-structured": ("npz", _npz_structured),
    "npy": ("npy", _npy),
    "nmnist": ("nmnist", _nmnist),
    "hdf5": ("hdf5", _written("hdf5")),
    "hdf5-shd": ("hdf5", _written("hdf5", COCHLEA)),
    "hdf5-prophesee": ("hdf5", _prophesee_hdf5),
    "hdf5-dsec": ("hdf5", _dsec_hdf5),
    "aedat4": ("aedat4", _written("aedat4")),
    "es": ("es", _written("es")),
}
"""Name, format and maker of each."""
