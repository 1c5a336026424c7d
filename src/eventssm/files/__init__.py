"""Files with recordings, in and out."""

from eventssm.files._format import Format as Format
from eventssm.files._formats import FORMATS as FORMATS
from eventssm.files._open import Backwards as Backwards
from eventssm.files._open import EventFile as EventFile
from eventssm.files._open import open_file as open_file
from eventssm.files._open import read as read
from eventssm.files._sensors import parse_sensor as parse_sensor
from eventssm.files._write import write as write
from eventssm.files._write import write_pieces as write_pieces
