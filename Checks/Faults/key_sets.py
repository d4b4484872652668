"""The rules for a key file, which hold at every moment, whatever command changes it and however that ends."""
import base64, json

GRACE = 30 * 86_400


class KeySet:
    """The keys of a file as the tool lists them, and their private halves if they can be read."""

    def __init__(self, data, listed, opener=None):
        self.data, self.listed, self.opener = data, listed, opener
        self.keys = {key["kid"]: key for key in listed}
        self.secrets = {key["kid"]: key.get("d") or key.get("k") for key in json.loads(data).get("keys", [])}

    def with_status(self, status):
        return [kid for kid, key in self.keys.items() if key["status"] == status]

    def ends(self):
        """The `exp` of each accepted key that has one."""
        return [key["exp"] for key in self.keys.values() if key["status"] == "accepted" and key.get("exp")]


def faults(before, after, removable, now):
    """The faults of a set, and of the change from the set before, if there was one, at `now`."""
    found = []
    if len(after.keys) != len(after.listed):
        found.append("a key is duplicated")
    if after.secrets and after.secrets.keys() != after.keys.keys():
        found.append("the file has other keys than the tool lists")
    algorithms = {key["alg"] for keys in (before, after) if keys for key in keys.listed}
    for algorithm in sorted(algorithms):
        statuses = [key["status"] for key in after.listed if key["alg"] == algorithm]
        if statuses.count("active") != 1 or statuses.count("next") > 1:
            found.append(f"{algorithm} has the keys {statuses}")
    for kid, old in before.keys.items() if before else ():
        new = after.keys.get(kid)
        if new is None:
            if kid not in removable:
                found.append(f"{kid} ({old['status']}) is gone")
        elif not may_become(old, new, now):
            found.append(f"{kid} was {old} and is {new}")
        elif kid in before.secrets and after.secrets and after.secrets[kid] != before.secrets[kid]:
            found.append(f"{kid} has another private half")
    return found


def may_become(old, new, now):
    """Whether a key that stays may change in this way."""
    if new == old:
        return True
    step = old["status"], new["status"]
    free = ("status", "exp", "iat") if step == ("next", "active") else ("status", "exp")
    if any(old.get(name) != new.get(name) for name in old.keys() | new.keys() if name not in free):
        return False
    # A key is accepted for at least 30 days after it was last active; without an end until the new key is confirmed.
    lasts = new.get("exp") is None or new["exp"] >= now + GRACE
    steps = {("active", "accepted"): lasts, ("next", "active"): True,
             ("accepted", "accepted"): lasts and old.get("exp") is None}
    return steps.get(step, False)


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
