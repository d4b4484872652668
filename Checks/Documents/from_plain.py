"""python3 from_plain.py FOLDER: the way from plain to sealed of Documentation/Guides/FromPlain.md works, and the way back.

The page's own code sends, by aioapns and by the queue, to the stand-in's phones: of Ada, of Bob, who has an old one as well,
and of Eve, whose app is old. FOLDER has the tools.
"""
import sys

import tutorial
from journey import Journey, until
from results import blocks, check, end

PAGE = "Documentation/Guides/FromPlain.md"
[SQL], (PLAIN, NOTIFY, SEALED) = blocks(PAGE, "postgresql"), blocks(PAGE, "python")
APNS, TABLES, LOG_BOB_IN, REACHABLE, SWITCH, BACK, MEASURE, OFF = blocks(PAGE, "bash")
WITHOUT_SECRETS = "Shop\nOpen the app to read your message"
# A client of a team whose extension adds pictures today.
WITH_MUTABLE_CONTENT = PLAIN.replace('"body": body}}', '"body": body}, "mutable-content": 1}')


class Phones:
    """What arrives, a step at a time."""

    def __init__(self, journey):
        self.journey, self.last = journey, 0

    def expect(self, what, **expected):
        """Checks that since the last step each phone got this text, and nothing else; the text is the whole notification."""
        self.journey.delivered()
        rows = self.journey.page.alerts(len(expected), self.last)
        said = sorted((row["phone"], row["person"]) for row in rows)
        check(what, said == sorted((phone.replace("_", "-"), text) for phone, text in expected.items()), said)
        self.last = rows[-1]["number"]
        return {row["phone"].replace("-", "_"): row for row in rows}


def shop(article):
    return f"Shop\nYour {article} are on their way"


def send(journey, person, article, module="notify"):
    """What the application does when it sells."""
    journey.run(f"python3 -c \"from {module} import notify; notify('{person}', 'Shop', 'Your {article} are on their way')\"")


def is_sealed(row):
    """Whether Apple cannot read a push, and the extension opened it."""
    is_open = "Your" not in row["apple"] and row["why"] == tutorial.OPENED
    return is_open and "nothing is sealed" not in row["apple"]


def is_plain(row):
    """Whether iOS shows a push as it came."""
    return "nothing is sealed" in row["apple"] and "did not run" in row["why"]


def prepare(journey):
    """Does steps 1 to 4 of the tutorial with the page's own stand-in."""
    tutorial.database(journey)
    tutorial.serve(journey)
    journey.run(APNS)
    page = journey.page
    tutorial.work(journey)
    journey.run(tutorial.LOG_IN)
    page.app("ada", "registered")
    for block in (SQL, PLAIN, NOTIFY, SEALED):
        journey.write(block)
    journey.run(TABLES)


def follow(journey):
    prepare(journey)
    phones = Phones(journey)
    send(journey, "ada", "peas")
    check("a phone with the extension shows a plain push as before",
          is_plain(phones.expect("before the switch, it is plain", ada=shop("peas"))["ada"]))
    before = journey.run(REACHABLE)
    check("one of three users is reachable", " t         |     1" in before and " f         |     2" in before, before)
    journey.run(LOG_BOB_IN)
    journey.page.app("bob", "registered")
    after = journey.run(REACHABLE)
    check("two of three users are reachable", " t         |     2" in after and " f         |     1" in after, after)

    journey.run(SWITCH)
    rows = phones.expect("switched", ada=shop("carrots"), bob=shop("carrots"), bob_old=WITHOUT_SECRETS, eve=WITHOUT_SECRETS)
    check("who has a proven phone gets it sealed", is_sealed(rows["ada"]) and is_sealed(rows["bob"]), rows)
    check("who has none gets it plain", is_plain(rows["eve"]) and is_plain(rows["bob_old"]), rows)

    # A message waits in the queue while its user goes back.
    journey.run("sealpushd pause --store postgresql:///push")
    send(journey, "ada", "beans")
    journey.run(BACK)
    journey.run("sealpushd resume --store postgresql:///push")
    until("both have arrived", lambda: len(journey.page.alerts(2, phones.last)) == 2)
    journey.delivered()
    rows = {row["person"]: row for row in journey.page.alerts(2, phones.last)}
    check("the way back is plain, and what waited is sealed", len(rows) == 2 and is_plain(rows[shop("leeks")])
          and is_sealed(rows[shop("beans")]) and {row["phone"] for row in rows.values()} == {"ada"}, rows)
    phones.last = max(row["number"] for row in rows.values())

    said = journey.run(MEASURE)
    for line in ("devices                 2", "set current             2", "sealpush_pushes_failed_total 0",
                 "sealpush_jobs_without_devices_total 0", " accepted |     3 |"):
        check(f"measured: {line}", line in said, said)

    journey.run(OFF)
    rows = phones.expect("without plain, the old app gets nothing", ada=shop("onions"))
    check("and a new one gets it sealed", is_sealed(rows["ada"]), rows)
    until("the worker has counted it", lambda: journey.metric("sealpush_jobs_without_devices_total") == 1)
    send(journey, "eve", "plums")
    check("the last way back", is_plain(phones.expect("plain again", eve=WITHOUT_SECRETS)["eve"]))
    controls(journey, phones)
    journey.run(tutorial.CLEAN)


def controls(journey, phones):
    """The page's warnings are true."""
    journey.run("python3 -c \"from notify import *; asyncio.run(send_plain(tokens('bob'), *WITHOUT_SECRETS))\"")
    both = {"bob": WITHOUT_SECRETS, "bob_old": WITHOUT_SECRETS}
    phones.expect("a plain push to all of a user's tokens also reaches the new phone", **both)
    # The phone is in quarantine: it counts as one that has proven nothing.
    psql = "psql --quiet --command \"UPDATE sealpush.device SET refused_at = {} WHERE person = 'bob'\" push"
    journey.run(psql.format("now()"))
    send(journey, "bob", "pears")
    rows = phones.expect("who is not reachable gets it plain, on each phone", **both)
    job = "psql --no-psqlrc -Atc \"SELECT count(*) FROM sealpush.outcome WHERE person = 'bob' AND outcome <> 'accepted'\" push"
    check("and no job is enqueued", journey.run(job).split() == ["0"] and all(map(is_plain, rows.values())), rows)
    journey.run(psql.format("NULL"))
    (journey.folder / "plain.py").write_text(journey.here(WITH_MUTABLE_CONTENT))
    send(journey, "ada", "figs")
    row = phones.expect("a plain push with mutable-content costs its text", ada="Shop\n(Encrypted)")["ada"]
    check("because nothing is sealed in it", "no-envelope" in row["why"], row)


with Journey(sys.argv[1]) as journey:
    follow(journey)
end(least=40)
