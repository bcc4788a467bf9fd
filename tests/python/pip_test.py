"""`pip install .` works without a network, and what it installs is whole."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE = pathlib.Path(os.environ["HADAMARD_SOURCE"])


class Pip(unittest.TestCase):
    def test_install(self):
        with tempfile.TemporaryDirectory(prefix="hadamard-pip.") as folder:
            environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
            environment["PIP_NO_INDEX"] = "1"  # whoever asks for a network is refused
            environment["HADAMARD_WHEEL_BUILD"] = os.environ["HADAMARD_BUILD"]
            done = subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, str(SOURCE)],
                                  env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            wheels = list(pathlib.Path(folder).glob("*.whl"))
            self.assertEqual(len(wheels), 1)
            names = zipfile.ZipFile(wheels[0]).namelist()
            for name in ("hadamard/__init__.py", "hadamard/__init__.pyi", "hadamard/py.typed", "hadamard/_errors.py"):
                self.assertIn(name, names)
            target = pathlib.Path(folder, "target")
            # --target would install NumPy again, which is there already.
            done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-deps", "--target", str(target),
                                   str(wheels[0])], env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            code = ("import hadamard, numpy; print(hadamard.__file__); "
                    "print(hadamard.div(numpy.array([6.0]), 3.0).tolist())")
            done = subprocess.run([sys.executable, "-c", code], env=dict(environment, PYTHONPATH=str(target)),
                                  cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout, f"{target}/hadamard/__init__.py\n[2.0]\n", done.stderr)
            done = subprocess.run([sys.executable, "-m", "pip", "show", "hadamard"], capture_output=True, text=True,
                                  env=dict(environment, PYTHONPATH=str(target)), check=False)
            self.assertIn("Requires: numpy", done.stdout)


if __name__ == "__main__":
    unittest.main()
