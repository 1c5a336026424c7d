"""`eventssm info`: what is installed, what it runs on, and which models there are."""

import importlib.metadata
import json
import platform
from dataclasses import dataclass
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.table import Table

_PACKAGES = ("eventssm", "jax", "jaxlib", "equinox", "numpy")


@dataclass(frozen=True)
class Info:
    """Show versions, devices and the model presets with their parameter counts.

    The counts are of learnt numbers, outside the embedding and in it. Try `eventssm info --json`.
    """

    json: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """One JSON object instead of tables."""
    debug: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show the traceback of an error."""

    def run(self, console: Console) -> None:
        """Print it."""
        facts = _facts()
        if self.json:
            console.print_json(json.dumps(facts))
        else:
            _show(facts, console)


def _facts() -> dict[str, Any]:
    import equinox as eqx
    import jax

    from eventssm.model import Classifier, count_parameters, presets

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
