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


def describe(field):
    commit = git("rev-parse", "--short", "HEAD") or "unknown"
    # The page that this very run may write does not make the tree another one.
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!docs")
    memory = int(first_match("/proc/meminfo", r"^MemTotal: +(\d+)").replace("unknown", "0"))
    return {
        "date": datetime.date.today().isoformat(),
        "commit": commit + (" with changes" if changed else ""),
        "CPU": f"{first_match('/proc/cpuinfo', r'^model name.*: (.*)$')}, {os.cpu_count()} cores, {caches()}",
        "memory": f"{memory / 2**20:.0f} GiB",
        "load": " ".join(f"{x:.2f}" for x in os.getloadavg()),
        "rivals": ", ".join(f"{name} {version}" for name, version in field.versions().items()),
    }
