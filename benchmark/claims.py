"""What we claim about speed: a row per line of the table in docs/performance.md, and how it is judged.

A claim has cases, contenders and checks. The figure of a check is, for each case, the median over the rounds of a
ratio of two times of the same round; the claim's figure is that of its worst case.

  limit       time of the limit / ours: 1 is as fast as the best loop that we know of which does no work
  rival       time of the best rival / ours: 2 is twice as fast as the best
  vs NAME     time of that contender / ours
  units       ours per element / one fp32 division of the hardware's divider (about 0.13 ns on the machine that
              the targets were set on): the way to say "0.17 ns" on another machine
  X / Y       time of contender X / time of contender Y
"""
import dataclasses

from cases import Case, View, by_scalar, line
from contenders import RIVALS
from measure import LIMIT, UNIT
from stats import ratio, spread

OPS = ("add", "sub", "mul", "div")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
ALL = ("ours", "loop", *RIVALS)
NATIVE_UNIT = 0.128  # ns of one fp32 division where the targets were set


@dataclasses.dataclass(frozen=True)
class Check:
    metric: str
    sense: str  # ">=" or "<="
    target: float

    def __str__(self):
        return f"{self.metric} {'≥' if self.sense == '>=' else '≤'} {self.target:.3g}"

    def met(self, value):
        return value >= self.target if self.sense == ">=" else value <= self.target

    def verdict(self, value):
        return "met" if self.met(value) else "NOT MET"

    def worse(self, x, y):
        return x < y if self.sense == ">=" else x > y

    def measure(self, result, ours):
        """(Spread, who) of one case; None where the contender that it takes is absent."""
        times = result.times
        if ours not in times:
            return None
        if self.metric == "limit":
            return ratio(times[LIMIT], times[ours]), ""
        if self.metric == "units":
            return ratio([t / result.case.count for t in times[ours]], times[UNIT]), ""
        if self.metric == "rival":
            found = [(ratio(times[name], times[ours]), name) for name in times if name in RIVALS]
            return min(found) if found else None
        if self.metric.startswith("vs "):
            name = self.metric[3:]
            return (ratio(times[name], times[ours]), name) if name in times else None
        upper, lower = self.metric.split(" / ")
        if upper not in times or lower not in times:
            return None
        return ratio(times[upper], times[lower]), ""


def at_least(metric, target):
    return Check(metric, ">=", target)


def at_most(metric, target):
    return Check(metric, "<=", target)


@dataclasses.dataclass(frozen=True)
class Claim:
    key: str
    what: str
    cases: tuple
    checks: tuple
    contenders: tuple = ALL
    ours: str = "ours"
    quick: tuple = ()  # indices of the cases that --quick takes; empty: all

    def chosen(self, quick):
        return tuple(self.cases[i] for i in self.quick) if quick and self.quick else self.cases

    @property
    def wants_limit(self):
        return any(check.metric == "limit" for check in self.checks) or not self.checks

    @property
    def wants_unit(self):
        return any(check.metric == "units" for check in self.checks)


@dataclasses.dataclass
class Judged:
    check: Check
    verdict: str = "not measured"  # or met, NOT MET, not judged
    figure: object = None  # a Spread
    case: str = ""
    who: str = ""


def judge(claim, results, in_earnest=True):
    """One Judged per check: the worst case decides. Not `in_earnest`: the figures only."""
    judged = []
    for check in claim.checks:
        worst = Judged(check)
        for result in results:
            found = check.measure(result, claim.ours)
            if found is None:
                continue
            figure, who = found
            if worst.figure is None or check.worse(figure.median, worst.figure.median):
                worst = Judged(check, "", figure, result.case.name, who)
        if worst.figure is not None:
            worst.verdict = check.verdict(worst.figure.median) if in_earnest else "not judged"
        judged.append(worst)
    return judged


def nanoseconds(claim, results):
    """Ours, per element (per call for tiny cases): the smallest and the largest of the cases."""
    values = []
    for result in results:
        if claim.ours in result.times:
            per = 1 if result.case.count < 100 else result.case.count
            values.append(spread(result.times[claim.ours]).median / per)
    return (min(values), max(values)) if values else None


def units(ns):
    """A target of the issue in nanoseconds, as divisions of fp32."""
    return at_most("units", ns / NATIVE_UNIT)


def floats(count, threads=1):
    return tuple(line(op, t, count, threads=threads) for t in ("fp32", "fp64") for op in OPS)


def divisions(type_, count=10**5, **more):
    if type_.startswith("uint"):
        return (line("div", type_, count, **more),)
    return tuple(line("div", type_, count, rounding=r, **more) for r in ("floor", "trunc"))


def integer(type_, target, scalar, numpy, **more):
    what = f"{type_} div" + (", operands below 2^23" if "32" in type_ else ", operands below 2^51") * bool(more)
    key = f"{type_}-div" + "-small" * bool(more)
    return Claim(key, what, divisions(type_, **more),
                 (units(target), at_least("vs loop", scalar), at_least("vs numpy", numpy)))


def table(op, type_, name, a, b, **more):
    return Case(op, type_, a, b, shapes=name, **more)


NCHW = (16, 32, 56, 56)
NHWC = View((16, 56, 56, 32), axes=(0, 3, 1, 2))
STRIDED = tuple(
    table(op, t, name, a, b)
    for op, t in (("div", "fp32"), ("add", "fp64"))
    for name, a, b in (
        ("(1000,1000), B transposed", View((1000, 1000)), View((1000, 1000), axes=(1, 0))),
        ("(3000,3000), B transposed", View((3000, 3000)), View((3000, 3000), axes=(1, 0))),
        ("(1000,1000), B every 2nd column", View((1000, 1000)), View((1000, 2000), step=(1, 2))),
        ("(1000,1000), A and B every 2nd row", View((2000, 1000), step=(2, 1)), View((2000, 1000), step=(2, 1))),
        ("(16,32,56,56), B from NHWC", View(NCHW), NHWC),
    ))
BROADCAST = tuple(
    table("div", "fp32", name, View(a), View(b)) for name, a, b in (
        ("(1000,1000)/(1000,1)", (1000, 1000), (1000, 1)),
        ("(1000,1000)/(1,1000)", (1000, 1000), (1, 1000)),
        ("(64,3,224,224)/(3,1,1)", (64, 3, 224, 224), (3, 1, 1)),
    ))
PADDLE = tuple((name, View(a), View(b)) for name, a, b in (
    ("(64,3,224,224)/(3) at axis 1", (64, 3, 224, 224), (3, 1, 1)),
    ("(16,2048,7,7)/(16,2048) at axis 0", (16, 2048, 7, 7), (16, 2048, 1, 1)),
    ("(32,12,128,128)/(32,1,1,128)", (32, 12, 128, 128), (32, 1, 1, 128)),
    ("(8,3,256,256)/(1,3,1,1)", (8, 3, 256, 256), (1, 3, 1, 1)),
))
SMALL_SIZES = (1000, 3000, 10**4, 30000, 10**5, 300000, 10**6)

CLAIMS = (
    Claim("dram-1", "fp32, fp64 add sub mul div, 10^7 elements, 1 thread", floats(10**7),
          (at_least("limit", 0.95), at_least("rival", 1.25)), quick=(0, 3, 7)),
    Claim("dram-2", "the same, 2 threads", floats(10**7, threads=2),
          (at_least("limit", 0.95), at_least("rival", 1.25)), quick=(3, 4)),
    Claim("cache", "the same, 10^5 elements", floats(10**5), (at_least("limit", 0.95),), quick=(0, 3, 6, 7)),
    Claim("l1", "the same, 10^3 elements, prepared", floats(10**3), (at_least("vs eigen", 0.90),)),
    Claim("fp16-div", "fp16 div", (line("div", "fp16", 10**5),), (units(0.14), at_least("vs numpy", 60))),
    Claim("bf16-div", "bf16 div", (line("div", "bf16", 10**5),),
          (units(0.18), at_least("vs eigen", 1.28), at_least("vs torch", 1.6))),
    integer("int8", 0.17, 11, 28),
    integer("int16", 0.18, 10.5, 27),
    integer("int32", 0.38, 5, 17),
    integer("int32", 0.18, 10.5, 36, values="small"),
    integer("int64", 1.3, 1.77, 5.3),
    integer("int64", 0.5, 4.6, 13.8, values="small"),
    integer("uint8", 0.15, 11, 11),
    integer("uint16", 0.196, 9.7, 10),
    integer("uint32", 0.38, 5, 5),
    integer("uint64", 1.3, 1.77, 1.77),
    Claim("wide-by-small", "int64, uint64 div, divisors up to 1000",
          divisions("int64", values="by small") + divisions("uint64", values="by small"),
          (at_least("vs loop", 0.9),)),
    Claim("by-scalar", "integers div by a scalar",
          tuple(by_scalar("div", t, 10**5, rounding="floor") for t in SIGNED + UNSIGNED),
          (at_least("vs numpy", 1.3),), quick=(0, 2, 3)),
    Claim("int4-div", "int4, uint4 div, packed", divisions("int4") + divisions("uint4"), (units(0.07),)),
    Claim("complex128-div", "complex128 div", (line("div", "complex128", 10**4), line("div", "complex128", 10**5)),
          (units(1.15), at_least("vs numpy", 6.8)), quick=(0,)),
    Claim("complex64-div", "complex64 div", (line("div", "complex64", 10**4), line("div", "complex64", 10**5)),
          (units(0.85), at_least("vs numpy", 9.4)), quick=(0,)),
    Claim("complex-dram", "complex64, complex128 div, in memory",
          (line("div", "complex64", 5 * 10**6), line("div", "complex128", 5 * 10**6)),
          (at_least("limit", 0.85),)),
    Claim("complex-mul", "complex64, complex128 mul",
          tuple(line("mul", t, n) for t in ("complex64", "complex128") for n in (10**4, 5 * 10**6)), (), quick=(0, 2)),
    Claim("broadcast", "a row, a column, a channel that repeats", BROADCAST, (at_least("limit", 0.95),)),
    Claim("strided", "transposed and strided operands", STRIDED, (at_least("rival", 1.2),), quick=(0, 2, 4, 6)),
    Claim("tiny-into", "8 elements, into an output", (line("div", "fp32", 8),),
          (at_least("vs xtensor.dynamic", 38 / 30),), ("ours.into", "xtensor.dynamic", "loop", *RIVALS), "ours.into"),
    Claim("tiny-prepared", "8 elements, prepared", (line("div", "fp32", 8),),
          (at_least("vs xtensor.dynamic", 38 / 12),), ("ours", "xtensor.dynamic", "loop", *RIVALS)),
    Claim("tiny-new", "8 elements, a new tensor", (line("div", "fp32", 8),), (at_least("vs xtensor.dynamic", 38 / 60),),
          ("ours.new", "xtensor.dynamic", "numpy.new", "torch.new"), "ours.new"),
    Claim("fresh", "10^7 elements, a new tensor", (line("div", "fp32", 10**7), line("add", "fp64", 10**7)),
          (at_most("ours.new / ours.into", 1.15),),
          ("ours.new", "ours.into", "numpy.new", "numpy", "torch.new", "torch"), "ours.new", quick=(0,)),
    Claim("python-tiny", "8 elements from Python, a new array", (line("div", "fp32", 8), line("div", "fp64", 8)),
          (at_least("vs numpy.new", 1),), ("python.new", "numpy.new", "torch.new"), "python.new"),
    Claim("python-shapes", "Paddle's shapes from Python, 1 thread",
          tuple(table("div", "fp32", name, a, b) for name, a, b in PADDLE),
          (at_least("vs numpy", 1.2), at_least("vs torch", 1.2), at_least("limit", 0.95)),
          ("python", "numpy", "torch"), "python"),
    Claim("python-memory", "the same, 2 threads",
          tuple(table("div", "fp32", name, a, b, threads=2) for name, a, b in PADDLE),
          (at_least("limit", 0.95),), ("python",), "python"),
    Claim("python-relu", "the same with act=\"relu\", 1 and 2 threads",
          tuple(table("div", "fp32", name, a, b, threads=n) for n in (1, 2) for name, a, b in PADDLE),
          (at_most("python.relu / python", 1.05),), ("python", "python.relu"), "python.relu"),
    Claim("model", "a model of four nodes against its kernels, 10^6 elements",
          (line("div", "fp32", 10**6), line("add", "fp64", 10**6), line("mul", "fp16", 10**6),
           line("div", "int32", 10**6, rounding="floor")),
          (at_most("ours.model / ours.kernels", 1.05),), ("ours.model", "ours.kernels"), "ours.model", quick=(0, 1)),
    Claim("zero-check", "integers div, the check for zero divisors", tuple(
        line("div", t, 10**5, rounding="floor") for t in ("int4", *SIGNED, *UNSIGNED)) + (
        line("div", "int32", 10**5, rounding="floor", values="small"),
        line("div", "int64", 10**5, rounding="floor", values="small")),
          (at_most("ours.new / unchecked.new", 1.05),), ("ours.new", "unchecked.new"), "ours.new", quick=(1, 3, 4)),
    Claim("threads", "2 threads against 1, in memory and in the last cache",
          (line("div", "fp32", 10**7), line("add", "fp64", 10**7), line("div", "fp32", 10**6),
           line("div", "fp64", 5 * 10**5)),
          (at_least("ours@1 / ours@2", 1.7), at_least("limit@2 / ours@2", 0.95)),
          ("ours@1", "ours@2", "limit@1", "limit@2", "torch@1", "torch@2"), "ours@2", quick=(0, 2)),
    Claim("threads-small", "as many threads as it likes, against 1, 10^3 to 10^6",
          tuple(line("div", "fp32", n) for n in SMALL_SIZES),
          (at_least("ours@1 / ours@0", 0.95),), ("ours@1", "ours@0"), "ours@0", quick=(0, 2, 4, 6)),
)
