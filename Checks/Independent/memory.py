"""The memory of messages that were opened: FORMAT.md, section 7."""
from dataclasses import dataclass

FIRST, DUPLICATE, NOT_CHECKED = "first", "duplicate", "not-checked"
ENDS = 2_592_300  # seconds, after which all that was issued by then has expired


class Replayed(Exception):
    """[7.1] is broken."""


@dataclass
class Entry:
    digest: bytes
    issued_at: int
    until: int


class Memory:
    """At most `capacity` messages by origin, content type and message id, in the order in which they were recorded."""

    def __init__(self, capacity=1024):
        self.capacity = capacity
        self.entries, self.floors = {}, {}

    def __len__(self):
        return len(self.entries)

    def record(self, origin, content_type, message_id, new, now):
        """What a message is marked as; `new` is its Entry."""
        name = origin, content_type, message_id
        known = self.entries.get(name)
        if known and now <= known.until:
            if known.digest != new.digest:
                raise Replayed
            if new.until > known.until:
                self.entries[name] = Entry(new.digest, max(new.issued_at, known.issued_at), new.until)
            return DUPLICATE
        if origin in self.floors and new.issued_at <= self.floors[origin]:
            return NOT_CHECKED
        self.entries.pop(name, None)
        self.make_room(now)
        self.entries[name] = new
        return FIRST

    def make_room(self, now):
        if len(self.entries) >= self.capacity:
            self.entries = {name: entry for name, entry in self.entries.items() if now <= entry.until}
        while len(self.entries) >= self.capacity:
            name = next(iter(self.entries))
            dropped = self.entries.pop(name)
            self.floors[name[0]] = max(dropped.issued_at, self.floors.get(name[0], 0))
        self.floors = {origin: time for origin, time in self.floors.items() if now <= time + ENDS}
