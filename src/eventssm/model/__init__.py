"""The classifier: embedding, stages of blocks, head; its configuration and presets.

Axes beyond those of `eventssm.ssm`: `channel` (of the sensor), `class`.
"""

from eventssm.model._classifier import Classifier as Classifier
from eventssm.model._classifier import ClassifierState as ClassifierState
from eventssm.model._classifier import Predictions as Predictions
from eventssm.model._config import ModelConfig as ModelConfig
from eventssm.model._head import Head as Head
from eventssm.model._head import HeadMode as HeadMode
from eventssm.model._head import HeadState as HeadState
from eventssm.model._parameters import count_parameters as count_parameters
from eventssm.model._parameters import trainable as trainable
from eventssm.model._parameters import updated_norms as updated_norms
from eventssm.model._presets import presets as presets
from eventssm.model._stack import Stack as Stack
