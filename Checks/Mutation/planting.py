"""Puts mutants into a file's text, each behind its switch, one inside the other where they overlap."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Change:
    """A fault or a mutant: its range of bytes, and its edits, each of which replaces some bytes."""

    owner: object
    start: int
    end: int
    edits: tuple


def of_fault(fault, text):
    """The change of a fault that was written by hand."""
    first, last = (len(text[:place].encode()) for place in fault.place(text))
    is_on = f"mutant({fault.number})"
    if fault.kind == "expression":
        edits = (first, first, f"({is_on} ? ({fault.new}) : ("), (last, last, "))")
    elif fault.kind == "statement":
        edits = (first, first, f"if {is_on} {{ {fault.new} }} else {{ "), (last, last, " }")
    else:
        edits = (first, last, fault.new.replace("MUTANT", is_on)),
    return Change(fault, first, last, edits)


def of_mutant(mutant):
    """The change of a mutant."""
    edits = tuple((start, end, text.replace("#", str(mutant.number))) for start, end, text in mutant.edits)
    return Change(mutant, mutant.start, mutant.end, edits)


def fits(change, other):
    """Whether a file can have both changes: they are apart, or one is inside the other, between its edits."""
    if change.end <= other.start or other.end <= change.start:
        return True
    for inner, outer in (change, other), (other, change):
        if outer.start <= inner.start and inner.end <= outer.end and not any(
                start < inner.end and inner.start < end or start == end and inner.start < start < inner.end
                for start, end, _ in outer.edits):
            return True
    return False


def plant(source, changes):
    """A file's text with its changes, and the place of each; of changes at the same bytes, the later one is inside."""
    events = []
    for order, change in enumerate(changes):
        for start, end, text in change.edits:
            if start < end:
                rank = (2, 0, 0)
            elif start == change.end:
                rank = (0, -change.start, -order)
            else:
                rank = (1, -change.end, order)
            events.append((start, rank, end, text, order))
    result, done, spans = bytearray(), 0, {}
    for start, _, end, text, order in sorted(events):
        result += source[done:start]
        first, done = len(result), end
        result += text.encode()
        spans[order] = (min(first, spans.get(order, (first,))[0]), len(result))
    return bytes(result + source[done:]), {order: span for order, span in spans.items()}
