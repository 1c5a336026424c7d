"""Text, one event a line."""

import pytest

import eventssm as es
from eventssm import InputError, Sensor
from tests.files.samples import CAMERA, COCHLEA, random_events

SENSOR = Sensor(name="cochlea-9", channels=9)
HEADED = "t,x@640,y@480,on\n"


def read(tmp_path, text, sensor=None):
    path = tmp_path / "a.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return es.read(path, sensor=sensor)


@pytest.mark.parametrize(
    "text",
    [
        "t,x@640,y@480,on\n5,1,2,1\n6,3,4,0\n",
        "t,x@640,y@480,p\r\n5,1,2,1\r\n6,3,4,0\r\n",
        "x@640,y@480,polarity,timestamp\n1,2,1,5\n3,4,0,6",
        "t;x@640;y@480;p\n5;1;2;true\n\n6;3;4;False\n",
        "t\tx@640\ty@480\tpol\n5\t1\t2\ton\n6\t3\t4\toff\n",
        "t x@640 y@480 p\n5.0 1 2 +1\n6.000   3 4  -1\n",
        "# t x@640 y@480 p\n5 1 2 1\n6 3 4 0\n",
        "# t, x@640, y@480, p\n5, 1, 2, 1\n6, 3, 4, 0\n",
        b"\xef\xbb\xbft,x@640,y@480,p\n5,1,2,1\n6,3,4,0\n",
        '"t","x@640","y@480","p","note"\n"5","1","2","1","a"\n6,3,4,0,b\n',
    ],
)
def test_ways_to_write_the_same(tmp_path, text):
    events = read(tmp_path, text)
    assert (events.sensor.name, events.t.tolist()) == ("640x480", [5, 6])
    assert (events.x.tolist(), events.y.tolist(), events.p.tolist()) == ([1, 3], [2, 4], [True, False])


@pytest.mark.parametrize(
    "text", ["5,8\n6,0\n", "t,channel\n5,8\n6,0\n", "time;channel@9\n5;8\n6;0\n", b"\xef\xbb\xbf5,8\n6,0\n"]
)
def test_channels(tmp_path, text):
    events = read(tmp_path, text, SENSOR)
    assert events.t.tolist() == [5, 6] and events.channel.tolist() == [8, 0]


def test_times_of_18_digits_and_blocks_larger_than_one(tmp_path):
    late = 10**17
    rows = "".join(f"{late + number},{number % 9}\n" for number in range(70_000))
    events = read(tmp_path, f"t,channel@9\n{rows}")
    assert len(rows) > 1 << 20 and len(events) == 70_000 and events.t[-1] == late + 69_999
    careful = read(tmp_path, f"t,channel@9\n{rows}".replace(",5\n", ", 5\n"))
    assert careful == events


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HEADED + "5,1,2,1\n0.5,1,2,1\n", "line 3: expected t in whole microseconds, got '0.5'"),
        (HEADED + "5,1,2,1\n6,1,2\n", "line 3: expected 4 columns, got '6,1,2'"),
        (HEADED + "5,1,2,1\n6,1,,1\n", "line 3: expected a whole number as y, got ''"),
        (HEADED + "5,1,2,nan\n", "line 2: expected a whole number as p, got 'nan'"),
        (HEADED + "5,1,2,3\n", r"p\[0\]: expected 0 or 1, got 3 \(line 2\)"),
        (HEADED + "\n5,1,2,1\n\n4,1,2,1\n", r"t\[1\]: expected a time >= 5 .*, got 4 \(line 5\)"),
        (HEADED + "5,1,2,1\n6,640,2,1\n", r"x\[1\]: expected 0 <= x < 640, got 640 \(line 3\)"),
        (HEADED + "-5,1,2,1\n", r"t\[0\]: expected a time >= 0 .*, got -5 \(line 2\)"),
        (
            HEADED + "1" * 19 + ",1,2,1\n",
            "line 2: expected t in whole microseconds, got '1111111111111111111'",
        ),
        (HEADED + "1" * 5000, "line 2: expected fewer than 4096 characters, got "),
        ("t,x,y\n5,1,2\n", "line 1: expected columns t, x, y, p, got 't,x,y'"),
        ("5,1,2\n", "line 1: expected t,x,y,p or t,channel, got '5,1,2'"),
        ("5,1,2,1\n", "sensor: expected one to be given, such as 640x480"),
        ("\n5,1,2,1\n", "line 1: expected columns t, x, y, p, got ''"),
        ("Dear reader,\nthis is a letter.\n", "line 1: expected columns t, x, y, p, got 'Dear reader,'"),
        ("t,channel@4294967296\n5,1\n", "sensor: expected one to be given"),
        ("t,channel@999999999\n5,999999999\n", r"channel\[0\]: .* got 999999999 \(line 2\)"),
    ],
)
def test_damage(tmp_path, text, complaint):
    with pytest.raises(InputError, match=complaint):
        read(tmp_path, text)


def test_the_line_is_right_in_later_blocks(tmp_path):
    rows = [f"{number},{number % 9}" for number in range(200_000)]
    rows[-1] = "5,5"
    with pytest.raises(InputError, match=r"t\[199999\]: expected a time >= 199998 .* got 5 \(line 200001\)"):
        read(tmp_path, "t,channel@9\n" + "\n".join(rows) + "\n")


@pytest.mark.parametrize(("sensor", "first"), [(CAMERA, "t,x@64,y@48,on"), (COCHLEA, "t,channel@700")])
def test_what_is_written(tmp_path, sensor, first):
    events = random_events(sensor)
    es.write(events, tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text().split("\n")
    names = ("t", "x", "y", "p") if sensor.is_camera else ("t", "channel")
    assert lines[0] == first and lines[-1] == ""
    assert lines[1] == ",".join(str(int(getattr(events, name)[0])) for name in names)
