"""python3 backend.py FOLDER: the backend in Python reaches the stand-in's phone. FOLDER has sealpush and sealpushd."""
import pathlib, subprocess, sys, tempfile, time, uuid

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import ROOT, check, end
from stand_in import StandIn

sys.path.insert(0, str(ROOT / "Examples/backend"))
import backend as example

AUDIENCE, TOPIC, LOGIN = "https://push.example.com", "com.example.app", "7Qx2"


def p8():
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def enrolment(tool, folder, stand_in, *words):
    """The enrolment that the app sends."""
    phone = stand_in.phone
    return subprocess.run(
        [tool, "keys", "enrol", "--keys", "device.jwks", "--topic", TOPIC, "--token", phone["token"], "--environment",
         phone["environment"], "--audience", AUDIENCE,
         # APNs says only to the second since when a token is invalid.
         "--now", str(int(time.time()) - 5), *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def run(tool, folder, stand_in):
    hosts, pauses = {"sandbox": stand_in.host}, []
    token = example.ProviderToken(p8(), "ABCDE12345", "FGHIJ67890")
    backend = example.Backend(folder, TOPIC, AUDIENCE, token, tool, hosts, stand_in.root, pauses.append)
    jobs = iter(lambda: str(uuid.uuid4()), None)

    change = backend.enrol(enrolment(tool, folder, stand_in, "--challenge", LOGIN), "ada-1", "ada", LOGIN)
    check("a new device is pending", change == "pending", change)
    check("nothing is sealed to it", backend.tell("ada", "At noon?", next(jobs)) == ["not sealed: recipient-refused"])
    request = stand_in.wait(lambda row: "the app" in row["why"])
    (folder / "request.json").write_text(stand_in.details(request["number"])["payload"])
    answer = enrolment(tool, folder, stand_in, "--answer", "request.json", "--senders", "sender.pub.jwks")
    change = backend.enrol(answer, "ada-1", "ada")
    check("it proves its key and token", change == "registered", change)

    said = backend.tell("ada", "At noon?", next(jobs))
    check("APNs accepts", said == ["accepted"], said)
    row = stand_in.wait(lambda row: row["person"] == "Lunch\nAt noon?")
    check("Apple does not see it", "noon" not in row["apple"], row["apple"])

    stand_in.do(do="fault", kind="refusal", status=429, reason="TooManyRequests", occasion="next", count=2)
    said = backend.tell("ada", "At one?", next(jobs))
    check("it waits while APNs is busy", said == ["accepted"] and len(pauses) == 2, (said, pauses))
    stand_in.wait(lambda row: row["person"] == "Lunch\nAt one?")

    stand_in.do(do="delete")
    said = backend.tell("ada", "At two?", next(jobs))
    check("a deleted app is forgotten", said == ["gone"] and (folder / "registrations").read_text() == "", said)
    backend.sealer.process.stdin.close()
    backend.sealer.process.wait(60)


with tempfile.TemporaryDirectory() as name:
    folder, bin = pathlib.Path(name), pathlib.Path(sys.argv[1]).resolve()
    tool = str(bin / "sealpush")
    for words in (["new", "--role", "sender", "--out", "sender.jwks"],
                  ["export", "--keys", "sender.jwks", "--out", "sender.pub.jwks"]):
        subprocess.run([tool, "keys", *words], cwd=folder, check=True, capture_output=True)
    with StandIn(str(bin / "sealpushd"), folder, "--keys", "device.jwks", "--senders", "sender.pub.jwks") as stand_in:
        run(tool, folder, stand_in)
end()
