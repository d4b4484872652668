"""A backend that tells people about lunch: it registers their devices, has them prove their keys, seals, and sends.

It runs the tool for keys and sealing, and sends with httpx. Install 'httpx[http2]' and 'pyjwt[crypto]'.
"""
import json, pathlib, ssl, subprocess, sys, time

import httpx, jwt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "coprocess"))
from sealer import Sealer

HOSTS = {"production": "https://api.push.apple.com", "sandbox": "https://api.sandbox.push.apple.com"}
PENDING = 75
# APNs is busy, or restarts: the same push is right at another time.
BUSY = {429, 500, 503}


class ProviderToken:
    """The token of a team's key: one for 40 minutes, because APNs refuses old ones, and new ones that come too often."""

    SLOT = 40 * 60

    def __init__(self, p8, key_id, team_id):
        self.p8, self.key_id, self.team_id, self.issued, self.text = p8, key_id, team_id, 0, ""

    def bearer(self):
        issued = int(time.time()) // self.SLOT * self.SLOT
        if issued != self.issued:
            claims = {"iss": self.team_id, "iat": issued}
            self.text = jwt.encode(claims, self.p8, "ES256", {"kid": self.key_id})
            self.issued = issued
        return f"bearer {self.text}"


class Backend:
    """`folder` has sender.jwks, and gets the registrations. `audience` is the name that the app has built in."""

    def __init__(self, folder, topic, audience, token, tool="sealpush", hosts=HOSTS, root=None, pause=time.sleep):
        self.folder, self.topic, self.audience, self.token = pathlib.Path(folder), topic, audience, token
        self.tool, self.hosts, self.pause = tool, hosts, pause
        self.http = httpx.Client(http2=True, verify=ssl.create_default_context(cafile=root), timeout=30)
        self.sealer = None

    def enrol(self, enrolment, device, person, challenge=None):
        """Takes what an app sends at each launch, after its user has logged in; returns what became of it.

        While that is pending, the app keeps its old keys. It answers the request that is pushed to it, and its answer
        comes here, too. A challenge, or None for a device that is known.
        """
        accepted = self.run(
            "keys", "accept", "--registrations", "registrations", "--registration", device, "--person", person,
            "--audience", self.audience, "--topic", self.topic, "--from", "sender.jwks",
            *(["--challenge", challenge] if challenge else []), text=enrolment, also=PENDING)
        if request := accepted.get("request"):
            # Compact, as the tool counts its size.
            body = json.dumps(request["payload"], separators=(",", ":"), ensure_ascii=False)
            self.send({**request, "body": body})
        return accepted["change"]

    def tell(self, person, text, job):
        """Tells a person something on all devices; returns what became of each push. A retry has the same job, a UUID."""
        if self.sealer is None:
            self.sealer = Sealer([self.tool, "seal", "--lines", "--recipients", self.folder / "registrations",
                                  "--from", self.folder / "sender.jwks", "--topic", self.topic])
        payload = {"aps": {"alert": {"title": "Lunch", "body": text}}}
        try:
            pushes = self.sealer.seal({"person": person}, payload, message_id=job)
        except ValueError as error:
            return [f"not sealed: {error}"]
        return [self.outcome(push) for push in pushes]

    def outcome(self, push):
        if "error" in push:
            return f"not sealed: {push['error']}"
        try:
            answer = self.send(push)
        except httpx.TransportError as error:
            return f"later: {error}"  # It may have arrived: the same job again has the same apns-id.
        if answer.status_code == 200:
            return "accepted"
        try:
            said = answer.json()
        except ValueError:  # a proxy's answer, perhaps
            said = {}
        if answer.status_code == 410 and "timestamp" in said:
            # The registration stays if the app has enrolled since.
            self.run("keys", "forget", "--registrations", "registrations", "--token", push["device_token"],
                     "--unregistered-at", str(said["timestamp"]))
            return "gone"
        # 403 is about the backend's own key: the push is right once that is mended.
        kept = answer.status_code in BUSY or answer.status_code == 403
        return ("later: " if kept else "failed: ") + said.get("reason", str(answer.status_code))

    def send(self, push, attempts=3):
        """APNs' last answer."""
        address = f"{self.hosts[push['environment']]}/3/device/{push['device_token']}"
        for attempt in range(attempts):
            headers = {**push["headers"], "authorization": self.token.bearer()}
            answer = self.http.post(address, headers=headers, content=push["body"].encode())
            if answer.status_code not in BUSY or attempt == attempts - 1:
                break
            wait = answer.headers.get("retry-after", "")
            self.pause(min(int(wait), 60) if wait.isdigit() else 4 ** attempt)
        return answer

    def run(self, *words, text="", also=0):
        """What a command of the tool prints."""
        done = subprocess.run([self.tool, *words], cwd=self.folder, input=text, capture_output=True, text=True)
        if done.returncode not in (0, also):
            raise ValueError(done.stderr.strip())
        return json.loads(done.stdout or "{}")
