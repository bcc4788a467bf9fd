"""What a module says of a name that it has not."""

from __future__ import annotations

from typing import Callable, NoReturn, Sequence


def says_what_there_is(module: str, names: Sequence[str]) -> Callable[[str], NoReturn]:
    """A module's ``__getattr__``."""

    def absent(name: str) -> NoReturn:
        raise AttributeError(f"{module} has no '{name}': of Paddle's it has what programs of element-wise operators use: "
                             f"{', '.join(names)} (docs/how-to/fluid.md).")

    return absent
