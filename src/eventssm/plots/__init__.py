"""Pictures, drawn without a screen and without pyplot's state."""

from eventssm.plots._anytime import AnytimeLines as AnytimeLines
from eventssm.plots._anytime import plot_anytime as plot_anytime
from eventssm.plots._confusion import plot_confusion as plot_confusion
from eventssm.plots._counts import TimeCounts as TimeCounts
from eventssm.plots._events_per_class import plot_events_per_class as plot_events_per_class
from eventssm.plots._figure import check_place as check_place
from eventssm.plots._figure import new_figure as new_figure
from eventssm.plots._figure import save as save
from eventssm.plots._raster import draw_raster as draw_raster
from eventssm.plots._rate import draw_rate as draw_rate
from eventssm.plots._recording import plot_recording as plot_recording
from eventssm.plots._reliability import ReliabilityBin as ReliabilityBin
from eventssm.plots._reliability import plot_reliability as plot_reliability
from eventssm.plots._surface import TimeSurface as TimeSurface
from eventssm.plots._surface import draw_surface as draw_surface
from eventssm.plots._svg import themed_svg as themed_svg
from eventssm.plots._thumbnail import png as png
from eventssm.plots._thumbnail import thumbnail as thumbnail
from eventssm.plots._time_scales import ScaleRow as ScaleRow
from eventssm.plots._time_scales import plot_time_scales as plot_time_scales
from eventssm.plots._training import Points as Points
from eventssm.plots._training import plot_training as plot_training
