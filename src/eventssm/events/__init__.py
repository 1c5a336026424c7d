"""Events, their sensor and their time."""

from eventssm.events._events import Events as Events
from eventssm.events._sensor import Sensor as Sensor
from eventssm.events._time import gaps_ms as gaps_ms
