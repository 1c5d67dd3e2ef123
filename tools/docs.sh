#!/bin/bash
# make docs: links in every Markdown file lead somewhere, and the Python examples (>>>) give what
# they show.
source "$(dirname "$0")/environment.sh"
find_python
is_pypy || tools/inplace.sh
PYTHONPATH=$ROOT/python "$PYTHON" tools/check_documents.py
