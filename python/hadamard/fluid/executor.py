"""Runs programs."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, Set, Union, overload

import numpy as np

import hadamard

from . import operators
from .core import EnforceNotMet, require_place
from .framework import DTYPES, Operator, Program, Variable, default_main_program
from .lod_tensor import LoDTensor, array_of
from .operators import Value

# None is what gradients() may give: the types allow it, `run` refuses it.
FetchList = Union[None, str, Variable, Sequence[Union[None, str, Variable]]]


class Executor:
    """Runs a program: ``Executor(CPUPlace()).run(program, feed={...}, fetch_list=[...])``."""

    def __init__(self, place: Any = None) -> None:
        self.place = require_place(place, "An Executor")
        self._closed = False

    @overload
    def run(self, program: Optional[Program] = None, feed: Optional[Dict[str, Any]] = None, fetch_list: FetchList = None,
            feed_var_name: str = "feed", fetch_var_name: str = "fetch", scope: Any = None,
            return_numpy: Literal[True] = True, use_program_cache: bool = False, return_merged: bool = True,
            use_prune: bool = False) -> List[np.ndarray]: ...

    @overload
    def run(self, program: Optional[Program] = None, feed: Optional[Dict[str, Any]] = None, fetch_list: FetchList = None,
            feed_var_name: str = "feed", fetch_var_name: str = "fetch", scope: Any = None, *,
            return_numpy: Literal[False], use_program_cache: bool = False, return_merged: bool = True,
            use_prune: bool = False) -> List[LoDTensor]: ...

    @overload
    def run(self, program: Optional[Program] = None, feed: Optional[Dict[str, Any]] = None, fetch_list: FetchList = None,
            feed_var_name: str = "feed", fetch_var_name: str = "fetch", scope: Any = None,
            return_numpy: bool = True, use_program_cache: bool = False, return_merged: bool = True,
            use_prune: bool = False) -> Union[List[np.ndarray], List[LoDTensor]]: ...

    def run(self, program: Optional[Program] = None, feed: Optional[Dict[str, Any]] = None, fetch_list: FetchList = None,
            feed_var_name: str = "feed", fetch_var_name: str = "fetch", scope: Any = None, return_numpy: bool = True,
            use_program_cache: bool = False, return_merged: bool = True, use_prune: bool = False) -> Any:
        """The values of the variables in `fetch_list`, in its order.

        Only what they need is computed. `program` is the default main program where it is not said. `feed` has
        arrays, or LoDTensors, by the names of variables. With `return_numpy` false the results are LoDTensors;
        a result with levels of detail can be had in no other way.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Executor")
        program = default_main_program() if program is None else program
        if not isinstance(program, Program):
            raise TypeError(f"Executor requires Program as its Parameter. But you passed in {type(program).__name__}")
        if feed is not None and not isinstance(feed, dict):
            raise TypeError(f"feed requires dict as its Parameter. But you passed in {type(feed).__name__}")
        block = program.global_block()
        names = [variable.name for variable in block.find("fetch_list", _as_list(fetch_list),
                                                             hint=": pass program=...")]
        fed = block.find("feed", [_feed_name(key) for key in feed or {}])
        values = {variable.name: _fed(variable, value) for variable, value in zip(fed, (feed or {}).values())}
        _run(_needed(block.ops, names, set(values)), set(names), values)
        borrowed = set(feed or {})  # what must not leave as it is: somebody else's memory, or what was fetched before
        borrowed.update(op.outputs["Out"] for op in block.ops if op.type == "assign_value")
        results = []
        for name in names:
            results.append(_fetched(name, values, return_numpy, name in borrowed))
            borrowed.add(name)
        return results

    def close(self) -> None:
        """Nothing is kept between runs; a closed executor runs no more."""
        self._closed = True


def _as_list(fetch_list: Any) -> Any:
    if fetch_list is None:
        return []
    return [fetch_list] if isinstance(fetch_list, (str, Variable)) else fetch_list


def _feed_name(key: Any) -> str:
    if isinstance(key, Variable):
        raise TypeError(f"The keys of feed are names of variables, but one is the Variable {key.name}: use its name, "
                        f"'{key.name}'.")
    if not isinstance(key, str):
        raise TypeError(f"The keys of feed are names of variables, but one is {key!r}.")
    return key


def _fed(variable: Variable, value: Any) -> Value:
    """What was fed, in the type of its variable."""
    lod = value.lod() if isinstance(value, LoDTensor) else []
    if isinstance(value, LoDTensor) and not value.has_valid_recursive_sequence_lengths():
        raise ValueError(f"The lod {lod} of the feed of {variable.name} does not fit its shape {value.shape()}.")
    if isinstance(value, Variable):
        raise TypeError(f"The feed of {variable.name} is the Variable {value.name}, which has a value only when a program runs: "
                        "fetch it, and feed that.")
    array = array_of(value, f"The feed of {variable.name}")
    wanted = DTYPES[variable.dtype]
    return Value(array if array.dtype == wanted else np.asarray(hadamard.cast(array, wanted)), lod)


def _needed(ops: List[Operator], names: List[str], known: Set[str]) -> List[Operator]:
    """Those operators that the variables of these names need, in order."""
    wanted = set(names) - known
    needed = []
    for op in reversed(ops):
        outputs = wanted.intersection(op.output_arg_names)
        if outputs:
            needed.append(op)
            wanted -= outputs
            wanted.update(name for name in op.input_arg_names if name not in known)
    needed.reverse()
    return needed


def _followed_by(op: Operator, later: Optional[Operator], readers: Dict[str, int], fetched: Set[str]) -> bool:
    """Whether the next operator is an activation of this one's result, which nobody else wants."""
    out = op.outputs.get("Out", "")
    return (later is not None and op.type in operators.ELEMENTWISE and later.type in operators.ACTIVATIONS
            and later.inputs["X"] == out and readers[out] == 1 and out not in fetched)


def _run(ops: List[Operator], fetched: Set[str], values: Dict[str, Value]) -> None:
    readers: Dict[str, int] = {}
    for op in ops:
        for name in op.input_arg_names:
            readers[name] = readers.get(name, 0) + 1
    at = 0
    while at < len(ops):
        op, later = ops[at], ops[at + 1] if at + 1 < len(ops) else None
        for slot, name in op.inputs.items():
            if name not in values:
                raise EnforceNotMet(f"The Tensor in the {op.type} Op's Input Variable {slot}({name}) is not "
                                    "initialized. Is it fed?")
        fused = _followed_by(op, later, readers, fetched)
        try:
            results = operators.run(op, values, operators.act_of(later) if fused and later is not None else "")
        except hadamard.Error as error:
            raise _placed(error, op) from error
        outputs = later.outputs if fused and later is not None else op.outputs
        for slot, value in results.items():
            values.setdefault(outputs[slot], value)  # what was fed wins
        _forget(op, readers, fetched, values)
        at += 2 if fused else 1


def _placed(error: hadamard.Error, op: Operator) -> hadamard.Error:
    """The error, with the operator that it happened in."""
    variables = ", ".join(f"{slot} = {name}" for slot, name in [*op.inputs.items(), *op.outputs.items()])
    placed = type(error)(f"{error} [operator {op.type}: {variables}]")
    placed.code, placed.requirement = error.code, error.requirement
    return placed


def _forget(op: Operator, readers: Dict[str, int], fetched: Set[str], values: Dict[str, Value]) -> None:
    """Frees what nobody reads any more."""
    for name in op.input_arg_names:
        readers[name] -= 1
        if readers[name] == 0 and name not in fetched:
            values.pop(name, None)


def _fetched(name: str, values: Dict[str, Value], return_numpy: bool, copy: bool) -> Union[np.ndarray, LoDTensor]:
    if name not in values:
        raise EnforceNotMet(f"The variable {name} is fetched but was neither fed nor computed.")
    value = values[name]
    if return_numpy:
        if value.lod:
            raise RuntimeError("Some of your fetched tensors hold LoD information. They can not be completely cast "
                               "to Python ndarray. Please set the parameter 'return_numpy' as 'False' to return "
                               "LoDTensor itself directly.")
        return value.array.copy() if copy else value.array
    tensor = LoDTensor()
    tensor.set(value.array)
    tensor.carry_lod(value.lod)
    return tensor
