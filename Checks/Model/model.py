"""model.py [--stories] [WORD …]: searches the model for attacks and honest runs.

With words, it runs only the searches whose line has one of them, and no self-tests. With --stories, it prints the steps
that lead to each state found. Each search explores its whole bounded world, or stops at the first state that it looks
for. It fails if it ends in any other way: a warning, the time limit, an unknown answer.
"""
import pathlib, re, shutil, subprocess, sys, tempfile

from searches import ATTACKS, SEARCHES, Search, attack, honest, none

HERE = pathlib.Path(__file__).parent
SECONDS = 600  # Guards only against an endless world; the longest search takes a small part of this.
NONE_STATES = 5  # A search with fewer states than this has not searched its world.


class Wrong(Exception):
    """A search that ended for the wrong reason."""


def maude(folder, commands, seconds=SECONDS):
    try:
        done = subprocess.run(["maude", "-no-banner", "-no-wrap", str(folder / "model.maude")],
                              input=commands + "\nquit\n", capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Wrong("no end") from None
    said = done.stdout + done.stderr
    if done.returncode or re.search("Warning|Advisory|Error", said):
        raise Wrong(next(iter(re.findall(r"(?:Warning|Advisory|Error).*", said)), f"status {done.returncode}"))
    return said


def run(search, folder=HERE, seconds=SECONDS):
    """Whether the search found its state, the number of states and seconds, and the rules that led there."""
    said = maude(folder, search.command, seconds)
    state = re.search(r"^Solution 1 \(state (\d+)\)$", said, re.M)
    counted = re.search(r"^states: (\d+)  rewrites: \d+ in (\d+)ms cpu", said, re.M)
    if not counted or bool(state) == ("No solution." in said):
        raise Wrong("no answer")
    labels = ()
    if state:
        said = maude(folder, f"{search.command}\nshow path labels {state[1]} .", seconds)
        labels = tuple(re.findall(r"^([a-z-]+)$", said.split("rewrites/second)", 1)[1], re.M))
        if not labels:
            raise Wrong("found in the initial state")
    return bool(state), int(counted[1]), int(counted[2]) / 1000, labels


def judge(search, found, states):
    """The fault of a search's result, or None."""
    if found != search.found:
        return "not found" if search.found else "FOUND"
    if not found and states < NONE_STATES:
        return f"only {states} states"
    return None


def check(searches, stories):
    faults, fired, total = [], set(), 0
    print(
        f"{'':<7} {'looks for':<23} {'world':<10} {'rules taken out':<25} {'expected':<9} {'states':>7} {'seconds':>7}"
    )
    for search in searches:
        try:
            found, states, seconds, labels = run(search)
            fault = judge(search, found, states)
        except Wrong as wrong:
            states, seconds, labels, fault = 0, 0, (), str(wrong)
        fired.update(labels)
        total += seconds
        expected = "found" if search.found else "none"
        print(f"{search} {expected:<9} {states:>7} {seconds:>7.2f}{f'  WRONG: {fault}' if fault else ''}", flush=True)
        if stories and labels:
            print(f"        {', '.join(labels)}")
        faults += [f"{search}: {fault}"] if fault else []
    return faults, fired, total


def check_coverage(fired):
    """Checks that some attack needs each rule's absence, and that some path has each step of the model."""
    text = "".join(path.read_text() for path in HERE.glob("*.maude"))
    steps = set(re.findall(r"\bc?rl \[([a-z-]+)\]", text))
    declared = {name for line in re.findall(r"^  ops (.*) : -> Rule \.$", text, re.M) for name in line.split()}
    out = {rule for search in ATTACKS for rule in search.out}
    return [f"no search takes this step: {step}" for step in sorted(steps - fired)] + \
        [f"no attack without this rule: {rule}" for rule in sorted(declared ^ out)] + \
        ([] if len(steps) > 15 and len(declared) > 12 else ["the model's text was not understood"])


# Ways to break the model: a file, a text in it, the text that replaces it, the search that must notice, and its fault
# then.
BROKEN = [
    ("an honest step that can never be taken", "enrolment.maude", "/\\ V =/= taken /\\ within(V) .\n  --- The owner",
     "/\\ V =/= taken /\\ false .\n  --- The owner", honest("delivered", "enrolling"), "not found"),
    ("a phone that opens nothing", "messages.maude", "eq K in K = true .", "eq K in K = false .",
     honest("called", "typed"), "not found"),
    ("a guard that is always true", "terms.maude", "if O has R then C else true fi", "true",
     none("broken", "enrolling"), "FOUND"),
    ("one guard that is always true", "enrolment.maude", "O needs named : I == I'", "true",
     none("broken", "enrolling"), "FOUND"),
    ("a rule that cannot be taken out", "terms.maude", "eq (R, O) has R = false .", "eq (R, O) has R = true .",
     attack("misled", "enrolling", "possession"), "not found"),
    ("an adversary who learns nothing", "terms.maude", "eq learn(sealed(kEve, B, T), KN) = learn(T, KN) .",
     "eq learn(sealed(kEve, B, T), KN) = KN .", attack("read", "enrolling", "identity"), "not found"),
    ("a property that never holds", "scenarios.maude",
     "eq misled(did(opened(iAda, K, S, X, D, note(eve, N), RE)) C) = true .", "",
     attack("misled", "enrolling", "possession"), "not found"),
    ("an action that cannot happen", "enrolment.maude", "rl [eve-asks] :\n    { O | may(evesRequest)",
     "rl [eve-asks] :\n    { O | may(evesRequest) did(denied)", honest("spent", "abroad"), "not found"),
    ("a world without an end", "messages.maude", "=> { O | clock(s NOW) moment(s NOW) C } .",
     "=> { O | may(tick) clock(s NOW) moment(s NOW) C } .", none("broken", "betrayed"), "no end"),
    ("a text that Maude does not understand", "senders.maude", "mod SENDERS is", "mod SENDERS is\n  op : .",
     none("broken", "betrayed"), "Warning"),
]


def check_self():
    """Breaks the model in each of these ways; the search must report a fault then."""
    faults = []
    for what, file, old, new, search, expected in BROKEN:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path in HERE.glob("*.maude"):
                shutil.copy(path, folder)
            path = folder / file
            text = path.read_text()
            if text.count(old) != 1:
                faults.append(f"{file} has no one text {old!r}")
                continue
            path.write_text(text.replace(old, new))
            try:
                found, states, *_ = run(search, folder, seconds=20)
                noticed = judge(search, found, states)
            except Wrong as wrong:
                noticed = str(wrong)
            noticed = noticed or "nothing"
            is_right = noticed.startswith(expected)
            print(f"{what:<40} {noticed[:70]}{'' if is_right else f', not {expected}'}", flush=True)
            faults += [] if is_right else [f"{what}: {noticed}"]
    return faults


def main(arguments):
    stories = "--stories" in arguments
    words = [argument for argument in arguments if argument != "--stories"]
    chosen = [search for search in SEARCHES if not words or any(word in str(search).split() for word in words)]
    faults, fired, total = check(chosen, stories)
    if not words:
        faults += check_coverage(fired)
        print("\nThe model, broken on purpose:")
        faults += check_self()
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{len(chosen)} searches, {total:.0f} seconds, {len(faults)} failed")
    sys.exit(bool(faults) or not chosen)


main(sys.argv[1:])
