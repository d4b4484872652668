"""labels.py [FOLDER]: counts the parameters without a label.

No function or initializer of Sources may have three of them, except the backends of the primitives, whose functions look
as in their specifications. Of all parameters, at most 30 % may have no label. Operators are not counted, because their
operands never have one. It tests itself first, on a text whose parameters it must count right.
"""
import collections, pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BACKENDS = "PushCrypto/Backends"
MOST, MOST_PERCENT = 2, 30

Function = collections.namedtuple("Function", "line name labels")  # a label is None where there is none

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<comment>/\*)
  | (?P<text>\#*\"(?:\"\")?)
  | (?P<regex>\#+/)
  | (?P<word>`[^`\n]+`|[@\#]?[^\W\d]\w*|\d\w*(?:\.\d\w*)?)
  | (?P<arrow>->)
  | (?P<sign>.)
""", re.X | re.S)
OPERATOR = set("/=-+!*%<>&|^~?.")
CLOSING = {"(": ")", "[": "]", "{": "}"}


def end_of_comment(source, start):
    """Comments nest."""
    depth, place = 1, start
    while depth:
        mark = re.compile(r"/\*|\*/").search(source, place)
        if not mark:
            return len(source)
        depth, place = depth + (1 if mark[0] == "/*" else -1), mark.end()
    return place


def end_of_text(source, start, opening):
    """The end of a string literal, whose interpolations may contain other literals."""
    hashes = len(opening) - len(opening.lstrip("#"))
    closing = opening[hashes:] + opening[:hashes]
    place = start
    while place < len(source) and not source.startswith(closing, place):
        if source.startswith("\\" + "#" * hashes + "(", place):
            place = tokens_until(source, place + hashes + 2, ")")[1]
        elif source[place] == "\\" and not hashes:
            place += 2
        else:
            place += 1
    return place + len(closing)


def tokens_until(source, place, closing=None):
    """The tokens (text, place) from a place to its closing bracket or to the end, and where that is."""
    tokens, open_brackets = [], []
    while place < len(source):
        match = TOKEN.match(source, place)
        kind, text, start, place = match.lastgroup, match[0], place, match.end()
        if kind == "space":
            continue
        if kind == "comment":
            place = end_of_comment(source, place)
            continue
        if kind == "text":
            place, text = end_of_text(source, place, text), '""'
        elif kind == "regex":
            place = source.index(text[::-1], place) + len(text)
        elif closing and not open_brackets and text == closing:
            return tokens, place
        elif text in CLOSING:
            open_brackets.append(CLOSING[text])
        elif open_brackets and text == open_brackets[-1]:
            open_brackets.pop()
        tokens.append((text, start))
    return tokens, place


def skip(tokens, at):
    """The place after the brackets that open at a place."""
    closing, depth = CLOSING[tokens[at][0]], 0
    for place in range(at, len(tokens)):
        depth += (tokens[place][0] == tokens[at][0]) - (tokens[place][0] == closing)
        if depth == 0:
            return place + 1
    raise ValueError(f"{tokens[at]} has no end")


def skip_generics(tokens, at):
    """The place after `<…>`; the arrow of a function's type is a token of its own."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += {"<": 1, ">": -1}.get(tokens[place][0], 0)
        if depth == 0:
            return place + 1
    raise ValueError(f"{tokens[at]} has no end")


def parameters(tokens):
    """A list of tokens for each parameter in a function's parentheses."""
    parts, at, is_default = [[]], 0, False
    while at < len(tokens):
        text = tokens[at][0]
        if text in CLOSING:
            end = skip(tokens, at)
        elif text == "<" and (not is_default or is_generic(tokens, at)):
            end = skip_generics(tokens, at)
        elif text == ",":
            parts, at, is_default = parts + [[]], at + 1, False
            continue
        else:
            is_default, end = is_default or text == "=", at + 1
        parts[-1] += tokens[at:end]
        at = end
    return [part for part in parts if part]


def is_generic(tokens, at):
    """Whether `<` in a default value begins the arguments of a type, as in `Box<A, B>()`, and is no comparison."""
    name, place = tokens[at - 1]
    if not re.fullmatch(r"[A-Z]\w*", name) or place + len(name) != tokens[at][1]:
        return False
    try:
        end = skip_generics(tokens, at)
    except ValueError:
        return False
    return end < len(tokens) and tokens[end][0] in "(.["


def label(part):
    """A parameter's label in a call; None if it has none."""
    at = 0
    while part[at][0].startswith("@"):  # an attribute, with its arguments
        name, place = part[at]
        at += 1
        if part[at][0] == "(" and part[at][1] == place + len(name):
            at = skip(part, at)
    if not re.fullmatch(r"`.+`|\w+", part[at][0]):
        raise ValueError(f"{part} is no parameter")
    return None if part[at][0] == "_" else part[at][0]


def functions(source):
    """The functions and initializers that a text of Swift declares, also those within others."""
    tokens, _ = tokens_until(source, 0)
    for at, (text, place) in enumerate(tokens):
        before = tokens[at - 1][0] if at else ""
        if text not in ("func", "init") or before == ".":
            continue
        begin = at + 1
        if text == "func":
            name = tokens[begin][0]
            if set(name) <= OPERATOR:
                continue
            begin += 1
        else:
            name = "init"
            begin += tokens[begin][0] in ("?", "!")
        if tokens[begin][0] == "<":
            begin = skip_generics(tokens, begin)
        if tokens[begin][0] != "(":
            if text == "func":
                raise ValueError(f"the function {name} has no parameters")
            continue  # an argument's label
        inside = tokens[begin + 1:skip(tokens, begin) - 1]
        yield Function(source.count("\n", 0, place) + 1, name, [label(part) for part in parameters(inside)])


TEXT = r'''
/// func comment(_ a: Int, _ b: Int, _ c: Int) /* and
/* a comment /* in another */ func comment(_ a: Int, _ b: Int, _ c: Int) */
let text = "func text(_ a: Int, \(map { "(" + $0 }), \"_ c: Int)"
let raw = #"func raw(_ a: "Int", \#(call("#")) _ c: Int)"#
let lines = """
  func lines(_ a: Int, "" _ b: Int)
  """
let expression = #/func (_ a: [^)]*)/#
@available(*, deprecated, message: "func (") func none() async throws -> (Int, Int) { (1, 2) }
func one(_ a: Int) {}
func two<Key: Hashable, Value>(_ a: Dictionary<Key, Value>, _ b: [Key: (Value, Int)]) where Key: Sendable {}
func three(
  _ body: @escaping @Sendable (_ a: Int, _ b: Int, Int) async throws(Wrong) -> [Int: Int],
  // Not that: _ c: Int,
  _ b: borrowing Span<UInt8> = .init(1, 2, 3), _: inout Box<Int, (Int) -> Void> = Box<Int, (Int) -> Void>()
) {}
func labelled(at a: Int, `in` b: Int = a < b ? 1 : 2, c: Int = f(a, b), d: Int = #line, @Made("x, y") e: () -> Void) {}
func `default`(@Builder _ a: () -> Void, _ b: Int = { (x, y) in x }(1, 2), of c: some Sequence<UInt8> & ~Copyable) {
  func local(_ a: Int, b: Int) {}
}
static func < (a: Self, b: Self) -> Bool { a.b < b.a }
static func +++ <T>(a: T, b: T) -> Bool { true }
extension A {
  init?<T>(_ a: T, b: Int) { self.init(a, b, 3, 4) }
  init!(a: Int) { super.init(1, 2, 3) }
  convenience init(_ a: isolated (any Actor)? = #isolation, _ b: Int...) throws(E) {}
}
let made = [1].map(Int.init), other = A.init(1, 2, 3), call = make(init: 3)
protocol P { func required(_ a: Self, from b: Int, _ c: Int); init(_ a: Int) }
#if DEBUG
  @Macro(1, 2) public func last(_ a: Int, _ b: consuming [Int], _ c: sending Int, d: Int) {}
#endif
'''
COUNTED = [("none", ""), ("one", "_"), ("two", "__"), ("three", "___"), ("labelled", "....."), ("`default`", "__."),
           ("local", "_."), ("init", "_."), ("init", "."), ("init", "__"), ("required", "_._"), ("init", "_"),
           ("last", "___.")]


def main(folder):
    shape = lambda function: "".join("_" if label is None else "." for label in function.labels)
    counted = [(function.name, shape(function)) for function in functions(TEXT)]
    if counted != COUNTED:
        sys.exit(f"FAILED the counting itself:\n{counted}, and not\n{COUNTED}")
    count, bare, every, wide = 0, 0, 0, []
    for path in sorted(folder.rglob("*.swift")):
        try:
            found = list(functions(path.read_text()))
        except (ValueError, IndexError) as error:
            sys.exit(f"FAILED {path}: {error}")
        for function in found:
            without = function.labels.count(None)
            count, bare, every = count + 1, bare + without, every + len(function.labels)
            if without > MOST and BACKENDS not in path.as_posix():
                wide.append(f"{path.relative_to(folder.parent)}:{function.line}: error: {function.name} has {without} parameters without a label")
    if not count:
        sys.exit(f"there are no functions in {folder}")
    percent = 100 * bare / every
    if percent > MOST_PERCENT:
        wide.append(f"error: {percent:.1f} % of the parameters have no label, and at most {MOST_PERCENT} % may")
    print(*wide, sep="\n", end="\n" if wide else "")
    print(f"{count} functions and initializers, {every} parameters, {percent:.1f} % without a label; {len(wide)} faults")
    sys.exit(1 if wide else 0)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "Sources")
