"""How training goes, in lines: one for each epoch, and on a terminal one that is alive."""

from rich.console import Console
from rich.live import Live

from eventssm.train import EpochRecord, Outline, Pace, Progress, Run, StepRecord, Watcher

_LONGEST_BAR = 24


def progress_lines(console: Console) -> Watcher:
    """A line for each epoch, and on a terminal one that is alive."""
    return LiveLine(console) if console.is_terminal else EpochLines(console)


class EpochLines(Watcher):
    """What is trained, then a line for each epoch."""

    def __init__(self, console: Console) -> None:
        self.console, self.epochs = console, 0

    def begin(self, run: Run, outline: Outline) -> None:
        """What is trained, and where it is kept."""
        self.epochs = outline.epochs
        going_on = f", from step {outline.step:,} on" if outline.step else ""
        self.console.print(
            f"{run.config.data.name}: {outline.recordings:,} recordings, {outline.parameters:,} parameters,"
            f" {_several(outline.epochs, 'epoch')} of {_several(outline.steps_per_epoch, 'step')}{going_on};"
            f" in {run.folder}"
        )

    def epoch(self, record: EpochRecord) -> None:
        """The epoch in a line."""
        parts = [f"loss {record.loss:.3f}", f"accuracy {record.accuracy:5.1%}"]
        if record.validation_accuracy is not None:
            parts.append(f"validation {record.validation_accuracy:5.1%} (loss {record.validation_loss:.3f})")
        if record.test_accuracy is not None:
            parts.append(f"test {record.test_accuracy:5.1%}")
        if record.events_per_s is not None and record.waiting is not None:
            parts.append(f"{_count(record.events_per_s)} events/s, waiting {record.waiting:.0%}")
        parts.append(_time(record.seconds + record.compile_seconds + record.validation_seconds))
        number = f"{record.epoch:{len(str(self.epochs))}}/{self.epochs}"
        self.console.print(f"epoch {number}  {'  '.join(parts)}{'  best' if record.best else ''}")


class LiveLine(EpochLines):
    """The same, and below it the epoch that is going on."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._live = Live(console=console, transient=True, refresh_per_second=4)
        self._steps, self._done, self._epoch = 1, 0, 1
        self._loss = self._right = 0.0
        self._rows = 0
        self._words = ""

    def begin(self, run: Run, outline: Outline) -> None:
        """As without, then the live line."""
        super().begin(run, outline)
        self._steps = outline.steps_per_epoch
        self._epoch, self._done = divmod(outline.step, self._steps)
        self._epoch += 1
        self._live.start()

    def status(self, text: str) -> None:
        """Beside the bar."""
        self._show(text)

    def step(self, record: StepRecord, pace: Pace) -> None:
        """Means over the steps so far, pace, time that is left."""
        if record.epoch != self._epoch:
            self._epoch, self._done, self._rows, self._loss, self._right = record.epoch, 0, 0, 0.0, 0.0
        self._done += 1
        self._rows += record.rows
        self._loss += record.loss * record.rows
        self._right += record.accuracy * record.rows
        parts = [f"loss {self._loss / self._rows:.3f}", f"accuracy {self._right / self._rows:5.1%}"]
        if pace.events_per_s is not None and pace.seconds_left is not None:
            parts += [f"{_count(pace.events_per_s)} events/s", f"{_time(pace.seconds_left)} left"]
        self._words = "  ".join(parts)
        self._show("")

    def close(self) -> None:
        """The live line goes."""
        self._live.stop()

    def _show(self, status: str) -> None:
        number = f"epoch {self._epoch}/{self.epochs}"
        words = f"{self._done}/{self._steps}  {status or self._words}".rstrip()
        room = self.console.width - len(number) - len(words) - 4
        size = max(min(room, _LONGEST_BAR), 0)
        full = size * self._done // self._steps
        bar = "━" * full + "╌" * (size - full)
        self._live.update(f"{number}  {bar} {words}"[: self.console.width - 1])


def summary(run: Run) -> list[str]:
    """What came of a run, and what to do next."""
    progress = Progress.of(run.place("last"))
    best, clean, chosen = progress.best, progress.test_of_best, progress.best_test
    lines = []
    if best is not None:
        scores = f"validation {best.accuracy:.1%}, loss {best.loss:.3f}"
        lines.append(f"best: epoch {best.epoch} of {progress.epoch}, {scores}")
    if clean is not None and chosen is not None:
        words = "chosen on the validation split: the clean number"
        lines.append(f"test: {clean.accuracy:.1%}, of epoch {clean.epoch}, {words}")
        lines.append(
            f"test-selected: {chosen.accuracy:.1%}, of epoch {chosen.epoch}, chosen on the test split itself:"
            " the field's habit, too good by its choice; not a result"
        )
    lines.append(f"kept in {run.folder}; next: eventssm evaluate {run.folder}")
    return lines


def _several(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' if count > 1 else ''}"


def _count(value: float) -> str:
    if value < 1e3:
        return f"{value:.0f}"
    return f"{value / 1e6:.2f} M" if value >= 1e6 else f"{value / 1e3:.0f} k"


def _time(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
