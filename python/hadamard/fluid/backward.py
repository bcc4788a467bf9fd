"""Gradients of programs: appends the operators that compute them."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Set, Tuple, Union

from hadamard import _paddle

from . import operators, unique_name
from .core import EnforceNotMet
from .framework import FLOATS, Block, Operator, Variable, grad_var_name

__all__ = ["gradients", "append_backward"]

_NO_GRADIENT = ("fill_constant", "assign_value", "fill_any_like")


_COLLECTIONS = (list, tuple, set, frozenset)


def _as_list(value: Any) -> List[Any]:
    return list(value) if isinstance(value, _COLLECTIONS) else [value]


class _Backward:
    """The gradients that are known so far, by the name of their variable.

    The gradient of x is called x@GRAD, or x@GRAD_0 and so on where an earlier call has made one. Each reader of x
    contributes a part; where there are several, these are renamed, as in fluid, and x@GRAD is their sum.
    """

    def __init__(self, block: Block, reached: Set[str]) -> None:
        self.block = block
        self.reached = reached  # what the gradients flow through
        self.parts: Dict[str, List[str]] = {}
        self.names: Dict[str, str] = {}
        self.makers: Dict[str, Operator] = {}  # of the parts that were made here

    def append(self, kind: str, inputs: Dict[str, str], of: Dict[str, str], attrs: Dict[str, Any]) -> None:
        """Appends an operator that gives, by slot, parts of the gradients of variables. It gives all of them, because
        the gradient of a gradient may need one that nobody asked for."""
        if self.reached.isdisjoint(of.values()):
            return
        op = self.block.append_op(kind, inputs, {}, attrs)
        for slot, name in of.items():
            asked = name in self.reached
            part = self._new_part(name) if asked else unique_name.generate(grad_var_name(name) + "@UNASKED")
            self._create(part, name)
            op.outputs[slot] = part
            if asked:
                self.makers[part] = op
                self.add(name, part)

    def _create(self, gradient: str, of: str) -> None:
        like = self.block.var(of)
        self.block.create_var(name=gradient, shape=like.shape, dtype=like.dtype, lod_level=like.lod_level)

    def add(self, of: str, gradient: str) -> None:
        self.parts.setdefault(of, []).append(gradient)

    def gradient_of(self, name: str) -> Optional[str]:
        """The sum of what the readers of a variable contribute; None where nobody does."""
        parts = self.parts.get(name, [])
        if len(parts) > 1:
            total = self._make_room(name)
            self._create(total, name)
            self.block.append_op("sum", {f"X{number:06d}": part for number, part in enumerate(parts)}, {"Out": total})
            self.parts[name] = [total]
        return self.parts[name][0] if parts else None

    def _new_part(self, of: str) -> str:
        name = self._make_room(of)
        number = len(self.parts.get(of, []))
        return f"{name}@RENAME@block0@{number}" if number else name

    def _make_room(self, of: str) -> str:
        """The name of the gradient of a variable; a first part that has it gets another."""
        if of not in self.names:
            name = grad_var_name(of)
            self.names[of] = unique_name.generate(name) if self.block.has_var(name) else name
        name = self.names[of]
        parts = self.parts.get(of, [])
        if parts and parts[0] == name and name in self.makers:
            parts[0] = f"{name}@RENAME@block0@0"
            self._rename(name, parts[0])
        return name

    def _rename(self, old: str, new: str) -> None:
        op = self.makers[new] = self.makers.pop(old)
        op.outputs.update({slot: new for slot, name in op.outputs.items() if name == old})
        variable = self.block.vars[new] = self.block.vars.pop(old)
        variable.name = new

    def through(self, op: Operator) -> None:
        """Appends what takes the gradients of an operator's outputs to its inputs."""
        of_outputs = {slot: self.gradient_of(name) for slot, name in op.outputs.items()}
        known = {slot: name for slot, name in of_outputs.items() if name is not None}
        if not known or op.type in _NO_GRADIENT:
            return
        if op.type + "_grad" in operators.GRADIENTS or op.type in operators.ACTIVATIONS:
            inputs = {**op.inputs, "Out": op.outputs["Out"], "Out@GRAD": known["Out"]}
            self.append(op.type + "_grad", inputs, {slot + "@GRAD": name for slot, name in op.inputs.items()}, op.attrs)
        elif op.type == "sum":
            for name in op.input_arg_names:
                if name in self.reached:
                    self.add(name, known["Out"])
        elif op.type in operators.GRADIENTS:
            self._through_gradient(op, known)
        elif not self.reached.isdisjoint(op.input_arg_names):
            raise EnforceNotMet(f"The gradient of {op.type} is not one that Hadamard has: it has those of "
                                f"{', '.join(f.__name__ for f in _paddle.with_gradients)}, of their gradients and of the activations.")

    def _through_gradient(self, op: Operator, known: Dict[str, str]) -> None:
        """As through, of the gradient of an element-wise operator. That of a quotient is a function of Y, Out and
        Out@GRAD, the others are of X, Y and Out@GRAD."""
        x, y, out, dout = (op.inputs[slot] for slot in ("X", "Y", "Out", "Out@GRAD"))
        inputs, of = {"X": x, "Y": y, "DOut": dout}, {}
        if op.type == "elementwise_div_grad":
            inputs = {"Y": y, "Out": out, "Out@GRAD": dout, "DX": op.outputs["X@GRAD"]}
            of = {"Y@GRAD": y, "DOut": out}
            if not self.reached.isdisjoint([*of.values(), dout]):
                self._refuse_stretched(x, y, out)
        elif op.type == "elementwise_mul_grad":
            of = {"X@GRAD": x, "Y@GRAD": y}
        inputs.update({slot: known[of_] for slot, of_ in (("DDX", "X@GRAD"), ("DDY", "Y@GRAD")) if of_ in known})
        self.append(op.type + "_grad", inputs, {**of, "DDOut": dout}, op.attrs)

    def _refuse_stretched(self, x: str, y: str, out: str) -> None:
        """Where it is known by now: an extent of -1 may turn out to be 1."""
        own, whole = self.block.var(x).shape, self.block.var(out).shape
        if len(own) != len(whole) or any(a == 1 and b not in (1, -1) for a, b in zip(own, whole)):
            raise EnforceNotMet(f"The gradient of the gradient of {x} / {y} takes an {x} of the result's shape, but {x} "
                                f"{list(own)} was stretched to {list(whole)}: write {x} / {y} as {x} * (1 / {y}).")


def gradients(targets: Union[Variable, Sequence[Variable]], inputs: Union[Variable, Sequence[Variable]],
              target_gradients: Union[None, Variable, Sequence[Optional[Variable]]] = None,
              no_grad_set: Optional[Set[Union[str, Variable]]] = None) -> List[Optional[Variable]]:
    """Appends to the program what computes the gradients of `targets` with respect to `inputs`.

    `target_gradients` are those of the targets themselves: ones, where nothing is said. Returns a variable for
    each input, or None for one that no target depends on.
    """
    targets, inputs = _as_list(targets), _as_list(inputs)
    given = [] if target_gradients is None else _as_list(target_gradients)
    given = given or [None] * len(targets)
    for variable in [*targets, *inputs, *(gradient for gradient in given if gradient is not None)]:
        if not isinstance(variable, Variable):
            raise TypeError(f"gradients takes variables, but got {type(variable).__name__}")
    if not targets:
        raise ValueError("gradients takes at least one target")
    for variable in [*targets, *inputs]:
        if variable.dtype not in FLOATS:
            raise TypeError(f"gradients takes variables of {', '.join(FLOATS)}, but {variable.name} is {variable.dtype}.")
    block = targets[0].block
    if any(variable.block is not block for variable in [*targets, *inputs, *given] if variable is not None):
        raise ValueError("The variables of gradients belong to different programs.")
    if len(given) != len(targets):
        raise ValueError(f"There are {len(targets)} targets, but {len(given)} target_gradients")
    for target, gradient in zip(targets, given):
        if gradient is not None and gradient.dtype != target.dtype:
            raise TypeError(f"The gradient of the target {target.name} must be of its type {target.dtype}, but "
                            f"{gradient.name} is {gradient.dtype}.")
    ignored = set() if no_grad_set is None else {v.name for v in block.find("no_grad_set", _as_list(no_grad_set))}
    ops, names = list(block.ops), set(block.vars)
    try:
        found = _append_gradients(block, targets, inputs, given, ignored)
    except Exception:  # the program is as it was
        block.ops[:] = ops
        for name in set(block.vars) - names:
            del block.vars[name]
        raise
    return [None if name is None else block.var(name) for name in found]


def _append_gradients(block: Block, targets: List[Variable], inputs: List[Variable],
                      given: List[Optional[Variable]], ignored: Set[str]) -> List[Optional[str]]:
    """The names of the gradients of the inputs."""
    work = _Backward(block, _reached(block, {variable.name for variable in inputs}, ignored))
    ops = list(block.ops)
    for target, gradient in zip(targets, given):
        if gradient is None:
            work.append("fill_any_like", {"X": target.name}, {"Out": target.name}, {"value": 1.0})
        else:
            work.add(target.name, gradient.name)
    for op in reversed(ops):
        work.through(op)
    return [work.gradient_of(variable.name) for variable in inputs]


def _reached(block: Block, roots: Set[str], ignored: Set[str]) -> Set[str]:
    """What depends on the roots, but for what stops gradients. The roots themselves are asked for, data though they
    may be."""
    reached = set(roots) - ignored
    for op in block.ops:
        if not reached.isdisjoint(op.input_arg_names):
            reached.update(name for name in op.output_arg_names
                           if name not in ignored and not block.var(name).stop_gradient)
    return reached


def append_backward(loss: Variable, parameter_list: Optional[Sequence[Union[str, Variable]]] = None,
                    no_grad_set: Optional[Set[Union[str, Variable]]] = None, callbacks: Any = None,
                    checkpoints: Any = None) -> List[Tuple[Variable, Variable]]:
    """Appends to the program what computes the gradients of `loss`; returns pairs of variable and gradient.

    The variables are those of `parameter_list`, else all data that was declared with ``stop_gradient=False``.
    """
    if not isinstance(loss, Variable):
        raise TypeError(f"The loss of append_backward must be a Variable, but received {type(loss).__name__}")
    block = loss.block
    if parameter_list is None:
        wanted = [v for v in block.vars.values() if v.is_data and not v.stop_gradient]
    else:
        wanted = block.find("parameter_list", parameter_list, _COLLECTIONS)
    found = gradients(loss, wanted, no_grad_set=no_grad_set)
    pairs = [(variable, gradient) for variable, gradient in zip(wanted, found) if gradient is not None]
    if not pairs and parameter_list is None:
        raise ValueError(f"No data that {loss.name} depends on has stop_gradient=False and is not in no_grad_set: declare it "
                         "with stop_gradient=False, or give parameter_list.")
    return pairs
