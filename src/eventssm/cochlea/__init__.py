"""A silicon cochlea in software: sound to events, by the chain that made SHD and SSC."""

from eventssm.cochlea._hear import HearProgress as HearProgress
from eventssm.cochlea._hear import Listener as Listener
from eventssm.cochlea._hear import hear as hear
from eventssm.cochlea._hear import hear_pieces as hear_pieces
from eventssm.cochlea._parameters import BushyCell as BushyCell
from eventssm.cochlea._parameters import Cochlea as Cochlea
from eventssm.cochlea._parameters import HairCell as HairCell
from eventssm.cochlea._parameters import Membrane as Membrane
from eventssm.cochlea._sound import ArraySound as ArraySound
from eventssm.cochlea._sound import FileSound as FileSound
from eventssm.cochlea._sound import Sound as Sound
