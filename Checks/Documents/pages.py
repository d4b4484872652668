"""The documents, their prose and their anchors."""
import functools, os, pathlib, re

ROOT = pathlib.Path(__file__).resolve().parents[2]
NO_DOCUMENTS = {".build", ".git", "node_modules"}


def documents():
    """Every page of the repository, without built or installed files."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - NO_DOCUMENTS)
        yield from (pathlib.Path(folder) / name for name in sorted(names) if name.endswith(".md"))


@functools.cache
def prose(document):
    """A page's text without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.M | re.S)


@functools.cache
def anchors(document):
    """The anchors of a page: its headings in lower case, without signs, with hyphens for spaces."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", prose(document), re.M):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        same = sum(re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", other) is not None for other in found)
        found.add(f"{anchor}-{same}" if same else anchor)
    return found


def _unindented(text):
    return re.sub(r"^ +", "", text.strip(), flags=re.M)


@functools.cache
def _snippets():
    return [_unindented(file.read_text()) for file in sorted((ROOT / "Snippets").glob("*.swift"))]


def in_snippets(swift):
    """Whether Swift of a page is in a snippet; some of that is inside an `#if`, and so indented."""
    return any(_unindented(swift) in text for text in _snippets())
