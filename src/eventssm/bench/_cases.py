"""All cases, by name."""

from eventssm import _checks
from eventssm.bench._case import Case
from eventssm.bench._data import data_cases
from eventssm.bench._hear import hear_cases
from eventssm.bench._model import model_cases


def all_cases() -> dict[str, Case]:
    """Every case there is."""
    return {case.name: case for case in [*data_cases(), *hear_cases(), *model_cases()]}


def chosen_cases(name: str | None) -> list[Case]:
    """The case of this name, or those of a group such as `data`; without a name, all."""
    cases = all_cases()
    if name is None:
        return list(cases.values())
    found = [case for case in cases.values() if case.name == name or case.name.startswith(f"{name}/")]
    if not found:
        _checks.refuse_choice(name, [*cases, *sorted({case.split("/")[0] for case in cases})], "case")
    return found
