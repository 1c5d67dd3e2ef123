"""Check the Markdown files: relative links, anchors, and examples written as `>>>` sessions.

Prints how many of each were checked; exits 1 and lists what is wrong otherwise.
"""

import doctest
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def documents() -> list[pathlib.Path]:
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return [ROOT / name for name in sorted(set(listed)) if (ROOT / name).exists()]


def anchors(content: str) -> set[str]:
    """The anchors that GitHub makes of headings."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", content), re.MULTILINE):
        found.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return found


def wrong_links(document: pathlib.Path, content: str) -> tuple[int, list[str]]:
    checked, wrong = 0, []
    for plain, image in LINK.findall(FENCE.sub("", content)):
        target = plain or image
        if re.match(r"[a-z]+:", target):
            continue
        checked += 1
        path, _, anchor = target.partition("#")
        file = (document.parent / path).resolve() if path else document
        if not file.exists():
            wrong.append(f"{document.relative_to(ROOT)}: no such file: {target}")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text("utf-8")):
            wrong.append(f"{document.relative_to(ROOT)}: no such heading: {target}")
    return checked, wrong


def main() -> None:
    links, examples, wrong = 0, 0, []
    found = documents()
    for document in found:
        content = document.read_text(encoding="utf-8")
        checked, broken = wrong_links(document, content)
        links += checked
        wrong += broken
        if ">>> " in content:
            # The fence that ends an example would be read as its last line of output.
            text = re.sub(r"^```\w*$", "", content, flags=re.MULTILINE)
            name = str(document.relative_to(ROOT))
            test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
            result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
            examples += result.attempted
            if result.failed:
                wrong.append(f"{name}: {result.failed} examples do not give what they show")
    print(f"{len(found)} documents, {links} links, {examples} examples")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
