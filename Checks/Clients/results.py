"""The results of a check, and the code that documents have for it."""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
results = []


def check(what, is_right, said=""):
    results.append(bool(is_right))
    if not is_right:
        print(f"FAILED {what}: {said}")


def blocks(page, language):
    """The code in a language that a page of Documentation has."""
    text = (ROOT / "Documentation" / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def end(least=1):
    """Ends the program, which must have at least this many results."""
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(not all(results) or len(results) < least)
