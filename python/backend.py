"""What pip asks to build the package (PEP 517): CMake builds it, and this packs it. Python's own library only, so
that `pip install .` needs no network."""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"


def _project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = re.search(r"^project\(hadamard VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"),
                      re.MULTILINE)
    return project | {"version": found[1]}


def _metadata(project):
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]
    return "\n".join(lines + [f"Requires-Dist: {name}" for name in project["dependencies"]]) + "\n"


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _wheel_text():
    return f"Wheel-Version: 1.0\nGenerator: hadamard\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _run(*command):
    # pip hides the system's packages from us by way of PYTHONPATH; NumPy, whose headers CMake asks for, is one.
    hidden = ("PYTHONPATH", "PYTHONNOUSERSITE")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run([str(word) for word in command], env=environment)
    if done.returncode != 0:
        raise SystemExit(f"hadamard: {command[0]} ended with {done.returncode}; "
                         "what the build needs is installed by: tools/bootstrap python")


def _compile():
    """The folder of the built package."""
    if "HADAMARD_WHEEL_BUILD" in os.environ:  # a folder that is configured already
        folder = pathlib.Path(os.environ["HADAMARD_WHEEL_BUILD"])
    else:
        folder = BUILD / f"wheel-{_tag()}"
        _configure(folder)
    _run("cmake", "--build", folder, "--target", "hadamard_python")
    package = folder / "python" / "hadamard"
    if not list(package.glob("_core*.so")):
        raise SystemExit("hadamard: CMake did not find what the Python module is built with (its output says what); "
                         "tools/bootstrap python installs it. In a virtual environment NumPy must be visible: "
                         "python3 -m venv --system-site-packages")
    return package


def _configure(folder):
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache"] \
        if shutil.which("ccache") else []
    _run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHADAMARD_BUILD_TESTS=OFF",
         "-DHADAMARD_BUILD_APPS=OFF", "-DHADAMARD_BUILD_PYTHON=ON", f"-DHADAMARD_PYTHON={sys.executable}", *launcher)


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    project = _project()
    folder = pathlib.Path(metadata_directory, f"{project['name']}-{project['version']}.dist-info")
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata(project), encoding="utf-8")
    (folder / "WHEEL").write_text(_wheel_text(), encoding="utf-8")
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _project()
    package = _compile()
    label = f"{project['name']}-{project['version']}"
    files = {f"hadamard/{path.relative_to(package).as_posix()}": path.read_bytes()
             for path in sorted(package.rglob("*")) if path.is_file() and "__pycache__" not in path.parts}
    files[f"{label}.dist-info/METADATA"] = _metadata(project).encode()
    files[f"{label}.dist-info/WHEEL"] = _wheel_text().encode()
    files[f"{label}.dist-info/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = f"{label}.dist-info/RECORD"
    rows = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    files[record] = ("".join(rows) + f"{record},,\n").encode()
    wheel = f"{label}-{_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980: the same sources make the same wheel
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    project = _project()
    label = f"{project['name']}-{project['version']}"
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True, text=True)
    with tarfile.open(pathlib.Path(sdist_directory, f"{label}.tar.gz"), "w:gz") as archive:
        for name in filter(None, listed.stdout.split("\0")):
            archive.add(ROOT / name, f"{label}/{name}")
        information = pathlib.Path(sdist_directory, "PKG-INFO")
        information.write_text(_metadata(project), encoding="utf-8")
        archive.add(information, f"{label}/PKG-INFO")
        information.unlink()
    return f"{label}.tar.gz"
