"""`hadamard matlab` against GNU Octave: the same text to both, round by round, results compared before times."""
import pathlib
import subprocess
import tempfile
import time

from claims import Judged, at_least, at_most
from measure import Wrong
from stats import ratio, rotated, spread

OCTAVE = "octave-cli"
OPERANDS = ("a = linspace(-3, 5, {n})'; b = linspace(1, 2, {n})'; row = linspace(1, 2, {root}); column = row'; "
            "p = abs(a) + 1; z = complex(a, b);")
ARITHMETIC = ("a ./ b", "a .* b + 1", "(a - b) ./ (a + b)", "row ./ column", "a .^ 2", "-a", "abs(a)", "a < b",
              "max(a, b)", "floor(a)", "sqrt(p)", "z ./ b")
FUNCTIONS = ("exp(a)", "log(p)", "sin(a)", "tanh(a)", "p .^ b", "hypot(a, b)")
THREE = at_least("vs octave", 3)
START = at_most("ms", 20)
KEYS = {
    "matlab-arrays": f"MATLAB's operators, {len(ARITHMETIC)} expressions of 10^7 doubles",
    "matlab-functions": f"MATLAB's functions, {len(FUNCTIONS)} of 10^7 doubles",
    "matlab-statements": "a million statements with numbers",
    "matlab-start": "start of hadamard matlab -e 1",
}


def run_text(command, text, name):
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / f"{name}.m"
        script.write_text(text, encoding="ascii")
        begin = time.perf_counter()
        done = subprocess.run([*command, str(script)], capture_output=True, text=True)
        seconds = time.perf_counter() - begin
    if done.returncode != 0:
        raise Wrong(f"{command[0]}: {done.stderr.strip()[-300:]}")
    return done.stdout, seconds


def distance(x, y):
    """In units of the last place, of two doubles in hexadecimal."""
    ordered = [v if v < 1 << 63 else (1 << 63) - v for v in (int(x, 16), int(y, 16))]
    return abs(ordered[0] - ordered[1])


def check(commands, expression, operands):
    """Some elements of both results, at most so many units of the last place apart as the C library of Octave is off."""
    text = f"{operands} y = {expression}; y = real(double(y(1:1001:end))); format hex; disp(y(:))"
    ours, theirs = (run_text(commands[who], text, "check")[0].split() for who in ("ours", "octave"))
    if len(ours) != len(theirs) or not ours or max(map(distance, ours, theirs)) > 2:
        raise Wrong(f"matlab: {expression} is not what Octave makes of it")


def timed(commands, expressions, operands, rounds):
    """Expression -> {who: seconds of each round}. A process for each round, three goes for each expression in it."""
    text = operands + " format long\n" + "".join(
        f"tic; y = {e}; s = toc; tic; y = {e}; t = toc; tic; y = {e}; u = toc; disp(min(min(s, t), u))\n"
        for e in expressions)
    times = {e: {who: [] for who in commands} for e in expressions}
    for number in range(rounds):
        for who in rotated(commands, number):
            seconds = [float(x) for x in run_text(commands[who], text, "timed")[0].split()]
            for expression, one in zip(expressions, seconds, strict=True):
                times[expression][who].append(one)
    return times


def statements(count):
    lines = ["x = 1; y = 2;"]
    for i in range(count // 4):
        lines.append(f"x = y + {i % 97 + 0.5};\ny = x / 3;\nz = x * y - 1;\nw = (x < y) + 2;")
    return "\n".join([*lines, "format long", "disp(x)"])


def judged_worst(times, expressions, say):
    worst = None
    for expression in expressions:
        figure = ratio(times[expression]["octave"], times[expression]["ours"])
        say(f"  {expression:20} ours {spread(times[expression]['ours']).median * 1e3:7.1f} ms, "
            f"octave {spread(times[expression]['octave']).median * 1e3:7.1f} ms, ratio {figure.median:.2f}")
        if worst is None or figure.median < worst[0].median:
            worst = (figure, expression)
    return Judged(THREE, THREE.verdict(worst[0].median), worst[0], worst[1])


def run(effort, program, wanted, say=print):
    """(rows of the table, JSON, what was wrong) for the keys that `wanted` says yes to."""
    import growth
    small = not effort.judge_time
    rounds = 1 if small else max(3, effort.rounds // 4)
    commands = {"ours": [str(program), "matlab"], "octave": [OCTAVE, "--norc", "--quiet"]}
    try:
        subprocess.run([OCTAVE, "--version"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return [growth.row(KEYS[k], Judged(THREE, case="octave-cli is missing")) for k in KEYS if wanted(k)], {}, []
    n = 10**4 if small else 10**7
    operands = OPERANDS.format(n=n, root=int(n**0.5))
    rows, data, wrong = [], {}, []
    for key, expressions in (("matlab-arrays", ARITHMETIC), ("matlab-functions", FUNCTIONS)):
        if not wanted(key):
            continue
        say(f"{key}: {KEYS[key]}")
        try:
            for expression in expressions:
                check(commands, expression, OPERANDS.format(n=10**5, root=316))
            data[key] = timed(commands, expressions, operands, rounds)
            rows.append(growth.row(KEYS[key], judged_worst(data[key], expressions, say)))
        except Wrong as problem:
            wrong.append(str(problem))
    if wanted("matlab-statements"):
        say(f"matlab-statements: {KEYS['matlab-statements']}")
        text = statements(10**3 if small else 10**6)
        results = {who: [] for who in commands}
        answers = set()
        for number in range(1 if small else 3):
            for who in rotated(commands, number):
                answer, seconds = run_text(commands[who], text, "statements")
                answers.add(answer.strip())
                results[who].append(seconds)
        if len(answers) != 1:
            wrong.append(f"matlab: a million statements end in {' and '.join(answers)}")
        figure = ratio(results["octave"], results["ours"])
        data["matlab-statements"] = results
        rows.append(growth.row(KEYS["matlab-statements"], Judged(THREE, THREE.verdict(figure.median), figure,
                               f"ours {spread(results['ours']).median:.2f} s, the whole process")))
    if wanted("matlab-start"):
        say(f"matlab-start: {KEYS['matlab-start']}")
        times = []
        for _ in range(3 if small else 40):
            begin = time.perf_counter()
            subprocess.run([*commands["ours"], "-e", "1"], capture_output=True, check=True)
            times.append((time.perf_counter() - begin) * 1e3)
        data["matlab-start"] = times
        figure = spread(times)
        rows.append(growth.row(KEYS["matlab-start"], Judged(START, START.verdict(figure.median), figure, "the process")))
    if small:
        rows = [(*cells, "not judged") for *cells, _ in rows]
    return rows, data, wrong
