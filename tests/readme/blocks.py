"""The fenced blocks of a Markdown file, and running those that are commands."""
import os
import pathlib
import re
import subprocess
import tempfile

FENCE = re.compile(r"^(?P<indent> *)```(?P<word>[\w+-]*) *$")
MARK = re.compile(r"^<!-- run(?:: *(?P<where>[\w -]+?))? -->$")
MARKER = "\x1e"  # between the outputs of two commands

# What a person runs but this test does not: the suites (this test is one of them) and what changes the system.
SKIP = ("./test", "cmake --preset release", "sudo ")
PYTHON = "build/release/python"  # the Python package; not every build has one


class Block:
    """A fenced block: its word (sh, console, cpp …), its text, its line, and the mark before it."""

    def __init__(self, file, line, word, text, mark):
        self.file, self.line, self.word, self.text, self.mark = file, line, word, text, mark

    def __str__(self):
        return f"{self.file}:{self.line}"


def read(path, name=None):
    """All fenced blocks of a file, in order. A block that is never closed is an error."""
    blocks, start, mark, last = [], None, None, ""
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if start is None and fence:
            found = MARK.match(last.strip())
            mark = (found["where"] or "here") if found else None
            start, word, lines = number, fence["word"], []
        elif start is not None and fence and not fence["word"]:
            blocks.append(Block(name or path, start, word, "\n".join(lines) + "\n", mark))
            start = None
        elif start is not None:
            lines.append(line)
        if line.strip():
            last = line
    if start is not None:
        raise ValueError(f"{path}:{start}: the block is not closed")
    return blocks


def commands(block):
    """(command, expected output or None) of a block. `console`: lines after "$ ", then what they print;
    `sh`: a command per line, output not shown. A line ending in a backslash goes on."""
    pairs, more = [], False
    for line in block.text.splitlines():
        if more:
            pairs[-1][0] += "\n" + line
        elif block.word == "sh":
            line = re.sub(r"\s+#.*$", "", line)
            if line.strip() and not line.startswith("#"):
                pairs.append([line, None])
        elif line.startswith("$ "):
            pairs.append([re.sub(r"\s{2,}#.*$", "", line[2:]), []])
        elif pairs:
            pairs[-1][1].append(line)
        else:
            raise ValueError(f"{block}: output before the first command")
        more = bool(pairs) and pairs[-1][0].endswith("\\") and not pairs[-1][1]
    return [(command, None if out is None else "".join(f"{o}\n" for o in out)) for command, out in pairs]


def matches(expected, actual):
    """Equal line by line; "…" stands for any text within a line."""
    pattern = re.escape(expected).replace("…", "[^\n]*")
    return re.fullmatch(pattern, actual) is not None


def run(block, folder, environment):
    """Runs a block as one shell session in `folder`. Returns (problems, commands run, commands skipped)."""
    pairs, skipped = [], 0
    for command, expected in commands(block):
        if command.startswith(SKIP) or (PYTHON in command and not (folder / PYTHON).exists()):
            skipped += 1
        else:
            pairs.append((command, expected))
    script = ["__code=0"]
    for command, _ in pairs:
        script += [f"printf '{MARKER}'", "(exit $__code)", command, "__code=$?"]
        script += [f"printf '{MARKER}%d' $__code"]
    done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=600)
    parts = done.stdout.split(MARKER)[1:]
    problems = []
    for i, (command, expected) in enumerate(pairs):
        if 2 * i + 1 >= len(parts):
            problems.append(f"{block}: {command}\n  did not run to its end")
            break
        output, code = parts[2 * i], int(parts[2 * i + 1])
        if expected is not None and not matches(expected, output):
            problems.append(f"{block}: {command}\n--- the document says\n{expected}--- it prints\n{output}")
        asked = i + 1 < len(pairs) and "$?" in pairs[i + 1][0]
        if code != 0 and not asked:
            problems.append(f"{block}: {command}\n  ended with {code}, and the document does not say so\n{output}")
    return problems, len(pairs), skipped


def sandbox(program, work):
    """A folder as the top of the checkout, where `./run` and `hadamard` are the built program; and its environment."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=work))
    for name in ("examples", "include"):
        (folder / name).symlink_to(pathlib.Path(__file__).resolve().parents[2] / name)
    (folder / "run").symlink_to(program)
    (folder / "bin").mkdir()
    (folder / "bin" / "hadamard").symlink_to(program)
    package = pathlib.Path(program).parent.parent.parent / "python"
    if (package / "hadamard" / "__init__.pyi").exists():  # written last
        (folder / PYTHON).parent.mkdir(parents=True)
        (folder / PYTHON).symlink_to(package)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HADAMARD_")}
    environment["PATH"] = f"{folder / 'bin'}:{environment['PATH']}"
    environment["LC_ALL"] = "C.UTF-8"
    return folder, environment
