"""The files of the checkout, for the lint scripts."""
import pathlib
import subprocess


def files(root):
    """Tracked and new files; in a tree without git, all but build folders. Sorted, relative to root."""
    root = pathlib.Path(root)
    git = ["git", "-c", "safe.directory=*", "-C", str(root)]
    try:
        answer = subprocess.run(git + ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                capture_output=True, check=True).stdout
        names = [name for name in answer.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [str(p.relative_to(root)) for p in root.rglob("*")]
        names = [n for n in names if not n.startswith(("build", ".git/"))]
    return sorted(pathlib.PurePath(n) for n in set(names) if (root / n).is_file())


def text(root, name):
    """The file's text, or None for a file that is not text."""
    data = (pathlib.Path(root) / name).read_bytes()
    try:
        return None if b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return None
