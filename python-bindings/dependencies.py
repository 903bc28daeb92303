"""Prints what the package and its tests depend on, as pip's requirements; the lists stand in pyproject.toml alone."""

import re
import sys
from pathlib import Path

text = (Path(__file__).parent / "pyproject.toml").read_text()
# tomllib is not in Python 3.10; the two lists are plain.
project = re.search(r"^dependencies = \[(.*?)^\]", text, re.M | re.S)
test = re.search(r"^test = \[(.*?)\]$", text, re.M | re.S)
if project is None or test is None:
    sys.exit("pyproject.toml has no list of dependencies")
names = re.findall(r'"([^"]+)"', project.group(1) + test.group(1))
sys.stdout.write("\n".join(names) + "\n")
