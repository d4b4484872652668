"""python3 clients.py SEALPUSH: the code of Documentation/Guides/Clients.md for aioapns sends sealed pushes unchanged.

A server in place of Apple's, over TLS and HTTP/2 on this machine, keeps what arrives, and chooses the answer by the
device's token. The check also proves that JSON.parse and JSON.stringify, which node-apn uses, keep a sealed payload's bytes.
"""
import asyncio, datetime, ipaddress, json, pathlib, re, ssl, subprocess, sys, tempfile, textwrap, types

import aioapns, aioapns.connection, h2.connection, h2.events
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import examples  # where sealedpush is
import sealedpush

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import ROOT, check, end

TOOL = pathlib.Path(sys.argv[1]).resolve()
TOPIC = "com.example.app"
ANSWERS = {"00": (200, None), "01": (410, {"reason": "Unregistered", "timestamp": 1767225600000}),
           "02": (400, {"reason": "BadDeviceToken"}), "03": (429, {"reason": "TooManyRequests"}),
           "04": (503, {"reason": "ServiceUnavailable"})}


class Apple(asyncio.Protocol):
    """APNs, as far as a client sees it: it refuses payloads of more than 4096 bytes."""
    requests = []

    def connection_made(self, transport):
        self.transport, self.bodies, self.headers = transport, {}, {}
        self.connection = h2.connection.H2Connection(h2.connection.H2Configuration(client_side=False))
        self.connection.initiate_connection()
        self.transport.write(self.connection.data_to_send())

    def data_received(self, data):
        for event in self.connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                self.headers[event.stream_id] = {name.decode(): value.decode() for name, value in event.headers}
                self.bodies[event.stream_id] = b""
            elif isinstance(event, h2.events.DataReceived):
                self.bodies[event.stream_id] += event.data
                self.connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                self.answer(event.stream_id, self.headers[event.stream_id], self.bodies[event.stream_id])
        self.transport.write(self.connection.data_to_send())

    def answer(self, stream, headers, body):
        self.requests.append((headers, body))
        status, reason = ANSWERS[headers[":path"].rpartition("/")[2]]
        if len(body) > 4096:
            status, reason = 413, {"reason": "PayloadTooLarge"}
        self.connection.send_headers(stream, [(":status", str(status)), ("apns-id", headers["apns-id"])], reason is None)
        if reason is not None:
            self.connection.send_data(stream, json.dumps(reason).encode(), True)


def certificate(folder):
    """A server's key and certificate, which only this program trusts."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "apple")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(1).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
            .sign(key, hashes.SHA256()))
    path = folder / "apple.pem"
    path.write_bytes(pem(key) + made.public_bytes(serialization.Encoding.PEM))
    return path


def pem(key):
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def page_code():
    """The page's code for aioapns, as a function."""
    page = (ROOT / "Documentation/Guides/Clients.md").read_text()
    [block] = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    source = f"async def send(client, sealer, payload, device):\n{textwrap.indent(block, '    ')}    return push, result\n"
    found = {}
    exec(source, found)
    return found["send"]


async def run(folder, sealer, device_set, opens):
    path = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    context.set_alpn_protocols(["h2"])
    server = await asyncio.get_running_loop().create_server(Apple, "127.0.0.1", 0, ssl=context)
    protocol = aioapns.connection.APNsProductionClientProtocol
    protocol.APNS_SERVER, protocol.APNS_PORT = "127.0.0.1", server.sockets[0].getsockname()[1]
    client = aioapns.APNs(key=pem(ec.generate_private_key(ec.SECP256R1())).decode(), key_id="KEY", team_id="TEAM",
                          topic=TOPIC, ssl_context=ssl.create_default_context(cafile=path), max_connection_attempts=2)

    async def nothing(*_):
        pass
    client.err_func = nothing
    send, text = page_code(), {"aps": {"alert": {"title": "Ada", "body": "Lunch at noon?"}}}
    for token, (status, reason) in ANSWERS.items():
        device = types.SimpleNamespace(token=token, recipient=device_set.recipient)
        push, result = await asyncio.wait_for(send(client, sealer, text, device), 60)
        headers, body = Apple.requests[-1]
        check(f"{token}: the status", result.status == str(status), result.status)
        check(f"{token}: the reason", result.description == (reason or {}).get("reason"), result.description)
        check(f"{token}: the timestamp", result.timestamp == (reason or {}).get("timestamp"), result.timestamp)
        check(f"{token}: to the device", headers[":path"] == f"/3/device/{token}", headers)
        said = {name: headers.get(name) for name in push.headers}
        late = int(said.pop("apns-expiration")) - int(push.headers["apns-expiration"])
        check(f"{token}: the headers", said.items() <= push.headers.items() and 0 <= late <= 2, said)
        check(f"{token}: the payload", json.loads(body) == json.loads(push.payload), body)
        check(f"{token}: the tool opens it", opens(body))
    await lengths(client, sealer, device_set, send, opens)
    client.pool.close()
    server.close()


async def lengths(client, sealer, device_set, send, opens):
    """The longest payload: with the page's limit it fits; without it, the client makes it longer, and APNs refuses it."""
    device, text = types.SimpleNamespace(token="00", recipient=device_set.recipient), {"aps": {"alert": "x" * 2500}}
    push, result = await asyncio.wait_for(send(client, sealer, text, device), 60)
    body = Apple.requests[-1][1]
    check("the longest fits", result.status == "200" and len(body) == len(push.payload) + 11, (result.status, len(body)))
    check("it is as long as APNs allows, to a character of base64url", 4093 <= len(body) <= 4096, len(body))
    check("the tool opens the longest", opens(body))
    full = sealer.seal(text, device, padding="maximum")
    result = await asyncio.wait_for(client.send_notification(aioapns.NotificationRequest(
        device_token="00", message=json.loads(full.payload), notification_id=full.headers["apns-id"])), 60)
    check("without a limit it does not", (result.status, result.description) == ("413", "PayloadTooLarge"), result.status)


def same_in_node(payloads):
    script = ("const texts = JSON.parse(require('fs').readFileSync(0));"
              "process.exit(texts.every((text) => JSON.stringify(JSON.parse(text)) === text) ? 0 : 1)")
    done = subprocess.run(["node", "-e", script], input=json.dumps(payloads).encode(), timeout=60)
    check("JSON.stringify makes the same bytes", done.returncode == 0)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for role in ("device", "sender"):
        for command in (f"new --role {role} --out {role}.jwks", f"export --keys {role}.jwks --out {role}.pub.jwks"):
            subprocess.run([TOOL, "keys", *command.split()], cwd=folder, check=True, capture_output=True, timeout=60)
    sealer = sealedpush.Sealer(TOPIC, sealedpush.SigningKey.parse((folder / "sender.jwks").read_text()))
    device_set = sealedpush.PublicKeySet.parse((folder / "device.pub.jwks").read_text())

    def opens(payload):
        return subprocess.run([TOOL, "open", "--keys", "device.jwks", "--senders", "sender.pub.jwks", "--topic", TOPIC],
                              cwd=folder, input=payload, capture_output=True, timeout=60).returncode == 0
    asyncio.run(run(folder, sealer, device_set, opens))
    same_in_node([sealer.seal({"aps": {"alert": "B"}}, device_set, title=title, **options).payload.decode()
                  for title in ("New notification", "Grüße “1” \u2028 / \\ \"") for options in (
                      {}, {"sound": False}, {"padding": "maximum"})])
end(least=40)
