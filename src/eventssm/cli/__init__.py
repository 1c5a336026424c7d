"""The `eventssm` command."""

from eventssm.cli._main import main as main
