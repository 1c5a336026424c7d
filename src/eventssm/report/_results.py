"""What the model is worth: the figures of an evaluation."""

import math
from html import escape

from eventssm.evaluate import Evaluation, evaluation_figures, most_confused
from eventssm.report._gather import Findings
from eventssm.report._html import facts, paragraph, percent, picture, table, tag

_MISTAKES = 6
_BESIDE = 14


def headline(found: Findings) -> str:
    """What was trained, in a line, and the figures that matter most."""
    evaluation, config = found.evaluation, found.run.config
    model = config.model
    blocks = f"{model.stages} x {model.blocks_per_stage} blocks"
    shape = f"{blocks}, width {model.d_model}, {model.discretization} discretization"
    line = f"{shape}; {_chosen(found)}; seed {config.seed}"
    low, high = evaluation.accuracy.interval
    soon = evaluation.near_final(evaluation.over_events)
    ms = evaluation.near_final(evaluation.over_time)
    tiles = [
        (
            f"accuracy, {found.split}",
            percent(evaluation.accuracy.value),
            f"95 % interval {100 * low:.1f} to {100 * high:.1f}, {evaluation.accuracy.of:,} recordings",
        ),
        (f"loss, {found.split}", f"{evaluation.loss:.3f}", f"chance alone: {_chance_loss(evaluation):.3f}"),
        (
            "95 % of that, after",
            "–" if ms is None else f"{ms / 1000:,.0f} ms",
            "" if soon is None else f"from the first event, or {soon:,} events",
        ),
        (
            "learnt numbers",
            f"{sum(found.parameters):,}",
            f"{found.parameters[1]:,} of them in the embedding",
        ),
    ]
    cells = (
        tag(
            "div",
            tag("span", escape(name), class_="name"),
            tag("b", escape(value)),
            tag("span", escape(note)),
            class_="tile",
        )
        for name, value, note in tiles
    )
    return tag("p", escape(line), class_="lead") + tag("div", *cells, class_="tiles")


def results(found: Findings) -> str:
    """A row for every split that this model was evaluated on."""
    splits = {found.split: found.evaluation, **found.others}
    head = (
        "split",
        "recordings",
        "right",
        "accuracy",
        "95 % interval",
        "balanced",
        "loss",
        "calibration error",
    )
    rows = [_row(name, evaluation) for name, evaluation in splits.items()]
    note = (
        "Every recording is counted once and whole. The interval is Wilson's and takes recordings to be "
        "independent; those of one speaker are not, so that for new speakers it is too narrow."
    )
    parts = [table(head, rows), paragraph(note)]
    selected = [line["test_accuracy"] for line in found.epochs if line.get("test_accuracy") is not None]
    if selected:
        parts.append(
            paragraph(
                f"The best epoch on the test split had {percent(max(selected))} there: the field's habit, "
                "chosen on what it is measured on and therefore too good; not a result."
            )
        )
    return "".join(parts)


def classes(found: Findings) -> str:
    """Each class, and which are taken for which."""
    evaluation = found.evaluation
    rows = [
        (row.name, f"{row.count:,}", percent(row.recall), percent(row.precision))
        for row in evaluation.classes
    ]
    mistakes = most_confused(evaluation.confusion, evaluation.outcomes.classes, _MISTAKES)
    words = [(f"{true} → {said}", f"{count}") for true, said, count in mistakes]
    figure = evaluation_figures(evaluation, found.split)["confusion"]
    caption = (
        "Rows are what a recording is, columns what it was said to be; deeper is a larger share of the row, "
        "blue is right."
    )
    left = picture(figure, "confusion", "Confusion matrix", caption)
    right = table(("class", "recordings", "recall", "precision"), rows)
    if words:
        right += tag("h3", "Commonest mistakes") + facts(words)
    many = len(rows) > _BESIDE
    return left + right if many else tag("div", tag("div", left), tag("div", right), class_="beside")


def anytime(found: Findings) -> str:
    """Accuracy on the way."""
    per = found.evaluation.outcomes.events_per_prediction
    short = found.evaluation.too_short
    caption = (
        f"There is a prediction every {per} events. At each moment all recordings count: what was said last "
        "stands, also after a recording's end; before its first prediction all are said to be of one class, "
        f"the decoder's bias. Dotted: 1 of {len(found.evaluation.classes)} classes."
    )
    if short:
        caption += f" {short:,} recordings have fewer events than one prediction takes."
    figure = evaluation_figures(found.evaluation, found.split)["anytime"]
    return picture(figure, "anytime", "Accuracy over events seen and over time", caption)


def calibration(found: Findings) -> str:
    """Whether the model's probabilities can be believed."""
    caption = (
        "Recordings sorted by the probability of what was said into 15 bins. On the dashed line, confidence "
        "is as good as its word; red is what is missing where the model is too sure of itself."
    )
    evaluation = found.evaluation
    mean, right = float(evaluation.outcomes.confidences.mean()), evaluation.accuracy.value
    figure = evaluation_figures(evaluation, found.split)["calibration"]
    left = picture(figure, "calibration", "Accuracy over confidence", caption)
    rows = [
        (
            f"{percent(b.low, 0)} to {percent(b.high, 0)}",
            f"{b.count:,}",
            percent(b.confidence),
            percent(b.accuracy),
        )
        for b in evaluation.calibration.bins
        if b.count
    ]
    verdict = (
        f"On average {percent(mean)} sure and {percent(right)} right. Expected calibration error: "
        f"{percent(evaluation.calibration.error)}, the mean of the bins' distances from the line."
    )
    words = paragraph(verdict) + table(("confidence", "recordings", "mean", "right"), rows)
    return tag("div", tag("div", left), tag("div", words), class_="beside")


def _row(name: str, evaluation: Evaluation) -> tuple[str, ...]:
    low, high = evaluation.accuracy.interval
    return (
        name,
        f"{evaluation.accuracy.of:,}",
        f"{evaluation.accuracy.right:,}",
        percent(evaluation.accuracy.value),
        f"{100 * low:.1f} to {100 * high:.1f}",
        percent(evaluation.balanced_accuracy),
        f"{evaluation.loss:.3f}",
        percent(evaluation.calibration.error),
    )


def _chosen(found: Findings) -> str:
    """Which checkpoint this is, and by what it was chosen."""
    epoch = found.place.get("epoch", "?")
    of = found.run.config.epochs
    if found.which == "last":
        return f"last checkpoint, after {epoch} of {of} epochs"
    if found.run.config.selection.split == "none":
        return f"last epoch, {epoch} of {of}"
    return f"epoch {epoch} of {of}, chosen on {found.run.config.selection.split}"


def _chance_loss(evaluation: Evaluation) -> float:
    return math.log(len(evaluation.classes))
