"""A backend that tells people about lunch: it takes what their apps ask for, and hands it to a worker as rows of a store.

It needs Python 3.11 alone, and `sealpushd work --audience …` on the same store. Documentation/Guides/Outbox.md has the tables.
"""
import base64, contextlib, hashlib, json, math, pathlib, secrets, sqlite3, time

MODES = {"replace", "join"}
CHALLENGES_AN_HOUR, CHALLENGE_SECONDS = 10, 600
MAXIMUM_BODY = 32 << 10
PHRASES = {200: "OK", 202: "Accepted", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
           404: "Not Found", 413: "Content Too Large", 415: "Unsupported Media Type", 429: "Too Many Requests",
           503: "Service Unavailable"}


class Refusal(Exception):
    """Why a request is not done."""

    def __init__(self, status, error, headers=None, **members):
        super().__init__(error)
        self.answer = status, {"error": error, **members}, headers or {}


class Backend:
    """A WSGI application with the requests of Documentation/enrolment-service.openapi.yaml, below a path of yours.

    `store` is the worker's file, and `senders` the file of the signed set. `who` takes a request's environ, and returns who
    is logged in, by your own login: the person, an ID of the login (not the session's secret), and when it began, in seconds
    since 1970; None if nobody is.
    """

    def __init__(self, store, topic, senders, who):
        # Without `mode=rw`, SQLite would make a file that is missing.
        self.store = pathlib.Path(store).absolute().as_uri() + "?mode=rw"
        self.topic, self.senders, self.who = topic, pathlib.Path(senders), who

    def open(self):
        return contextlib.closing(sqlite3.connect(self.store, uri=True, timeout=5, isolation_level=None))

    def tell(self, person, text, job):
        """Tells a person something on all devices; False if there is none. A retry has the same job, a UUID."""
        payload = json.dumps({"aps": {"alert": {"title": "Lunch", "body": text}}})
        with self.open() as db:
            query = "SELECT max(reachable) FROM reachable WHERE person = ? AND topic = ?"
            if not db.execute(query, (person, self.topic)).fetchone()[0]:
                return False
            db.execute("INSERT INTO job (message_id, person, topic, payload) VALUES (?, ?, ?, ?) "
                       "ON CONFLICT (message_id) DO NOTHING", (job, person, self.topic, payload))
        return True

    # What apps ask for

    def __call__(self, environ, start_response):
        try:
            status, body, headers = self.answer(environ)
        except Refusal as refusal:
            status, body, headers = refusal.answer
        except (sqlite3.OperationalError, OSError):
            status, body, headers = 503, {"error": "unavailable"}, {"Retry-After": "1"}
        if isinstance(body, dict):
            body = json.dumps(body).encode()
            headers = {"Content-Type": "application/json", "Cache-Control": "no-store", **headers}
        start_response(f"{status} {PHRASES[status]}", [*headers.items(), ("Content-Length", str(len(body)))])
        return [body]

    def answer(self, environ):
        login = self.who(environ)
        if login is None:
            raise Refusal(401, "unauthorized", {"WWW-Authenticate": "Session"})
        # A page in a browser or in an app's web view has an origin, and cannot set a header of ours.
        if "HTTP_ORIGIN" in environ:
            raise Refusal(403, "forbidden")
        path = environ.get("PATH_INFO", "")
        with self.open() as db:
            match environ["REQUEST_METHOD"], path:
                case "POST", "/v1/challenges":
                    return self.challenge(db, read_body(environ), *login)
                case "POST", "/v1/enrolments":
                    return self.enrol(db, read_body(environ), *login)
                case "POST", "/v1/sign-out":
                    return self.sign_out(db, read_body(environ), login[0])
                case "GET", _ if path.startswith("/v1/enrolments/"):
                    return self.wait(db, path.removeprefix("/v1/enrolments/"), login[0])
                case "GET", _ if path == f"/v1/senders/{self.topic}":
                    return self.published(environ.get("HTTP_IF_NONE_MATCH", ""))
        raise Refusal(404, "not-found")

    def challenge(self, db, body, person, login, began):
        topic, mode = text(body, "topic"), text(body, "mode")
        if mode not in MODES:
            raise Refusal(400, "bad-request", reason="mode")
        # A name that nobody can guess is nobody else's.
        name = text(body, "registration") if "registration" in body else secrets.token_urlsafe(16)
        challenge, now = secrets.token_urlsafe(16), time.time()
        with db:
            db.execute("BEGIN IMMEDIATE")
            # Who joins names a device that others have; only that device can sign the enrolment.
            known = is_known(db, name) if mode == "join" else is_own(db, name, person)
            if topic != self.topic or "registration" in body and not known:
                raise Refusal(404, "not-found")
            issued = db.execute("SELECT issued_at FROM challenge WHERE person = ? AND issued_at > ? ORDER BY issued_at DESC",
                                (person, now - 3600)).fetchall()
            if len(issued) >= CHALLENGES_AN_HOUR:
                seconds = min(max(math.ceil(issued[CHALLENGES_AN_HOUR - 1][0] + 3600 - now), 1), 3600)
                raise Refusal(429, "too-many", {"Retry-After": str(seconds)}, seconds=seconds)
            db.execute("INSERT INTO challenge (hash, person, login, login_at, topic, registration, mode) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?)", (digest(challenge), person, login, began, topic, name, mode))
        return 200, {"challenge": challenge, "registration": name, "seconds": CHALLENGE_SECONDS}, {}

    def enrol(self, db, body, person, login, _):
        name, enrolment = text(body, "registration"), body.get("enrolment")
        if not isinstance(enrolment, dict):
            raise Refusal(400, "bad-request", reason="enrolment")
        challenge, mode = self.fresh_challenge(db, enrolment, name, person, login)
        if challenge is None and not is_own(db, name, person):
            raise Refusal(404, "not-found")
        # The worker verifies the enrolment, and spends the challenge when it accepts it.
        number = db.execute("INSERT INTO enrolment (registration, person, body, is_new, challenge, mode) "
                            "VALUES (?, ?, ?, ?, ?, ?)",
                            (name, person, json.dumps(enrolment), challenge is not None, challenge, mode)).lastrowid
        return self.wait(db, str(number), person)

    def fresh_challenge(self, db, enrolment, name, person, login):
        """The challenge that an enrolment signs, and its mode, if it was issued to this login for this registration."""
        try:
            claims = enrolment["keys"].split(".")[1]
            challenge = json.loads(base64.urlsafe_b64decode(claims + "=="))["challenge"]
            issued = db.execute("SELECT mode FROM challenge WHERE hash = ? AND person = ? AND login = ? AND topic = ? AND "
                                "registration = ? AND spent_at IS NULL AND expires_at > ?",
                                (digest(challenge), person, login, self.topic, name, time.time())).fetchone()
        except (LookupError, ValueError, TypeError, AttributeError, RecursionError):
            return None, None
        return (challenge, issued[0]) if issued else (None, None)

    def wait(self, db, number, person):
        """The worker's answer, or 202 if there is none within three seconds."""
        if not (number.isascii() and number.isdigit() and len(number) <= 18):
            raise Refusal(404, "not-found")
        end = time.monotonic() + 3
        while True:
            row = db.execute("SELECT answer, reason, account FROM enrolment WHERE id = ? AND person = ?",
                             (int(number), person)).fetchone()
            if row is None:
                raise Refusal(404, "not-found")
            answer, *rest = row
            if answer is not None:
                known = {name: value for name, value in zip(("reason", "account"), rest) if value}
                return 200, {"id": number, "answer": answer, **known}, {}
            if time.monotonic() > end:
                return 202, {"id": number}, {"Retry-After": "1"}
            time.sleep(0.02)

    def sign_out(self, db, body, person):
        name = text(body, "registration")
        with db:
            db.execute("BEGIN IMMEDIATE")
            if not is_own(db, name, person):
                raise Refusal(404, "not-found")
            # The place to end your own session, if it is in this file.
            db.execute("INSERT INTO removal (registration, person) VALUES (?, ?)", (name, person))
        return 200, {"removed": name}, {}

    def published(self, known):
        jws = self.senders.read_bytes().strip()
        tag = f'"{digest(jws.decode())}"'
        headers = {"Content-Type": "application/jose", "Cache-Control": "no-cache", "ETag": tag}
        return (304, b"", headers) if tag in known else (200, jws, headers)


def is_own(db, name, person):
    """Whether there is a registration of this name, and it is the person's."""
    return db.execute("SELECT 1 FROM device WHERE name = ?1 AND (person = ?2 OR id IN "
                      "(SELECT device FROM device_share WHERE person = ?2))", (name, person)).fetchone() is not None


def is_known(db, name):
    """Whether there is a registration of this name, whoever's it is."""
    return db.execute("SELECT 1 FROM device WHERE name = ?", (name,)).fetchone() is not None


def digest(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def read_body(environ):
    if environ.get("HTTP_SEALEDPUSH_REQUEST") != "1":
        raise Refusal(403, "forbidden")
    if environ.get("CONTENT_TYPE", "").split(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "not-json")
    try:
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if length > MAXIMUM_BODY:
            raise Refusal(413, "too-large")
        body = json.loads(environ["wsgi.input"].read(max(length, 0)))
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise Refusal(400, "bad-request", reason="the body is no JSON object")
    return body


def text(body, name):
    """A member of a body that must be a text, which a half of a surrogate pair is not."""
    value = body.get(name)
    if not isinstance(value, str) or not value or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise Refusal(400, "bad-request", reason=name)
    return value
