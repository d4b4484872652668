"""python3 page_code.py FOLDER: the code of Documentation/Guides/Testing.md reaches the stand-in's phone. FOLDER has the tools."""
import os, pathlib, subprocess, sys, tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import blocks, check, end
from stand_in import StandIn

PORT = "2197"


def run(folder, bin):
    start, _, _, key, seal, send, curl = blocks("Documentation/Guides/Testing.md", "bash")
    keys, serve = start.rsplit("\n", 2)[0], start.splitlines()[-1]
    environment = dict(os.environ, PATH=f"{bin}:{os.environ['PATH']}")

    def shell(text):
        return subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=environment, capture_output=True,
                              text=True, timeout=60)
    check("the keys are made", shell(keys).returncode == 0)
    with StandIn(str(bin / "sealpushd"), folder, *serve.split()[4:]) as stand_in:
        # The page names the default port; here the system chose another.
        def on_port(text):
            check("the code names the port", PORT in text)
            return text.replace(PORT, str(stand_in.port))
        environment["TOKEN"] = stand_in.phone["token"]
        check("a key is made", shell(key).returncode == 0)
        programs = [(name, ["bash", "-euo", "pipefail", "-c", on_port(code)], said)
                    for name, code, said in (("sealpushd send", send, None), ("curl", curl, ""))]
        programs += [(f"python, {code.split('import ')[2].split(',')[0].split()[0]}", [sys.executable, "-c", on_port(code)], "200")
                     for code in blocks("Documentation/Guides/Testing.md", "python")]
        programs += [("node", ["node", "--input-type=module", "--eval", on_port(code)], "200") for code in blocks("Documentation/Guides/Testing.md", "js")]
        check("there are five programs", len(programs) == 5)
        for number, (name, words, said) in enumerate(programs, 1):
            check("something is sealed", shell(seal).returncode == 0)
            done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
            is_said = said is None or done.stdout.split()[:1] == said.split()
            check(f"{name} says what it should", done.returncode == 0 and is_said, done)
            row = stand_in.wait(lambda row: row["number"] == number and row["person"])
            check(f"{name} reaches the person", row["person"] == "Ada\nLunch at noon?", row)


with tempfile.TemporaryDirectory() as name:
    run(pathlib.Path(name), pathlib.Path(sys.argv[1]).resolve())
end()
