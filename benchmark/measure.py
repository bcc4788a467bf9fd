"""Rounds: in each, every contender of a case and the limit run once, in rotating order."""
import contextlib
import dataclasses
import os
import resource
import threading
import time

import check
from cases import Arrays, line
from contenders import SPINS
from native import Unsupported
from stats import rotated

LIMIT = "limit"      # what no program can beat: memory, or the divider where it is used (not so: ours, by one number)
MEMORY = "memory"    # reading the operands and writing the result once
UNIT = "unit"        # one element through the divider for fp32


STREAM_BYTES = 24 << 20  # of operands and result together; as in the library (kStreamBytes)
WARM_BYTES = 256 << 10  # from this size on, caches keep what the one before put there
WARM_CALLS = 10         # until they have what this one needs (measured: up to eight on 12 MB)
WARM_NS = 2e7           # but not longer than that


@dataclasses.dataclass
class Effort:
    rounds: int = 15
    batch_ns: float = 1e6     # a batch is so long, or one call
    case_seconds: float = 4.0  # no more rounds after that, but at least 3
    judge_time: bool = True


class Wrong(Exception):
    """Our own result is not the reference's."""


@dataclasses.dataclass
class Result:
    case: object
    times: dict     # contender (or LIMIT, MEMORY, UNIT) -> nanoseconds per call, a number per round
    notes: dict     # contender -> what is to be said about its result
    absent: dict    # contender -> why it is not among them
    limit_variant: str = ""

    def per_element(self, name):
        from stats import spread
        return spread(self.times[name]).median / self.case.count


def calls_for(runner, batch_ns):
    """How many calls make a batch; measured after a first call that warms up."""
    if runner.time(1) > 50 * batch_ns:
        return 1
    calls = 1
    while True:
        elapsed = max(1.0, runner.time(calls))
        if elapsed >= batch_ns / 4 or calls >= 1 << 22:
            return max(1, min(1 << 22, round(calls * batch_ns / elapsed)))
        calls = max(calls * 2, min(calls * 16, int(calls * batch_ns / elapsed)))


def interruptions():
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw


def undisturbed(runner, calls, tries=3):
    """The time of a batch. Where the system gave our core to somebody else meanwhile, another is tried."""
    best = None
    for _ in range(tries):
        before = interruptions()
        took = runner.time(calls)
        best = took if best is None else min(best, took)
        if interruptions() == before:
            return took
    return best


def place(cores_of):
    for thread, cores in cores_of.items():
        with contextlib.suppress(ProcessLookupError):
            os.sched_setaffinity(thread, cores)


@contextlib.contextmanager
def threads_placed(wanted=True):
    """Where it is wanted, this thread has a core to itself, and all others of the process share the rest.

    Some kernels, of small virtual machines above all, wake a thread on the core of who woke it and leave it waiting there
    for milliseconds while another core is idle: then a second thread is of no use to anybody. Threads must be there
    already: one that is started meanwhile has its starter's core, until all is over.
    """
    if not wanted:
        yield
        return
    this = threading.get_native_id()
    before = {}
    for thread in map(int, os.listdir("/proc/self/task")):
        with contextlib.suppress(ProcessLookupError):  # it may have ended
            before[thread] = os.sched_getaffinity(thread)
    cores = before[this]
    first = {min(cores)}
    place({thread: first if thread == this else cores - first or cores for thread in before})
    try:
        yield
    finally:
        place({thread: before.get(thread, cores) for thread in map(int, os.listdir("/proc/self/task"))})


class Timer:
    def __init__(self, field, effort, say=print):
        self.field, self.effort, self.say = field, effort, say
        self.dividers = {}

    def divider(self, type_, threads=1):
        """A runner of which a call is 1024 divisions of each thread, and how many calls make a batch."""
        if (type_, threads) not in self.dividers:
            runner = self.field.library.runner("divider", Arrays(line("div", type_, 8)), threads)
            self.dividers[type_, threads] = (runner, calls_for(runner, self.effort.batch_ns / 4))
        return self.dividers[type_, threads]

    def fastest_limit(self, arrays, threads):
        """The variant of the memory limit that is fastest for this case, and its name.

        Streaming stores put the result out of the caches. Where it would fit, that is no service to who reads it
        next, even where it is faster here: there the limit has plain stores.
        """
        best = None
        streams = sum(array.nbytes for array in (arrays.a, arrays.b, arrays.y)) >= STREAM_BYTES
        for name in self.field.library.limit_variants:
            if name.startswith("stream") and not streams:
                continue
            try:
                runner = self.field.library.runner(f"limit.{name}", arrays, threads)
            except Unsupported:
                continue
            calls = calls_for(runner, self.effort.batch_ns / 4)
            took = min(runner.time(calls) for _ in range(3)) / calls
            if best is None or took < best[0]:
                if best:
                    best[1].close()
                best = (took, runner, name)
            else:
                runner.close()
        return best[1], best[2]

    def run(self, case, names, with_limit=True, with_unit=False):
        arrays = Arrays(case)
        result = Result(case, {}, {}, {})
        runners = {}
        sample = check.Sample(self.field.library, arrays)
        for name in names:
            if name.startswith(LIMIT + "@"):  # the memory limit of so many threads, whatever the case's own number
                runners[name], _ = self.fastest_limit(arrays, int(name.partition("@")[2]))
                continue
            try:
                runner = self.field.runner(name, arrays)
            except Unsupported as reason:
                result.absent[name] = str(reason)
                continue
            is_ours = name.startswith(("ours", "python"))
            wanted = sample.activated() if name.startswith("python.relu") else sample
            different = check.verdict(wanted, arrays, runner, is_ours)
            if different and is_ours:
                raise Wrong(f"{case.name}: {name} {different}")
            if different:
                result.notes[name] = different
            runners[name] = runner
        try:
            self.rounds(case, arrays, runners, result, with_limit, with_unit)
        finally:
            for runner in runners.values():
                runner.close()
        return result

    def rounds(self, case, arrays, runners, result, with_limit, with_unit):
        threads = max(1, case.threads)
        many = threads != 1 or any(self.threads_of(name, case) != 1 for name in runners)
        if many:  # the threads that are to be placed
            limit = self.field.library.runner("limit.plain1", arrays, max(2, threads))
            for runner in [*runners.values(), limit]:
                runner.time(1)
            limit.close()
        with threads_placed(many):
            batches = {}
            for name, runner in runners.items():
                batches[name] = (runner, calls_for(runner, self.effort.batch_ns))
                self.settle(name, case)
            if with_limit:
                runner, result.limit_variant = self.fastest_limit(arrays, threads)
                runners[MEMORY] = runner
                batches[MEMORY] = (runner, calls_for(runner, self.effort.batch_ns))
                if case.divider:
                    batches["divider"] = self.divider(case.divider[1], threads)
            if with_unit:
                batches[UNIT] = self.divider("fp32")
            times = self.timed(case, arrays, batches)
        if UNIT in times:
            times[UNIT] = [t / 1024 for t in times[UNIT]]
        if with_limit:
            divider = times.pop("divider", None)
            times[LIMIT] = times[MEMORY]
            if divider:
                share = case.divider[0] * case.count / 1024 / max(1, case.threads)
                times[LIMIT] = [max(m, d * share) for m, d in zip(times[MEMORY], divider)]
        result.times = times

    def timed(self, case, arrays, batches):
        """Of each of the batches, the times of a call in all rounds."""
        times = {name: [] for name in batches}
        start = time.monotonic()
        for number in range(self.effort.rounds):
            for name in rotated(batches, number):
                runner, calls = batches[name]
                self.warm_up(runner, arrays)
                times[name].append(undisturbed(runner, calls) / calls)
                self.settle(name, case)
            if number >= 2 and time.monotonic() - start > self.effort.case_seconds:
                break
        return times

    def warm_up(self, runner, arrays):
        """Calls that are not timed, until the caches are as this contender leaves them and not the one before it."""
        if sum(array.nbytes for array in (arrays.a, arrays.b, arrays.y)) < WARM_BYTES:
            return
        took = runner.time(1)
        runner.time(max(1, min(WARM_CALLS, int(WARM_NS / took))))

    @staticmethod
    def threads_of(name, case):
        """0: as many as it likes."""
        threads = name.partition("@")[2]
        return int(threads) if threads else case.threads

    def settle(self, name, case):
        if name.partition("@")[0] in SPINS and self.threads_of(name, case) != 1:
            time.sleep(0.01)
