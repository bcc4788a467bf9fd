"""What a measurement was made on."""
import datetime
import os
import pathlib
import re
import subprocess


def first_match(path, pattern):
    try:
        found = re.search(pattern, pathlib.Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return "unknown"
    return found[1].strip() if found else "unknown"


def caches():
    sizes = []
    for folder in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            level, kind, size = ((folder / name).read_text().strip() for name in ("level", "type", "size"))
        except OSError:
            continue
        if kind != "Instruction":
            sizes.append(f"L{level} {size}")
    return ", ".join(sizes) or "unknown"


def git(*args):
    root = pathlib.Path(__file__).resolve().parents[1]
    done = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(root), *args], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def packages(names):
    """Debian's versions of those that are installed."""
    done = subprocess.run(["dpkg-query", "--show", "--showformat=${Package} ${Version}\n", *names],
                          capture_output=True, text=True)
    return dict(line.split() for line in done.stdout.splitlines() if len(line.split()) == 2)


def load():
    """The work of others, before ours begins."""
    text = " ".join(f"{x:.2f}" for x in os.getloadavg())
    return text + (" (others are at work: expect noise)" if os.getloadavg()[0] > os.cpu_count() / 2 else "")


def describe(field):
    commit = git("rev-parse", "--short", "HEAD") or "unknown"
    # The page that this very run may write does not make the tree another one.
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!docs", ":!README.md")
    memory = int(first_match("/proc/meminfo", r"^MemTotal: +(\d+)").replace("unknown", "0"))
    return {
        "date": datetime.date.today().isoformat(),
        "commit": commit + (" with changes" if changed else ""),
        "CPU": f"{first_match('/proc/cpuinfo', r'^model name.*: (.*)$')}, {os.cpu_count()} cores, {caches()}",
        "memory": f"{memory / 2**20:.0f} GiB",
        "load": load(),
        "rivals": ", ".join(f"{name} {version}" for name, version in {
            **field.versions(), **packages(("libeigen3-dev", "libxtensor-dev", "libdnnl-dev"))}.items()),
    }
