"""What a check has found, and the code that pages have for it."""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
results = []


def check(what, is_right, said=""):
    """Notes a result, and returns whether it is right; `said` is what there was instead."""
    results.append(bool(is_right))
    if not is_right:
        print(f"FAILED {what}{': ' if said else ''}{said}")
    return bool(is_right)


def agree(what, difference):
    """Notes a comparison, which is right if there is no difference."""
    return check(what, not difference, difference)


def blocks(page, language):
    """The code in a language that a page has, a text per block."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)


def end(least=1, note=""):
    """Ends the program, whose results are at least so many."""
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed{note}")
    sys.exit(not all(results) or len(results) < least)
