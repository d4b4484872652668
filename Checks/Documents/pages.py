"""The documents, and what there is in them to refer to."""
import functools, os, pathlib, re

ROOT = pathlib.Path(__file__).resolve().parents[2]
NO_DOCUMENTS = {".build", ".git", "node_modules"}


def documents():
    """Every page of the repository, but for what was built or installed."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - NO_DOCUMENTS)
        yield from (pathlib.Path(folder) / name for name in sorted(names) if name.endswith(".md"))


@functools.cache
def prose(document):
    """A page's text without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.M | re.S)


@functools.cache
def anchors(document):
    """What links can name in a page: its headings in small letters, without signs, with hyphens for spaces."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", prose(document), re.M):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        same = sum(re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", other) is not None for other in found)
        found.add(f"{anchor}-{same}" if same else anchor)
    return found
