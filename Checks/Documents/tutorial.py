"""python3 tutorial.py FOLDER: what Documentation/Guides/Tutorial.md says happens, happens. FOLDER has the tools.

It types every command of the page into one shell, in order. The stand-in's phone shows what was sold, before and after each
rotation, and nothing of what a stranger signs or of a sender whose new set nobody has published.
"""
import re, subprocess, sys

from journey import Journey, until
from pages import in_snippets
from results import blocks, check, end

PAGE = "Documentation/Guides/Tutorial.md"
OPENED = "the extension opened it"
INSTALL, SHOWN = blocks(PAGE, "text")
[SQL], [SHOP] = blocks(PAGE, "postgresql"), blocks(PAGE, "python")
(KEYS, SECRETS, DATABASE, GRANTS, SERVE, APNS, WORK, LOG_IN, DEVICES, SELL, AGAIN, OUTCOME, LATER, ROTATE, SELL_LEEKS, FETCH,
 REINSTALL, LOG_IN_AGAIN, SELL_ONIONS, CLEAN) = blocks(PAGE, "bash")


def database(journey):
    """What comes before the programs start."""
    journey.install(INSTALL)
    for block in (KEYS, SECRETS, DATABASE):
        journey.run(block)
    journey.write(SQL)
    journey.write(SHOP)
    journey.run(GRANTS)


def serve(journey):
    journey.run(SERVE)
    journey.started("serve.log")


def work(journey):
    journey.run(WORK)
    journey.started("work.log")


def shown(page, article):
    """The row of the page for what was sold, once a phone shows it."""
    return page.wait(lambda row: row["person"] == f"Shop\nYour {article} are on their way")


def column(said, name):
    """A column of a table that the tool has printed."""
    head, *lines = said.splitlines()
    titles = re.split(r" {2,}", head)
    rows = [re.split(r" {2,}", line) for line in lines]
    return [row[titles.index(name)] for row in rows if len(row) == len(titles)]


def rotate(journey, block):
    """Rotates the sender's key by a block, and waits until the worker has read it."""
    before = journey.log("work.log").count("keys-read")
    journey.run(block)
    try:
        until("the worker reads its keys", lambda: journey.log("work.log").count("keys-read") > before)
    except TimeoutError:
        print(journey.log("work.log")[-3000:])
        raise


def outcome(journey, block, expected):
    """Asks by a block what became of a message, until it is what is expected."""
    until(f"the outcome is {expected}", lambda: expected in column(journey.run(block), "OUTCOME"))


def sets(journey):
    """The serials of the signed sets that phones have reported."""
    said = subprocess.run(["psql", "--no-psqlrc", "-Atc", "SELECT report FROM sealpush.device", "push"],
                          env=journey.environment, capture_output=True, text=True, check=True, timeout=60).stdout
    return re.findall(r'"serial": ?(\d+)', said)


def fetch(journey):
    """Opens the app, and waits until it has another set."""
    old = sets(journey)
    journey.run(FETCH)
    until("the phone has the new set", lambda: sets(journey) not in (old, []))


def follow(journey):
    database(journey)
    serve(journey)
    journey.run(APNS)
    page = journey.page
    work(journey)
    journey.run(LOG_IN)
    first = page.app("ada", "registered")
    said = journey.run(DEVICES)
    name = column(said, "NAME")
    check("Ada's phone is proven", column(said, "STATE") == ["proven"], said)

    journey.run(SELL)
    row = shown(page, "carrots")
    facts = dict(re.split(r": +", line, maxsplit=1) for line in SHOWN.splitlines())
    said = {"What Apple sees": row["apple"], "What the person sees": row["person"], "Why": row["why"]}
    said = {name: text.replace("\n", ", ") for name, text in said.items()}
    check("the page shows what the tutorial says", facts == said, said)
    check("the carrots are opened", row["why"] == OPENED and row["mood"] == "good", row)
    check("Apple does not see them", "carrots" not in row["apple"] + page.details(row["number"])["payload"], row)
    said = journey.run(AGAIN, fails="python3 shop.py ada carrots")
    check("the database refuses the second purchase", "UniqueViolation" in said, said)
    outcome(journey, OUTCOME, "accepted")
    outcome(journey, LATER, "shown")

    old = sets(journey)
    rotate(journey, ROTATE)
    journey.run(SELL_LEEKS)
    check("the leeks are opened after the rotation", shown(page, "leeks")["why"] == OPENED)
    check("with the set from before", sets(journey) == old and old, old)
    fetch(journey)

    journey.run(REINSTALL)
    page.app("ada", "nobody is signed in")
    journey.run(LOG_IN_AGAIN)
    check("the phone has another token", page.app("ada", "registered")["token"] != first["token"])
    other = column(journey.run(SELL_ONIONS), "NAME")
    check("the backend knows the phone's new keys alone", len(other) == 1 and other != name, other)
    check("the onions are opened with the phone's new keys", shown(page, "onions")["why"] == OPENED)
    controls(journey, page)
    journey.run(CLEAN)
    check("nothing is left", not any(journey.home.iterdir()), [*journey.home.iterdir()])


def controls(journey, page):
    """The check has eyes: a phone does not open what it must not."""
    check("every sale was opened once, and the refused one never", [
        row["person"].split()[2] for row in page.alerts(3)] == ["carrots", "leeks", "onions"])
    again = "sealpush keys rotate --keys sender.jwks --again --out sender.pub.jwks --force\n"
    rotate(journey, f"{again}{again}kill -HUP $work")
    journey.run("python3 shop.py ada figs")
    row = page.wait(lambda row: row["mood"] == "bad" and row["person"])
    check("two rotations without a published set end in the placeholder", row["person"] == "New notification\n(Encrypted)"
          and "unknown-sender" in row["why"], row)
    journey.run(ROTATE.splitlines()[1])
    fetch(journey)
    journey.run("python3 shop.py ada plums")
    check("once it is published and fetched, they open", shown(page, "plums")["why"] == OPENED)


if __name__ == "__main__":
    swift = blocks(PAGE, "swift")
    check("the page's Swift is in the snippets", len(swift) == 2 and all(map(in_snippets, swift)))
    with Journey(sys.argv[1]) as journey:
        follow(journey)
    end(least=35)
