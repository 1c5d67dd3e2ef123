"""How this package was built; rewritten when it is built or installed without the extension."""

# True: there is no extension, and the pure-Python package is what was asked for.
PURE = False
