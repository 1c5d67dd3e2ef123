"""Write the build mode of a package without extension: set_build_mode.py _build_mode.py OUTPUT."""

import pathlib
import sys

source = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
changed = source.replace("PURE = False", "PURE = True")
if changed == source:
    sys.exit(f"{sys.argv[1]} does not say PURE = False")
pathlib.Path(sys.argv[2]).write_text(changed, encoding="utf-8")
