"""Parts that bear the name of their main function: `es.evaluate(run)` beside `eventssm.evaluate.infer`."""

import sys
from types import ModuleType
from typing import Any


class CallableModule(ModuleType):
    """A module that is called as the function of its own last name."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """What `module.name(...)` gives, for a module `....name`."""
        return getattr(self, self.__name__.rpartition(".")[2])(*arguments, **named)


def make_callable(name: str) -> None:
    """Make an imported module callable.

    Importing a part puts it into the package under its name, where the function of that name would be.
    """
    sys.modules[name].__class__ = CallableModule
