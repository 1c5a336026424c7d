"""The benchmark of this part measures every line that it says it does."""

import json
import runpy
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "transforms.py"


@pytest.mark.parametrize(("kind", "sensor"), [("audio", "COCHLEA"), ("camera", "CAMERA")])
def test_a_line_for_every_transform_and_chain(kind, sensor, capsys):
    bench = runpy.run_path(str(BENCHMARK))
    bench["measure_chain"](kind, bench["recordings"](bench[sensor], 2, 50, 1000))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    chain = [repr(one) for one in (*bench["CHAINS"][kind].transforms, *bench["ALONE"])]
    assert [line["what"] for line in lines] == [*chain, "cut_mix", "chain", "chain + cut_mix"]
    assert all(line["kind"] == kind and line["events_per_s"] > 0 for line in lines)
