"""python3 links.py FOLDER: every link and picture of the pages in a folder leads to a file in it."""
import pathlib, re, sys


def main():
    folder, count = pathlib.Path(sys.argv[1]).resolve(), 0
    for page in sorted(folder.rglob("*.md")):
        text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"(?:src|srcset)=\"([^\"]+)\"", text):
            name = target.partition("#")[0]
            if not name or "://" in name or name.startswith("mailto:"):
                continue
            count += 1
            path = (page.parent / name).resolve()
            if not path.exists() or not path.is_relative_to(folder):
                sys.exit(f"{page.relative_to(folder)} links to {target}, which is not there")
    if count < 100:
        sys.exit(f"the pages have {count} links")
    print(f"{count} links lead to files of the package")


main()
