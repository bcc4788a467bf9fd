"""The shared libraries of benchmark/native, seen from Python."""
import ctypes
import pathlib

from cases import NIBBLES


class Operand(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("rank", ctypes.c_int64),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64))]


class NativeCase(ctypes.Structure):
    _fields_ = [("op", ctypes.c_char_p), ("type", ctypes.c_char_p), ("rounding", ctypes.c_char_p),
                ("threads", ctypes.c_int32), ("a", Operand), ("b", Operand), ("y", Operand)]


class Unsupported(Exception):
    """This contender does not do such a case. The message says why."""


def operand(array, shape=None):
    """`shape` where the array's is not that of the elements: the packed 4-bit types are flat."""
    strides = [s // array.itemsize for s in array.strides] if shape is None else [1]
    shape = array.shape if shape is None else shape
    rank = len(shape)
    return Operand(array.ctypes.data, rank, (ctypes.c_int64 * rank)(*shape), (ctypes.c_int64 * rank)(*strides))


class Runner:
    """A native contender that is ready for one case."""

    def __init__(self, library, name, arrays, threads):
        case = arrays.case
        packed = case.type in NIBBLES
        self.arrays = arrays  # keeps the memory alive
        self.library = library
        self.case = NativeCase(case.op.encode(), case.type.encode(), case.rounding.encode(), threads,
                               operand(arrays.a, case.a.shape if packed else None),
                               operand(arrays.b, case.b.shape if packed else None),
                               operand(arrays.y, case.shape if packed else None))
        self.handle = library.hb_make(name.encode(), ctypes.byref(self.case))
        if not self.handle:
            raise Unsupported(library.hb_error().decode())

    def once(self):
        if self.library.hb_once(self.handle):
            raise RuntimeError(self.library.hb_error().decode())

    def time(self, calls):
        """Nanoseconds of that many calls, by the native clock."""
        nanoseconds = self.library.hb_time(self.handle, calls)
        if nanoseconds < 0:
            raise RuntimeError(self.library.hb_error().decode())
        return nanoseconds

    def close(self):
        if self.handle:
            self.library.hb_free(self.handle)
            self.handle = None


class Library:
    def __init__(self, path):
        self.c = ctypes.CDLL(str(path), mode=ctypes.RTLD_LOCAL)
        for name in ("hb_error", "hb_limit_variants"):
            getattr(self.c, name).restype = ctypes.c_char_p
        self.c.hb_make.restype = ctypes.c_void_p
        self.c.hb_make.argtypes = [ctypes.c_char_p, ctypes.POINTER(NativeCase)]
        self.c.hb_free.argtypes = [ctypes.c_void_p]
        self.c.hb_once.argtypes = [ctypes.c_void_p]
        self.c.hb_time.argtypes = [ctypes.c_void_p, ctypes.c_int64]
        self.c.hb_time.restype = ctypes.c_double
        self.limit_variants = self.c.hb_limit_variants().decode().split()

    def runner(self, name, arrays, threads=None):
        return Runner(self.c, name, arrays, arrays.case.threads if threads is None else threads)


class Libraries:
    """Ours, and that of the limits and rivals. They are two files: benchmark/CMakeLists.txt says why."""

    def __init__(self, folder):
        self.ours_path = pathlib.Path(folder) / "hadamard_bench_ours.so"
        self.ours = Library(self.ours_path)
        self.others = Library(pathlib.Path(folder) / "hadamard_bench.so")
        unchecked = pathlib.Path(folder) / "hadamard_bench_unchecked.so"
        self.unchecked = Library(unchecked) if unchecked.exists() else None
        self.limit_variants = self.others.limit_variants
        self.package = str(pathlib.Path(folder).parent / "python")  # where our Python package is, if it is built

    def runner(self, name, arrays, threads=None):
        if name.startswith("unchecked."):
            if self.unchecked is None:
                raise Unsupported("not built")
            return self.unchecked.runner(name.replace("unchecked.", "ours."), arrays, threads)
        return (self.ours if name.startswith("ours.") else self.others).runner(name, arrays, threads)
