"""With the folder above on PYTHONPATH, `import msgpack` gives Packhorse: see packhorse.compat."""

import os

from packhorse import compat

_version = os.environ.get("PACKHORSE_COMPAT_VERSION")
if _version:
    compat.install("msgpack", tuple(map(int, _version.split("."))))
else:
    compat.install("msgpack")
