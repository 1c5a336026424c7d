"""Pictures, drawn without a screen and without pyplot's state."""

from eventssm.plots._counts import TimeCounts as TimeCounts
from eventssm.plots._events_per_class import plot_events_per_class as plot_events_per_class
from eventssm.plots._figure import check_place as check_place
from eventssm.plots._figure import new_figure as new_figure
from eventssm.plots._figure import save as save
from eventssm.plots._raster import draw_raster as draw_raster
from eventssm.plots._rate import draw_rate as draw_rate
from eventssm.plots._recording import plot_recording as plot_recording
from eventssm.plots._surface import TimeSurface as TimeSurface
from eventssm.plots._surface import draw_surface as draw_surface
