"""`eventssm info`: what a file holds or, without one, what is installed and which models there are."""

import importlib.metadata
import json
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.table import Table

from eventssm.cli._info_dataset import dataset_facts, dataset_splits, show_dataset
from eventssm.cli._info_file import file_facts, show_file
from eventssm.cli._recording import FileFormat, RecordingIndex, SensorSize

_PACKAGES = ("eventssm", "jax", "jaxlib", "equinox", "numpy")


@dataclass(frozen=True)
class Info:
    """Show what a file of events or a data set holds; without either, versions, devices and model presets.

    Of a file: its format, sensor, events, duration, rate, share of ON events, and whatever is odd about it.
    Of a prepared data set: classes, recordings of each split, and how many events they have.
    Of a preset: the numbers that are learnt, outside the embedding and in it.

    Try `eventssm info walk.raw`, `eventssm info digits`, or `eventssm info --json`.
    """

    path: tyro.conf.Positional[Path | None] = None
    """A file with a recording or several, the folder of a data set's store, or a data set's name."""
    from_format: FileFormat = None
    """The file's format, where neither its content nor its suffix says it."""
    sensor: SensorSize = None
    """Its sensor, where the file does not say: 640x480, or a number of channels."""
    index: RecordingIndex = None
    """One recording of a file that holds several."""
    json: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """One JSON object instead of tables."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""

    def run(self, console: Console) -> None:
        """Print it."""
        splits = None if self.path is None else dataset_splits(self.path)
        if self.path is not None and splits is not None:
            facts, show = dataset_facts(self.path, splits), show_dataset
        elif self.path is not None:
            notes = Console(stderr=True)
            facts = file_facts(self.path, notes, self.from_format, self.sensor, self.index)
            show = show_file
        else:
            facts, show = _facts(), _show
        if self.json:
            console.print_json(json.dumps(facts))
        else:
            show(facts, console)


def _facts() -> dict[str, Any]:
    import equinox as eqx
    import jax

    from eventssm.model import Classifier, count_parameters, presets
    from eventssm.ssm import kernels_unavailable

    counts = {}
    for name, config in presets.items():
        shapes = eqx.filter_eval_shape(
            lambda key, config=config: Classifier(config, key=key), jax.random.key(0)
        )
        counts[name] = count_parameters(shapes)
    return {
        "versions": {"python": platform.python_version()}
        | {package: importlib.metadata.version(package) for package in _PACKAGES},
        "devices": [{"platform": device.platform, "kind": device.device_kind} for device in jax.devices()],
        "kernels": kernels_unavailable() or "compiled",
        "presets": {
            name: {
                "channels": config.channels,
                "classes": config.classes,
                "stages": config.stages,
                "blocks_per_stage": config.blocks_per_stage,
                "width": config.d_model,
                "states": config.d_state,
                "stride": config.stride,
                "parameters": counts[name][0],
                "embedding_parameters": counts[name][1],
            }
            for name, config in presets.items()
        },
    }


def _show(facts: dict[str, Any], console: Console) -> None:
    console.print(", ".join(f"{name} {version}" for name, version in facts["versions"].items()))
    devices = [f"{device['platform']} ({device['kind']})" for device in facts["devices"]]
    console.print(f"devices: {', '.join(devices)}")
    console.print(f"kernels on CPUs: {facts['kernels']}")
    table = Table(title="presets", title_justify="left", box=None, padding=(0, 1, 0, 0))
    table.add_column("name", no_wrap=True)
    for column in ("channels", "classes", "blocks", "width", "states", "stride", "learnt", "embedding"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, preset in facts["presets"].items():
        blocks = f"{preset['stages']} x {preset['blocks_per_stage']}"
        keys = ("width", "states", "stride", "parameters", "embedding_parameters")
        numbers = [f"{preset[key]:,}" for key in keys]
        table.add_row(name, f"{preset['channels']:,}", str(preset["classes"]), blocks, *numbers)
    console.print(table)
    console.print('a model: eventssm.Classifier(eventssm.presets["shd-medium"], key=jax.random.key(0))')
