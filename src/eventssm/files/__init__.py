"""Files with recordings, in and out."""

from eventssm.files._atomic import replacing as replacing
from eventssm.files._format import Format as Format
from eventssm.files._formats import FORMATS as FORMATS
from eventssm.files._formats import find_format as find_format
from eventssm.files._formats import format_to_write as format_to_write
from eventssm.files._hdf5 import count_recordings as count_recordings
from eventssm.files._hdf5 import each_recording as each_recording
from eventssm.files._open import Backwards as Backwards
from eventssm.files._open import EventFile as EventFile
from eventssm.files._open import open_file as open_file
from eventssm.files._open import read as read
from eventssm.files._sensors import parse_sensor as parse_sensor
from eventssm.files._survey import Survey as Survey
from eventssm.files._write import write as write
from eventssm.files._write import write_pieces as write_pieces
