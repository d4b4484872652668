"""python3 check_documents.py SEALPUSH: the documents are true.

It runs the shell commands of README.md in order, in a folder of their own, with the tool on the path and its own server
in place of Apple's; then the commands of the other pages; then all of them again (reader.py). It compares the documents'
Swift with Snippets/, and follows their links, also to headings. It looks for the commands and options that deploy/ calls,
the files that documents name, the tests and vectors that Promises.md, Pitfalls.md, Faults.md and ApplePages.md name, and
every reason in Troubleshooting.md, and those of Incidents.md in the sources. It counts the pages' words, and compares the
table of checks with the checks (check_table.py).
"""
import functools, http.server, itertools, json, os, pathlib, re, subprocess, sys, tempfile, threading

from ruamel.yaml import YAML

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from check_table import check_table
from pages import ROOT, anchors, documents, in_snippets, prose
from results import blocks, check, end
from reader import CHANGES, Reader, check_again

FOLDERS = "Benchmarks|Checks|Documentation|Examples|Packaging|Scripts|Snippets|Sources|Tests|Vectors|deploy"
README = ROOT / "README.md"
GUIDES, OPERATING, ASSURANCE = (ROOT / "Documentation" / shelf for shelf in ("Guides", "Operating", "Assurance"))
PROMISES = ASSURANCE / "Promises.md"
ALL_WORDS = 55_000
# The pages whose commands are run. Those of one line go on from each other's.
READ_IN_ORDER = (
    ("Documentation/Guides/Enrolment.md", "Documentation/Operating/SenderSets.md"),
    ("Documentation/Guides/CoProcess.md",),
    ("Documentation/Guides/Formats.md",),
    ("Documentation/Guides/Sealing.md",),
    ("Documentation/Operating/Keys.md",),
    ("Documentation/Operating/Workers.md", "Documentation/Operating/Incidents.md"),
    ("Documentation/Operating/Tool.md",),
    ("Documentation/Assurance/PostQuantum.md",),
    ("Examples/iOS/README.md",),
)


class Apple(http.server.BaseHTTPRequestHandler):
    """Keeps the one request that it gets."""
    requests = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.requests.append((self.path, dict(self.headers), body))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def check_commands(tool):
    text, shown = README.read_text(), blocks("README.md", "text")
    for script in ("Scripts/demo", "Scripts/test"):
        check(f"README names {script}, which can be run", f"`{script}`" in text and os.access(ROOT / script, os.X_OK))
    calls = re.findall(r"^(sealpushd? [^|#\n]*)", "".join(blocks("README.md", "bash")).replace("\\\n", " "), re.M)
    check("README starts a worker", any(call.startswith("sealpushd work ") for call in calls))
    for call in calls:
        check(f"README: {call}", is_command(str(pathlib.Path(tool).with_name(call.split()[0])), call))
    server = http.server.HTTPServer(("127.0.0.1", 0), Apple)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(folder, environment(tool, JWT="jwt", TOKEN="00ff", APNS=f"http://127.0.0.1:{server.server_port}"))
        done = {block: check_block("README.md", reader, block).stdout for block in blocks("README.md", "sh")}
        [simulated] = [output for block, output in done.items() if "sealpush simulate" in block]
        check("simulate says that it opened", re.search(rb"^outcome +opened$", simulated, re.M))
        check("README shows what simulate prints", simulated.decode() in shown)
        [opened] = [output for block, output in done.items() if "sealpush open" in block]
        check("the opened payload is shown", b'"body":"Lunch at noon?"' in opened)
        check_request(pathlib.Path(folder))
        check_again(check, ["README.md"], reader)
    server.shutdown()


def environment(tool, **others):
    return dict(os.environ, PATH=f"{pathlib.Path(tool).resolve().parent}:{os.environ['PATH']}", **others)


def check_block(page, reader, block):
    """Runs a block for the first time."""
    done, failed, changes = reader.run(block)
    check(f"{page}: {block.splitlines()[0]}: {failed} {done.stderr.decode()}", not failed and done.returncode == 0)
    check(f"{page}: {block.splitlines()[0]}: changes the shell: {sorted(changes)}", not changes)
    return done


def check_pages(tool, *pages):
    """Runs the commands of pages that are read one after the other, in a folder of their own, and then again."""
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(folder, environment(tool))
        for page in pages:
            check(f"{page} has commands", blocks(page, "sh"))
            for block in blocks(page, "sh"):
                check_block(page, reader, block)
        check_again(check, pages, reader)


def check_all_run():
    """Checks that the commands of every page are run."""
    run = {"README.md", *itertools.chain(*READ_IN_ORDER)}
    for page in documents():
        name = str(page.relative_to(ROOT))
        check(f"the commands of {name} are run", name in run or not blocks(name, "sh"))


def check_blocks():
    """Checks that no block changes the shell, not even those that cannot be run here."""
    lines = [(page, line) for page in documents() for block in blocks(page, "sh") for line in block.splitlines()]
    check("the documents have commands", len(lines) > 50)
    for page, line in lines:
        check(f"{page.relative_to(ROOT)} changes the shell: {line}", not CHANGES.match(line))


def check_request(folder):
    check("curl sent one request", len(Apple.requests) == 1)
    path, headers, body = Apple.requests[0]
    check("to the device", path == "/3/device/00ff")
    check("the sealed payload, byte for byte", body == (folder / "sealed.json").read_bytes())
    check("with mutable-content", json.loads(body)["aps"]["mutable-content"] == 1)
    lines = (folder / "headers.txt").read_text().splitlines()
    check("six headers", len(lines) == 6)
    for line in lines:
        name, value = line.split(": ", 1)
        check(f"header {name}", headers.get(name) == value)


def check_snippets():
    for document, least in ((README, 3), (GUIDES / "Formats.md", 1), (GUIDES / "Migration.md", 1),
                            (GUIDES / "Outbox.md", 1)):
        swift = re.findall(r"^```swift\n(.*?)^```", document.read_text(), re.M | re.S)
        check(f"{document.name} has Swift", len(swift) >= least)
        for block in swift:
            check(f"in Snippets: {block.splitlines()[0]}", in_snippets(block))


def check_words():
    """Checks that the pages stay short: README and SECURITY.md as they are, and all pages without their code,
    the targets of links, and figures."""
    for page, limit in ((README, 1100), (ROOT / "SECURITY.md", 1500)):
        count = len(page.read_text().split())
        check(f"{page.name} has {count} words, and at most {limit}", count <= limit)
    plain = lambda page: re.sub(r"\]\([^)]*\)|`[^`]*`|<[a-z/][^>\n]*>", " ", prose(page))
    count = sum(any(map(str.isalpha, word)) for page in documents() for word in plain(page).split())
    check(f"the pages have {count} words, and at most {ALL_WORDS}", count <= ALL_WORDS)


def check_chart():
    drawn = subprocess.run([sys.executable, ROOT / "Benchmarks/chart", "--check"], capture_output=True, text=True)
    check(f"the chart is that of the table: {drawn.stderr}", drawn.returncode == 0)


def check_links():
    links = [(document, target) for document in documents()
             for target in re.findall(r"(?:\]\(|(?:src|srcset)=\")([^)\s\"]+)", prose(document)) if "://" not in target]
    check("the documents have links", len(links) > 50)
    for document, target in links:
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        is_right = path.exists() and (not anchor or path.is_file() and anchor in anchors(path))
        check(f"{document.relative_to(ROOT)} -> {target}", is_right)


def check_paths():
    """Checks the files and folders that documents name, with a star for any part; a name in Vectors may be a vector."""
    named = {(document, path) for document in documents()
             for path in re.findall(rf"`((?:{FOLDERS})/[^`\s]*)", prose(document))}
    check("the documents name files", len(named) > 20)
    for document, path in named:
        pattern = path.replace("…", "*").rstrip("/")
        is_right = any(ROOT.glob(pattern)) or path.startswith("Vectors/") and is_vector(path.removeprefix("Vectors/"))
        check(f"{document.relative_to(ROOT)}: {path}", is_right)


@functools.cache
def listed_tests():
    """The tests as `Suite/test`, names in words without their backticks."""
    listed = subprocess.run(["swift", "test", "list", "--skip-build"], cwd=ROOT, capture_output=True, text=True).stdout
    return {name.replace("`", "") for name in re.findall(r"^\w+\.(\w+/(?:\w+|`[^`]+`))\(", listed, re.M)}


def is_vector(pattern):
    """Whether there is a vector with a name; a star in it stands for any text."""
    vectors = set().union(*(vector_ids(f"{file}.json") for file in ("opened", "degraded", "shared")))
    return any(re.fullmatch(pattern.replace("*", ".*"), identity) for identity in vectors)


def check_libraries():
    """Checks that README's table has each product, and .spi.yml each module with a reference."""
    listed = subprocess.run(["Checks/libraries.sh"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    products = README.read_text().split("| for | products |")[1].split("\n\n")[0]
    documented = re.findall(r"^ +- (\w+)$", (ROOT / ".spi.yml").read_text(), re.M)
    catalogs = {path.stem for path in (ROOT / "Sources").rglob("*.docc")}
    check("the package has libraries", len(listed) > 10)
    for name in listed:
        check(f"README lists {name}", f"`{name}`" in products)
        check(f"{name} has a reference", name in catalogs)
    # The stand-in for UserNotifications is only for Linux: elsewhere the module is Apple's.
    check(".spi.yml lists what has a reference", set(documented) == catalogs - {"UserNotifications"})


def check_names():
    reasons = {v["expect"] for v in json.loads((ROOT / "Vectors/degraded.json").read_text())["vectors"]}
    troubleshooting = (OPERATING / "Troubleshooting.md").read_text()
    for reason in reasons:
        check(f"Troubleshooting.md explains {reason}", f"`{reason}`" in troubleshooting)
    tests = {test.split("/")[0] for test in listed_tests()}
    suites = re.findall(r"`(\w+(?:Tests|Pitfalls))`", prose(PROMISES))
    check("Promises.md names tests", len(suites) > 20)
    for name in suites:
        check(f"Promises.md: {name}", name in tests)
    promises = PROMISES.read_text().split("## The promises")[1].split("\n## ")[0]
    named = re.findall(r"`([a-z0-9*-]+)`", promises)
    check("Promises.md names vectors", named)
    for name in named:
        check(f"Promises.md: {name}", is_vector(name))


def check_pitfalls():
    """Documentation/Assurance/Pitfalls.md names tests as `Suite/test`, and further tests of that suite by their names."""
    rows = re.findall(r"^\|.*\|(.*)\|$", (ASSURANCE / "Pitfalls.md").read_text(), re.M)
    named = 0
    for row in rows:
        suite = None
        for name in re.findall(r"`([\w/]+)`", row):
            suite, _, test = name.rpartition("/") if "/" in name else (suite, "/", name)
            named += 1
            check(f"Pitfalls.md: {suite}/{test}", f"{suite}/{test}" in listed_tests())
    check("each of fifteen pitfalls names a test", named >= 15)


@functools.cache
def vector_ids(file):
    lists = json.loads((ROOT / "Vectors" / file).read_text()).values()
    return {v["id"] for vectors in lists if isinstance(vectors, list) for v in vectors if "id" in v}


@functools.cache
def options(tool, command):
    """The options of a tool's command; None if there is no such command."""
    pages = [subprocess.run([tool, *command, *use, "--help"], capture_output=True, text=True).stdout
             for use in ((), ("--format",))]
    is_there = pages[0].startswith(f"{pathlib.Path(tool).name} {' '.join(command)}: ")
    return set(re.findall(r"^  (--[a-z-]+)", "".join(pages), re.M)) if is_there else None


def is_command(tool, line):
    """Whether a line is a command of the tool, with options that it has."""
    words = line.split()[1:]
    command = tuple(itertools.takewhile(lambda word: re.fullmatch("[a-z-]+", word) and word[0] != "-", words))
    known = options(tool, command)
    return known is not None and known.issuperset(word.split("=")[0] for word in words if word.startswith("--"))


def check_deploy(tool):
    """Checks that the commands, options and variables exist that deploy/ uses, and that the pages for operators
    show but cannot be run here."""
    deploy, pages = ROOT / "deploy", sorted(OPERATING.glob("*.md"))
    unit = "".join(path.read_text() for path in sorted(deploy.glob("*.service"))).replace("\\\n", " ")
    calls = re.findall(r"^ExecStart=/usr/bin/(.*)$", unit, re.M)
    used = set(re.findall(r"\$\{?(\w+)", " ".join(calls)))
    given = set(re.findall(r"^(\w+)=", (deploy / "worker.env").read_text(), re.M))
    check(f"worker.env has the unit's variables: {used ^ given}", used == given)
    calls += [f"sealpushd work {words}" for words in re.findall(r"OPTIONS=(--.*)", unit)]
    services = YAML(typ="safe").load(deploy / "compose.yaml")["services"].values()
    calls += [f"sealpushd {' '.join(service['command'])}" for service in services if "command" in service]
    shown = "".join(block for page in pages for block in blocks(page, "bash")).replace("\\\n", " ")
    calls += [call.strip() for call in re.findall(r"(?:^|\|) *(sealpushd? [^|\n]*)", shown, re.M)]
    check("deploy/ and the pages call the tools", len(calls) > 8)
    for call in calls:
        program = pathlib.Path(tool).with_name(call.split()[0])
        check(f"deploy/ or a page: {call}", is_command(str(program), call))
    options = {word for name in ("Workers", "Monitoring", "Incidents")
               for word in re.findall(r"`(--[a-z-]+)", prose(OPERATING / f"{name}.md"))}
    known = re.findall(r"--[a-z-]+", subprocess.run([f"{tool}d", "man"], capture_output=True, text=True).stdout.replace("\\-", "-"))
    check(f"the pages for operators name options: {options - set(known)}", options and options <= set(known))


def check_reasons():
    """Checks that the reasons that Incidents.md explains are what the sources say; … and numbers stand for any text."""
    sources = "".join(path.read_text() for path in sorted((ROOT / "Sources").rglob("*.swift")))
    sources = re.sub(r'"\s*\+\s*"', "", sources)
    tables = (OPERATING / "Incidents.md").read_text().split("| reason | do |\n")[1:]
    cells = [line.split("|")[1] for table in tables for line in table.split("\n\n")[0].splitlines()[1:]]
    reasons = [reason for cell in cells for reason in re.findall(r"`([^`]+)`", cell)]
    check("Incidents.md explains reasons", len(reasons) > 25)
    for reason in reasons:
        parts = [part.strip(" :,") for part in re.split(r"…|\d+|APNs: ", reason)]
        check(f"Incidents.md: {reason}", all(part in sources for part in parts))


def is_proof(tool, name, suite):
    """Whether a name is a command, a vector as `file: id`, or a test; a test without a suite is in the suite named before it."""
    file, _, identity = name.rpartition(": ")
    if name.startswith("sealpush "):
        return is_command(tool, name)
    if file:
        return any(re.fullmatch(re.escape(identity).replace(r"\*", ".*"), v) for v in vector_ids(file))
    return (name if "/" in name else f"{suite}/{name}") in listed_tests()


def check_rows(tool, page, **sections):
    """Checks that a page's rows are numbered from each section's first number to its last, and that each ends with its
    proofs, or with the reason why it has none."""
    rows = re.findall(r"^\| ([A-Z]\d+) \|.*\| ([^|]*) \|$", (ASSURANCE / page).read_text(), re.M)
    numbers = [f"{letter}{n}" for letter, (first, last) in sections.items() for n in range(first, last + 1)]
    check(f"{page} has all its rows, in order", [number for number, _ in rows] == numbers)
    for number, proof in rows:
        suite, names = None, re.findall(r"`([^`]+)`", proof)
        is_reason = re.match(r"(does not apply|not honoured): .{20}", proof)
        is_list = re.fullmatch(r"`[^`]+`([,;] `[^`]+`)*", proof)
        check(f"{page}: {number} names its proofs or says why there are none: {proof}", is_list or is_reason)
        for name in names if is_list else ():
            if re.fullmatch(r"\w+/.+", name):
                suite = name.split("/")[0]
            check(f"{page}: {number}: {name}, of {suite}", is_proof(tool, name, suite))


check_commands(sys.argv[1])
for pages in READ_IN_ORDER:
    check_pages(sys.argv[1], *pages)
check_all_run()
check_blocks()
check_deploy(sys.argv[1])
check_pitfalls()
check_rows(sys.argv[1], "Faults.md", A=(1, 35), B=(36, 55), C=(56, 65), D=(66, 81), E=(82, 100), F=(101, 116), G=(117, 126), H=(127, 131))
check_rows(sys.argv[1], "ApplePages.md", G=(1, 45), A=(1, 20), T=(1, 30), B=(1, 17), M=(1, 25), N=(1, 24))
check_table(check)
check_libraries()
check_snippets()
check_reasons()
check_words()
check_chart()
check_links()
check_paths()
check_names()
end(least=30)
