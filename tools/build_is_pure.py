"""Tell the build whether to leave the C extension out: prints "pure" or "extension".

PACKHORSE_PURE=1 asks for the pure-Python package. PyPy always gets it: its compiler makes more of
Python code than of an extension behind its C-API emulation.
"""

import os
import platform

asked = os.environ.get("PACKHORSE_PURE", "").strip().lower() not in ("", "0", "no", "false")
print("pure" if asked or platform.python_implementation() != "CPython" else "extension")
