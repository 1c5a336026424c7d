"""The published code's conventions and parameters, as a switch on the layers of this package."""

from eventssm.compat._config import model_config as model_config
from eventssm.compat._parameters import dump_parameters as dump_parameters
from eventssm.compat._parameters import load_parameters as load_parameters
from eventssm.compat._reference import reference_forward as reference_forward
from eventssm.compat._reference import reference_logits as reference_logits
