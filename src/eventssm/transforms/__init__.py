"""Changes to recordings that make training data: pure, seeded, never out of the sensor's range."""

from eventssm.transforms._channels import ChannelJitter as ChannelJitter
from eventssm.transforms._channels import ChannelShift as ChannelShift
from eventssm.transforms._crop import Crop as Crop
from eventssm.transforms._crop import Thin as Thin
from eventssm.transforms._cut_mix import Mixed as Mixed
from eventssm.transforms._cut_mix import cut_mix as cut_mix
from eventssm.transforms._downsample import Downsample as Downsample
from eventssm.transforms._drop import ChunkDrop as ChunkDrop
from eventssm.transforms._drop import EventDrop as EventDrop
from eventssm.transforms._geometry import Roll as Roll
from eventssm.transforms._geometry import Rotate as Rotate
from eventssm.transforms._geometry import Scale as Scale
from eventssm.transforms._noise import UniformNoise as UniformNoise
from eventssm.transforms._pixels import Flip as Flip
from eventssm.transforms._pixels import SpatialJitter as SpatialJitter
from eventssm.transforms._time import TimeJitter as TimeJitter
from eventssm.transforms._time import TimeSkew as TimeSkew
from eventssm.transforms._transform import Compose as Compose
from eventssm.transforms._transform import Transform as Transform
