"""What a trained model is worth: exact figures over every recording of a split."""

from eventssm.evaluate._anytime import Curve as Curve
from eventssm.evaluate._anytime import over_events as over_events
from eventssm.evaluate._anytime import over_time as over_time
from eventssm.evaluate._calibration import Calibration as Calibration
from eventssm.evaluate._calibration import calibrate as calibrate
from eventssm.evaluate._confusion import class_table as class_table
from eventssm.evaluate._confusion import confusion_matrix as confusion_matrix
from eventssm.evaluate._confusion import most_confused as most_confused
from eventssm.evaluate._evaluation import Evaluation as Evaluation
from eventssm.evaluate._infer import infer as infer
from eventssm.evaluate._outcomes import Outcomes as Outcomes
from eventssm.evaluate._proportion import Proportion as Proportion
from eventssm.evaluate._recording import Reading as Reading
from eventssm.evaluate._recording import read_recording as read_recording
