"""The Python examples of the documents run, and what they assert holds."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = [
    (path.relative_to(ROOT).as_posix(), number, code)
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for number, code in enumerate(
        re.findall(r"^```python\n(.*?)^```", path.read_text(), re.M | re.S)
    )
]


def test_there_are_examples():
    assert len([name for name, _, _ in EXAMPLES if name == "README.md"]) >= 4


@pytest.mark.parametrize(
    ("name", "code"),
    [pytest.param(name, code, id=f"{name}-{number}") for name, number, code in EXAMPLES],
)
def test_an_example(name, code):
    """Each stands alone, except that README's import of the first one is taken as given."""
    names = {"__name__": "example"}
    exec("import packhorse", names)
    exec(compile(code, name, "exec"), names)
