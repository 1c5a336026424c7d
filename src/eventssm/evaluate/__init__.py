"""What a trained model is worth: exact figures over every recording of a split.

`eventssm.evaluate` is this package, and `eventssm.evaluate(run, split)` calls its function `evaluate`.
"""

import sys
from types import ModuleType
from typing import Any

from eventssm.evaluate._anytime import Curve as Curve
from eventssm.evaluate._anytime import over_events as over_events
from eventssm.evaluate._anytime import over_time as over_time
from eventssm.evaluate._calibration import Calibration as Calibration
from eventssm.evaluate._calibration import calibrate as calibrate
from eventssm.evaluate._confusion import class_table as class_table
from eventssm.evaluate._confusion import confusion_matrix as confusion_matrix
from eventssm.evaluate._confusion import most_confused as most_confused
from eventssm.evaluate._data import adapted as adapted
from eventssm.evaluate._data import brought_to as brought_to
from eventssm.evaluate._data import other_data as other_data
from eventssm.evaluate._evaluate import evaluate as evaluate
from eventssm.evaluate._evaluate import evaluation_folder as evaluation_folder
from eventssm.evaluate._evaluation import Evaluation as Evaluation
from eventssm.evaluate._infer import Progress as Progress
from eventssm.evaluate._infer import infer as infer
from eventssm.evaluate._outcomes import Outcomes as Outcomes
from eventssm.evaluate._proportion import Proportion as Proportion
from eventssm.evaluate._recording import Reading as Reading
from eventssm.evaluate._recording import read_recording as read_recording
from eventssm.evaluate._saved import FIGURES as FIGURES
from eventssm.evaluate._saved import PREDICTIONS as PREDICTIONS
from eventssm.evaluate._saved import evaluation_figures as evaluation_figures
from eventssm.evaluate._saved import load_evaluation as load_evaluation
from eventssm.evaluate._saved import model_digest as model_digest
from eventssm.evaluate._saved import save_evaluation as save_evaluation
from eventssm.evaluate._time_scales import TimeScales as TimeScales
from eventssm.evaluate._time_scales import time_scales as time_scales


class _Package(ModuleType):
    """The package, which is called as its function `evaluate` is: `es.evaluate(run, split)`."""

    def __call__(self, *args: Any, **options: Any) -> Evaluation:
        return evaluate(*args, **options)


sys.modules[__name__].__class__ = _Package
