"""Programs: variables, and the operators that make one of others."""

from __future__ import annotations

import contextlib
import threading
from typing import Any, Callable, Dict, Iterator, List, NoReturn, Optional, Sequence, Tuple

import numpy as np

from . import unique_name
from ._absent import says_what_there_is
from .core import VarDesc

__all__ = ["Variable", "Operator", "Block", "Program", "default_main_program", "default_startup_program",
           "program_guard", "name_scope", "cpu_places", "in_dygraph_mode", "data", "grad_var_name"]

# What Paddle calls the types that its element-wise operators take.
DTYPES: Dict[str, np.dtype] = {kind.value: np.dtype(kind.value) for kind in VarDesc.VarType
                               if kind is not VarDesc.VarType.LOD_TENSOR}

FLOATS = ("float16", "float32", "float64")


def dtype_of(dtype: Any) -> str:
    """The name of a type that was given as a name, as one of NumPy, or as a Python type."""
    try:
        name = str(dtype) if dtype is None or isinstance(dtype, Variable) else np.dtype(dtype).name  # NumPy takes these
    except (TypeError, ValueError, SyntaxError):
        name = str(dtype)
    if name not in DTYPES:
        raise TypeError(f"The data type {dtype!r} is not one of {', '.join(DTYPES)}.")
    return name


def is_whole(value: Any) -> bool:
    """Whether this is one of Python's or NumPy's integers; True is none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _absent(what: str, more: str = "") -> Callable[..., Any]:
    """A method of variables for what fluid has and we have not."""

    def refuse(self: "Variable", *others: Any) -> NoReturn:
        raise TypeError(f"{self.name}: {what} of variables are not among the operators of hadamard.fluid{more}.")

    return refuse


def is_number(value: Any) -> bool:
    """Whether this is one of Python's or NumPy's real numbers; True is none."""
    return is_whole(value) or isinstance(value, (float, np.floating))


class Variable:
    """A value of a program: its name, declared shape (-1: known when it runs), type and levels of detail.

    ``+ - * / ** %`` and unary ``-`` of variables, and of a variable and a number, append operators to the program; their
    results are called tmp_0, tmp_1 and so on.
    """

    # NumPy arrays beside us leave the operation to us.
    __array_priority__ = 100
    __array_ufunc__ = None

    def __init__(self, block: "Block", name: str, shape: Sequence[int], dtype: str, lod_level: int = 0,
                 stop_gradient: bool = False, is_data: bool = False, persistable: bool = False) -> None:
        if not is_whole(lod_level) or lod_level < 0:
            raise (ValueError if is_whole(lod_level) else TypeError)(
                f"lod_level of {name} must be a whole number, 0 or above, but it is {lod_level!r}.")
        if not isinstance(stop_gradient, (bool, np.bool_)):
            raise TypeError(f"stop_gradient of {name} must be True or False, but it is {stop_gradient!r}.")
        self.block = block
        self.name = name
        self.shape: Tuple[int, ...] = tuple(int(extent) for extent in shape)
        self.dtype = dtype
        self.lod_level = lod_level
        self.stop_gradient = stop_gradient
        self.is_data = is_data
        self.persistable = persistable

    def __repr__(self) -> str:
        return f"name: {self.name}, shape: {list(self.shape)}, dtype: {self.dtype}, lod_level: {self.lod_level}"

    def _operate(self, op: str, other: Any, swapped: bool = False) -> "Variable":
        from . import layers

        if not isinstance(other, Variable):
            if not is_number(other):
                raise TypeError(f"{op} of a Variable and {type(other).__name__}: only variables and numbers")
            other = layers.constant_beside(self, other, before=swapped)
        x, y = (other, self) if swapped else (self, other)
        return layers.elementwise(op, x, y, in_expression=True)

    @staticmethod
    def _hadamard_elementwise_(op: str, x: Any, y: Any, axis: int, act: Any, name: Any, out: Any) -> "Variable":
        """What hadamard.elementwise_add and its like do with variables."""
        from . import layers

        if out is not None:
            raise TypeError(f"{op} of variables makes a variable; it does not write to one that is there (out).")
        return layers.elementwise(op, x, y, axis, act, name)

    def __add__(self, other: Any) -> "Variable":
        return self._operate("elementwise_add", other)

    def __radd__(self, other: Any) -> "Variable":
        return self._operate("elementwise_add", other)

    def __sub__(self, other: Any) -> "Variable":
        return self._operate("elementwise_sub", other)

    def __rsub__(self, other: Any) -> "Variable":
        return self._operate("elementwise_sub", other, swapped=True)

    def __mul__(self, other: Any) -> "Variable":
        return self._operate("elementwise_mul", other)

    def __rmul__(self, other: Any) -> "Variable":
        return self._operate("elementwise_mul", other)

    def __truediv__(self, other: Any) -> "Variable":
        return self._operate("elementwise_div", other)

    def __rtruediv__(self, other: Any) -> "Variable":
        return self._operate("elementwise_div", other, swapped=True)

    def __pow__(self, other: Any) -> "Variable":
        return self._operate("elementwise_pow", other)

    def __rpow__(self, other: Any) -> "Variable":
        return self._operate("elementwise_pow", other, swapped=True)

    def __mod__(self, other: Any) -> "Variable":
        return self._operate("elementwise_mod", other)

    def __rmod__(self, other: Any) -> "Variable":
        return self._operate("elementwise_mod", other, swapped=True)

    def __neg__(self) -> "Variable":
        if self.dtype.startswith("u"):
            raise TypeError(f"-x takes signed numbers, but {self.name} is {self.dtype}.")
        return self._operate("elementwise_mul", -1)

    # In fluid these append operators; Python's own answers would be passed over in silence, or say less.
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _absent("comparisons", "; to see whether two are one, use `is`")
    __hash__ = object.__hash__
    __floordiv__ = __rfloordiv__ = _absent("whole quotients")
    __matmul__ = __rmatmul__ = _absent("matrix products")
    __getitem__ = _absent("slices")
    __abs__ = _absent("absolute values")
    astype = _absent("conversions")

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{self.name} is neither true nor false: it has a value when a program runs.")


def grad_var_name(name: str) -> str:
    """What the gradient of a variable is called."""
    return name + "@GRAD"


class Operator:
    """One step of a program: the names of what it reads and writes, by Paddle's slots."""

    def __init__(self, type: str, inputs: Dict[str, str], outputs: Dict[str, str], attrs: Dict[str, Any]) -> None:
        self.type = type
        self.inputs = inputs
        self.outputs = outputs
        self.attrs = attrs

    @property
    def input_arg_names(self) -> List[str]:
        return list(self.inputs.values())

    @property
    def output_arg_names(self) -> List[str]:
        return list(self.outputs.values())

    def __repr__(self) -> str:
        def slots(of: Dict[str, str]) -> str:
            return ", ".join(f"{slot}=['{name}']" for slot, name in of.items())

        said = "".join(f", {key} = {value!r}" for key, value in self.attrs.items())
        return f"{{{slots(self.outputs)}}} = {self.type}(inputs={{{slots(self.inputs)}}}{said})"


class Block:
    """The variables and operators of a program, in order."""

    def __init__(self, program: "Program") -> None:
        self.program = program
        self.vars: Dict[str, Variable] = {}
        self.ops: List[Operator] = []

    def create_var(self, name: Optional[str] = None, shape: Sequence[int] = (), dtype: Any = "float32",
                   **said: Any) -> Variable:
        """A new variable. Data may be declared anew, with another shape: it is still the same variable."""
        if name is None:
            name = unique_name.generate("_generated_var")
        variable = Variable(self, name, shape, dtype_of(dtype), **said)
        old = self.vars.get(name)
        if old is not None and (old.dtype != variable.dtype or not (old.is_data and variable.is_data)):
            raise ValueError(f"Variable {name} has been created before. The previous data type is {old.dtype}; "
                             f"the new data type is {variable.dtype}. Only data can be declared anew, with its own "
                             "type.")
        if old is not None:
            old.shape, old.lod_level, old.stop_gradient = variable.shape, variable.lod_level, variable.stop_gradient
            return old
        self.vars[name] = variable
        return variable

    def has_var(self, name: str) -> bool:
        return name in self.vars

    def var(self, name: str) -> Variable:
        """The variable of a name. Raises ValueError where there is none."""
        if name not in self.vars:
            raise ValueError(f"var {name} not in this block: there are: {self._names()}.")
        return self.vars[name]

    def find(self, argument: str, asked: Any, kinds: Tuple[type, ...] = (list, tuple), hint: str = "") -> List[Variable]:
        """The variables that an argument has, themselves or by their names. Those of another program are looked for
        by their names: clones have them too. `hint` says what to do where there are none."""
        if not isinstance(asked, kinds):
            raise TypeError(f"{argument} must be a list of variables and their names, but it is of type "
                            f"{type(asked).__name__}.")
        found = []
        for number, one in enumerate(asked):
            if one is None:
                raise TypeError(f"{argument}[{number}] is None: gradients() gives None for a variable that no target "
                                "depends on; leave it out.")
            if not isinstance(one, (str, Variable)):
                raise TypeError(f"{argument}[{number}] is {one!r}, but must be a variable or the name of one.")
            name = one if isinstance(one, str) else one.name
            if name not in self.vars:
                why = f"there are: {self._names()}." if isinstance(one, str) else "it belongs to another program" + hint
                raise ValueError(f"var {name} not in this block: the {argument} has it, but {why}")
            found.append(self.vars[name])
        return found

    def _names(self) -> str:
        shown = sorted(self.vars, key=lambda name: not self.vars[name].is_data)[:12]
        left = len(self.vars) - len(shown)
        return (", ".join(shown) or "none") + (f" and {left} more" if left else "")

    def append_op(self, type: str, inputs: Dict[str, str], outputs: Dict[str, str],
                  attrs: Optional[Dict[str, Any]] = None) -> Operator:
        operator = Operator(type, inputs, outputs, dict(attrs or {}))
        self.ops.append(operator)
        return operator


class Program:
    """Variables and the operators that compute them. ``print(program)`` shows both."""

    def __init__(self) -> None:
        self._block = Block(self)
        self.random_seed = 0

    def global_block(self) -> Block:
        return self._block

    def current_block(self) -> Block:
        return self._block

    def block(self, index: int) -> Block:
        return self.blocks[index]

    @property
    def blocks(self) -> List[Block]:
        return [self._block]

    @property
    def num_blocks(self) -> int:
        return 1

    def list_vars(self) -> Iterator[Variable]:
        return iter(list(self._block.vars.values()))

    def all_parameters(self) -> List[Variable]:
        """None: these operators have no parameters."""
        return []

    def clone(self, for_test: bool = False) -> "Program":
        """A copy, to which operators can be appended without changing this one."""
        copy = Program()
        block = copy.global_block()
        for variable in self._block.vars.values():
            block.vars[variable.name] = Variable(block, variable.name, variable.shape, variable.dtype,
                                                 variable.lod_level, variable.stop_gradient, variable.is_data,
                                                 variable.persistable)
        for op in self._block.ops:
            block.append_op(op.type, dict(op.inputs), dict(op.outputs), op.attrs)
        return copy

    def to_string(self, throw_on_error: bool = False, with_details: bool = False) -> str:
        lines = [f"    var {variable!r}" for variable in self._block.vars.values()]
        lines += [f"    {op!r}" for op in self._block.ops]
        return "{ // block 0\n" + "\n".join(lines) + "\n}\n"

    __str__ = to_string
    __repr__ = to_string


class _Current(threading.local):
    """The programs that layers append to, of a thread that said so; of all others one for the process."""

    main: Optional[Program] = None
    startup: Optional[Program] = None


_main_program = Program()
_startup_program = Program()
_current = _Current()


def default_main_program() -> Program:
    """The program that layers append to."""
    return _current.main or _main_program


def default_startup_program() -> Program:
    """The program that would initialise parameters, of which there are none."""
    return _current.startup or _startup_program


@contextlib.contextmanager
def program_guard(main_program: Program, startup_program: Optional[Program] = None) -> Iterator[None]:
    """Layers in this ``with`` block append to `main_program`."""
    for program in (main_program, main_program if startup_program is None else startup_program):
        if not isinstance(program, Program):
            raise TypeError(f"program_guard takes programs, but got {type(program).__name__}")
    old = _current.main, _current.startup
    _current.main = main_program
    _current.startup = startup_program or _current.startup
    try:
        yield
    finally:
        _current.main, _current.startup = old


@contextlib.contextmanager
def name_scope(prefix: Optional[str] = None) -> Iterator[None]:
    """Only for a program's reader: names of variables do not depend on it, as in fluid."""
    yield


def cpu_places(device_count: Optional[int] = None) -> List[Any]:
    """Places on the CPU."""
    from .core import CPUPlace

    return [CPUPlace() for _ in range(device_count or 1)]


def in_dygraph_mode() -> bool:
    """False: programs are built first and run by an Executor."""
    return False


def data(name: str, shape: Sequence[Optional[int]], dtype: Any = "float32", lod_level: int = 0) -> Variable:
    """A variable that is fed. None in `shape` is -1; no batch dimension is put before it."""
    from . import layers

    return layers.data(name, shape, append_batch_size=False,
                       dtype=dtype, lod_level=lod_level)


__getattr__ = says_what_there_is(__name__, __all__)
