"""python3 sizes.py FOLDER PAGE: the page's table of files says how large those in the folder are, to a tenth.

A row names a file, with the version that it had, and has its size and, of a Debian package, the installed size, in MB.
"""
import pathlib, re, subprocess, sys


def main():
    folder, page = map(pathlib.Path, sys.argv[1:3])
    rows = re.findall(r"^\| `([\w.-]+)` \|.*\| ([\d.]+) MB \|(?: ([\d.]+) MB)? \|$", page.read_text(), re.M)
    files = {re.sub(r"\d+\.\d+\.\d+(\+[\w.]+)?", "VERSION", path.name): path for path in folder.iterdir()}
    if len(rows) < 6:
        sys.exit(f"{page} has the sizes of {len(rows)} files")
    for name, size, installed in rows:
        file = files.get(re.sub(r"\d+\.\d+\.\d+", "VERSION", name))
        if not file:
            sys.exit(f"{page} names {name}, which is not there")
        compare(page, name, size, file.stat().st_size / 1e6)
        if installed:
            field = subprocess.run(["dpkg-deb", "-f", file, "Installed-Size"], capture_output=True, text=True, check=True).stdout
            compare(page, f"{name}, installed", installed, int(field) * 1024 / 1e6)
    print(f"the sizes of {len(rows)} files are as {page} says")


def compare(page, name, said, size):
    if abs(float(said) - size) > max(0.1 * size, 0.06):
        sys.exit(f"{page} says {said} MB of {name}, which has {size:.1f} MB")


main()
