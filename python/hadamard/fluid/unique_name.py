"""Names of variables, as fluid counts them: ``elementwise_div_0.tmp_0``."""

from __future__ import annotations

import contextlib
import threading
from collections import defaultdict
from typing import Dict, Iterator, Optional

__all__ = ["generate", "switch", "guard"]


class _Generator:
    """Counts, for each key, the names that were made of it."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.counts: Dict[str, int] = defaultdict(int)
        self._lock = threading.Lock()

    def __call__(self, key: str) -> str:
        with self._lock:
            number = self.counts[key]
            self.counts[key] += 1
        return f"{self.prefix}{key}_{number}"


_current = _Generator()


def generate(key: str) -> str:
    """``key_0``, then ``key_1`` and so on."""
    return _current(key)


def switch(new_generator: Optional[_Generator] = None) -> _Generator:
    """Begin to count anew, or with what an earlier call of ``switch`` returned. Returns what counted before."""
    global _current
    old = _current
    _current = _Generator() if new_generator is None else new_generator
    return old


@contextlib.contextmanager
def guard(new_generator: Optional[str] = None) -> Iterator[None]:
    """Count anew within a ``with`` block. A text becomes the prefix of all names in it."""
    old = switch(_Generator(new_generator or ""))
    try:
        yield
    finally:
        switch(old)
