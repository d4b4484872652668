"""Registrations, as `sealpush keys accept` keeps them: FORMAT.md, [11.10] to [11.12], [11.16], [11.17] and [11.38].

Numbers in square brackets are rules of that document.
"""
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ParamSpec, TypeVar

from .accounts import account_tag
from .encoding import unb64
from .errors import KeyFileError, Refused, need
from .keys import Recipient, chosen
from .signed import SignedSet, as_bytes, is_name, is_proof, json_object, read_device, service_of

LONGEST_LINE = 65_536
LINES_AT_ONCE = 500  # to a process
REPEATED = ("service", "topic", "environment", "token")
# A device of APNs has an environment, and one of FCM a service in its place.
ENROLMENT = frozenset({"v", "topic", "token", "keys"})
REGISTRATION = ENROLMENT | {"registration", "identity"}
APNS = frozenset({"apns"})
# What a registration's line may have beside those.
BESIDE = frozenset({"person", "persons", "proven", "pending"})
MOST_PERSONS = 16
# What a registration has proven, and no other may have: the reasons of [11.16].
REASONS = ("identity-in-use", "token-in-use", "key-in-use")
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Proven:
    """What others seal to: a signed set, those of its active keys that are proven, and whether its token is."""

    signed: SignedSet
    kids: tuple[str, ...]
    has_token: bool


@dataclass(frozen=True, slots=True)
class Registration:
    """A device, as a backend has registered it; what it has proven is sealed to, and nothing else."""

    name: str | None      # None in an enrolment
    identity: str | None  # a thumbprint; None in an enrolment
    signed: SignedSet     # the newest
    proven: Proven | None = None
    pending: tuple[str, bool, str] | None = None  # a proof, whether it is the token's too, and the key to prove
    is_claim: bool = False  # whether a login stands behind what is pending
    persons: tuple[str, ...] = ()  # the backend's own names for whose device it is, in order

    @classmethod
    def parse(cls, line: str | bytes, services: Collection[str] = APNS) -> "Registration":
        """One line of a registrations' file, with its signatures verified. `Refused` if one rule is broken.

        `services` are those that you deliver through: `apns` and, with a client of FCM, `fcm`.
        """
        return read_registration(as_bytes(line), services)

    @property
    def service(self) -> str:
        """What carries the device's messages: `apns` or `fcm`."""
        return service_of(self._whole.signed.claims)

    @property
    def topic(self) -> str:
        return str(self._whole.signed.claims["topic"])

    @property
    def token(self) -> str:
        """The token to send to, of APNs or of FCM. `KeyFileError` if the device has proven nothing."""
        return str(self._whole.signed.claims["token"])

    @property
    def environment(self) -> str | None:
        """`production` or `sandbox`: the APNs server that knows the token. FCM has none."""
        found = self._whole.signed.claims.get("environment")
        return None if found is None else str(found)

    @property
    def account(self) -> str | None:
        """The tag of the person's account, if the device has one person: see `of`."""
        if len(self.persons) != 1 or self.identity is None:
            return None
        return account_tag(self.persons[0], self.identity)

    def of(self, person: str) -> "Registration":
        """The same device for messages to one of its persons. `KeyFileError` if it is not that person's."""
        if person not in self.persons:
            raise KeyFileError("the device is not this person's")
        return replace(self, persons=(person,))

    def recipient(self, suite: str | None = None) -> Recipient:
        """The proven key of a suite, or of the preferred one. `KeyFileError` if there is none."""
        return chosen(self._whole.signed.keys, self._whole.kids, suite)

    @property
    def _whole(self) -> Proven:
        if self.proven is None:
            raise KeyFileError("the device has not proven that it has its keys and its token")
        return self.proven


def read_registrations(file: str | bytes | Iterable[bytes], *, processes: int = 1,
                       services: Collection[str] = APNS) -> dict[str, Registration]:
    """The registrations of a file by their names. One bad line makes the whole file refused: `Refused`.

    `services` are those that you deliver through: `apns` and, with a client of FCM, `fcm`.
    `file` is the file's text or, to use less memory, the file itself, opened for reading bytes. Most of the time goes into
    verifying signatures. If `processes` is greater than 1, so many processes share that work. They are those of
    `concurrent.futures`: each may import the program's main module, which must do nothing else when it is imported.
    """
    lines = _lines(io.BytesIO(as_bytes(file)) if isinstance(file, (str, bytes)) else file)
    read = partial(read_registration, services=services)
    if processes == 1:
        return _by_name(map(read, lines))
    with ProcessPoolExecutor(processes) as pool:
        return _by_name(pool.map(read, lines, chunksize=LINES_AT_ONCE))


def by_person(registrations: Mapping[str, Registration]) -> dict[str, list[Registration]]:
    """The devices of each person, for messages to that person; a device may be several persons'."""
    found: dict[str, list[Registration]] = {}
    for registration in registrations.values():
        for person in registration.persons:
            found.setdefault(person, []).append(registration.of(person))
    return found


def _by_name(read: Iterable[Registration]) -> dict[str, Registration]:
    return {str(registration.name): registration for registration in distinct(read)}


def _lines(file: Iterable[bytes]) -> Iterator[bytes]:
    for line in file:
        need(line.endswith(b"\n"), "malformed-enrolment", "11.17")  # each line ends with a line feed
        yield line[:-1]


def read_lines(lines: Iterable[str | bytes], services: Collection[str] = APNS) -> list[Registration]:
    """The registrations of a file's lines, in their order."""
    return list(distinct(read_registration(as_bytes(line), services) for line in lines))


def distinct(read: Iterable[Registration]) -> Iterator[Registration]:
    """The same registrations, each of them compared with those before it."""
    names: set[str | None] = set()
    taken: tuple[set[Any], ...] = (set(), set(), set())
    for new in read:
        need(new.name not in names, "malformed-enrolment", "11.17")
        mine = owned(new.proven)
        within("11.17", need_unique, mine, taken)
        for known, more in zip(taken, mine):
            known |= more
        names.add(new.name)
        yield new


def owned(proven: Proven | None) -> tuple[set[Any], ...]:
    """The identity, the tokens and the key ids that are proven."""
    if proven is None:
        return set(), set(), set()
    tokens = {token_of(proven.signed)} if proven.has_token else set()
    return {proven.signed.signer}, tokens, {unb64(kid)[:8] for kid in proven.kids}


def token_of(signed: SignedSet) -> tuple[str, str]:
    """A device's token, with its service: the same text is not the same token of another one."""
    return service_of(signed.claims), signed.claims["token"]


def need_unique(mine: tuple[set[Any], ...], others: tuple[set[Any], ...]) -> None:
    for reason, here, there in zip(REASONS, mine, others):
        need(not here & there, reason, "11.16")


def within(rule: str, check: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Whatever a check refuses, by a rule that asks for all of its rules."""
    try:
        return check(*arguments, **named)
    except Refused as refused:
        raise Refused(refused.reason, rule, refused.rule) from refused


def read_registration(line: bytes, services: Collection[str] = APNS) -> Registration:
    bad, rule = "malformed-enrolment", "11.17"
    need(len(line) <= LONGEST_LINE, "too-large", rule)
    outer, new = within(rule, _read_members, line, REGISTRATION, None, services)
    need(is_name(new.name), bad, rule)
    persons = _persons(outer)
    need(new.identity == new.signed.signer, "other-identity", rule)
    proven: Proven | None = Proven(new.signed, new.signed.active_kids, True)
    if "proven" in outer:
        proven = None if outer["proven"] is None else _proven(outer["proven"], new, services)
    pending, is_claim = None, False
    if "pending" in outer:
        value = outer["pending"]
        need("proven" in outer and "audience" in new.signed.claims, bad, rule)
        need(isinstance(value, dict) and value.keys() - {"kid", "claim"} == {"proof", "token"}, bad, rule)
        need(is_proof(value["proof"]) and isinstance(value["token"], bool), bad, rule)
        is_claim = "claim" in value
        need(not is_claim or value["claim"] is True, bad, rule)
        kid = value.get("kid", to_prove(new.signed.active_kids, proven))
        need(kid in new.signed.active_kids, bad, rule)
        pending = value["proof"], value["token"], kid
    return replace(new, proven=proven, pending=pending, is_claim=is_claim, persons=persons)


def _persons(outer: dict[str, Any]) -> tuple[str, ...]:
    """The members `person` and `persons`, of which a line has one at most."""
    bad, rule = "malformed-enrolment", "11.17"
    need("person" not in outer or "persons" not in outer, bad, rule)
    persons = [outer["person"]] if "person" in outer else outer.get("persons", [])
    need(isinstance(persons, list) and all(is_name(person) for person in persons), bad, rule)
    if "persons" in outer:
        need(2 <= len(persons) <= MOST_PERSONS, bad, rule)
    names = [person.encode() for person in persons]
    need(all(name < later for name, later in zip(names, names[1:])), bad, rule)
    return tuple(persons)


def to_prove(kids: tuple[str, ...], proven: Proven | None) -> str:
    """The first of these keys that is not proven or, if all are, the first one."""
    known = proven.kids if proven else ()
    return next((kid for kid in kids if kid not in known), kids[0])


def _proven(members: Any, newest: Registration, services: Collection[str]) -> Proven:
    bad, rule = "malformed-enrolment", "11.17"
    need(isinstance(members, dict) and members.keys() == {"keys", "kids", "token"}, bad, rule)
    need(isinstance(members["keys"], str) and isinstance(members["token"], bool), bad, rule)
    kids = members["kids"]
    need(isinstance(kids, list) and all(isinstance(kid, str) for kid in kids), bad, rule)
    signed = within(rule, read_device, members["keys"], newest.signed.claims["topic"])
    within(rule, need, service_of(signed.claims) in services, "unsupported-service", "11.38")
    need(signed.signer == newest.identity, "other-identity", rule)
    proven = tuple(kid for kid in signed.active_kids if kid in kids)
    need(signed.claims["serial"] <= newest.signed.claims["serial"] and 0 < len(proven) == len(kids), bad, rule)
    return Proven(signed, proven, members["token"])


def read_outer(raw: bytes, longest: int, members: frozenset[str], topic: str | None,
               services: Collection[str] = APNS) -> Registration:
    """[11.10] to [11.12]: an enrolment, or a registration's line but for what it has proven."""
    need(len(raw) <= longest, "too-large", "11.10")
    return _read_members(raw, members, topic, services)[1]


def _read_members(raw: bytes, members: frozenset[str], topic: str | None,
                  services: Collection[str]) -> tuple[dict[str, Any], Registration]:
    """All members of the JSON, and what `read_outer` gives."""
    bad = "malformed-enrolment"
    outer = json_object(raw, bad, "11.10")
    need(outer.get("v") == 1 and type(outer["v"]) is int, "unsupported-version", "11.10")
    if isinstance(outer.get("service"), str):
        need(outer["service"] == "fcm" and "fcm" in services, "unsupported-service", "11.38")
    need("service" in outer or "apns" in services, "unsupported-service", "11.38")
    need(not isinstance(outer.get("keys"), dict), "unsigned", "11.10")
    expected = members | {"service" if "service" in outer else "environment"}
    need(outer.keys() - (BESIDE if members == REGISTRATION else set()) == expected, bad, "11.10")
    need(all(isinstance(outer[name], str) for name in expected if name != "v"), bad, "11.10")
    signed = within("11.11", read_device, outer["keys"], topic)
    need(all(outer.get(name) == signed.claims.get(name) for name in REPEATED), "mismatch", "11.12")
    return outer, Registration(outer.get("registration"), outer.get("identity"), signed)
