"""python3 pages.py FOLDER: copies the project's pages, and every file that they link to or show, to a folder.

A page that is linked to brings what it links to in turn, and a folder brings its README.md, or else its files. Run it in the
project's root.
"""
import os, pathlib, re, shutil, subprocess, sys

FIRST = ("README.md", "SECURITY.md", "CHANGELOG.md", "UPGRADING.md")


def linked(page):
    """The paths that a page links to, from the root."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", text):
        name = (target[0] or target[1]).partition("#")[0]
        if name and "://" not in name and not name.startswith("mailto:"):
            yield pathlib.Path(os.path.normpath(page.parent / name))


def files_of_git(path):
    return [pathlib.Path(line) for line in subprocess.run(
        ["git", "ls-files", path], capture_output=True, text=True, check=True).stdout.splitlines()]


def main():
    folder, found = pathlib.Path(sys.argv[1]), set()
    waiting = [pathlib.Path(name) for name in FIRST] + sorted(pathlib.Path("Documentation").rglob("*.md"))
    while waiting:
        path = waiting.pop()
        if path.is_dir():
            page = path / "README.md"
            waiting += [page] if page.exists() else files_of_git(path)
        elif path not in found:
            found.add(path)
            waiting += linked(path) if path.suffix == ".md" else []
    for path in sorted(found):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / path)
        os.chmod(folder / path, 0o644)


main()
