"""The state-space layer: initialisation, discretisation, recurrence, pooling, blocks.

Axes in the types of this package:

    event, step    one element of a sequence; an event is a step of the first layer
    group          `stride` steps that a pooling layer makes one step of
    state          one entry of the diagonal system
    width          the features of a step; in/out where a layer changes them
"""

from eventssm.ssm._block import Block as Block
from eventssm.ssm._block import BlockState as BlockState
from eventssm.ssm._block import NormOrder as NormOrder
from eventssm.ssm._block import Training as Training
from eventssm.ssm._discretisation import Discretization as Discretization
from eventssm.ssm._discretisation import decay as decay
from eventssm.ssm._discretisation import expm1 as expm1
from eventssm.ssm._discretisation import input_factor as input_factor
from eventssm.ssm._discretisation import phi1 as phi1
from eventssm.ssm._initialisation import OutputInit as OutputInit
from eventssm.ssm._initialisation import hippo_legs as hippo_legs
from eventssm.ssm._layer import StateSpaceLayer as StateSpaceLayer
from eventssm.ssm._layer import StateSpaceState as StateSpaceState
from eventssm.ssm._linear import Linear as Linear
from eventssm.ssm._native import kernels_unavailable as kernels_unavailable
from eventssm.ssm._norm import BatchNorm as BatchNorm
from eventssm.ssm._norm import LayerNorm as LayerNorm
from eventssm.ssm._norm import Moments as Moments
from eventssm.ssm._norm import NormKind as NormKind
from eventssm.ssm._norm import batch_moments as batch_moments
from eventssm.ssm._pooled_rows import pooled_rows as pooled_rows
from eventssm.ssm._pooling import GAP_EPSILON as GAP_EPSILON
from eventssm.ssm._pooling import Pooling as Pooling
from eventssm.ssm._pooling import PoolingMode as PoolingMode
from eventssm.ssm._pooling import PoolingState as PoolingState
from eventssm.ssm._pooling import ReadOut as ReadOut
from eventssm.ssm._recurrence import recurrence as recurrence
from eventssm.ssm._scan import ScanMethod as ScanMethod
from eventssm.ssm._scan import associative_scan as associative_scan
from eventssm.ssm._scan import chunked_scan as chunked_scan
from eventssm.ssm._scan import linear_scan as linear_scan
from eventssm.ssm._scan import sequential_scan as sequential_scan
from eventssm.ssm._spectrum import FreeSpectrum as FreeSpectrum
from eventssm.ssm._spectrum import SpectrumKind as SpectrumKind
from eventssm.ssm._spectrum import StableSpectrum as StableSpectrum
from eventssm.ssm._steps import Steps as Steps
from eventssm.ssm._steps import real_steps as real_steps
from eventssm.ssm._steps import where_real as where_real
