"""Random JSON texts: valid ones, some that break a rule of ours, some that are invalid or damaged."""

NAMES = ("aps", "alert", "a", "", "caf\u00e9", "cafe\u0301", "\U0001f512", "\u212a", "K", "x\0y", '"', "\\",
         "long name of a member")
RUNS = ("a", "plain text, more than eight bytes of it", "\u00e9", "e\u0301", "\u2028", "\ufeff", "\uffff", "\x7f",
        "\U0001f512", "\U0010ffff", "\0", "\x1f", "\n", "\t", '"', "\\", "/", "\b\f\r")
SHORT = {'"': '"', "\\": "\\", "/": "/", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}
LONE = (rb"\ud83d", rb"\ude00", rb"\uDE00\uD83D", rb"\ud83dA", rb"\ud83d\u0041", rb"\ud83d\ud83d\ude00",
        rb"\ud800\n")
BROKEN = [piece.encode("utf-8", "surrogateescape") for piece in (
    "[1,]", '{"a":1,}', "[,1]", "[1,,2]", "[1 2]", '{"a" 1}', '{"a":}', '{"a",1}', "{a:1}", "{'a':1}", "'a'", "[1;2]",
    "01", "-01", "-", "1.", ".5", "-.5", "+1", "1e", "1e+", "1.e1", "0x10", "1_0", "--1", "1e1.5", "\u0661",
    "tru", "nul", "True", "nulll", "falsetrue", "undefined", r'"\x41"', r'"\u12"', r'"\u12g4"', r'"\u 123"',
    r'"\U0041"', r'"\u+123"', '"\n"', '"\t"', '"\0"', '"\x1f"', '"a', '"a\\', '"a\\"', "/*c*/1", "//c\n1", "#c\n1",
    "\u00a01", "\x0c1", "\x0b1", "]", "}", "[1}", '{"a":1]', "[", "{", '{"a"', '{"a":', "", ",", ":", "1 1", '"a""b"',
    "[]{}", '"\udcc0\udcaf"', '"\udce0\udc80\udc80"', '"\udcf0\udc80\udc80\udc80"', '"\udcf4\udc90\udc80\udc80"',
    '"\udcf5\udc80\udc80\udc80"', '"\udce2\udc82"', '"\udc80"', '"\udcff"', '"\udcc3"')]
ENCODINGS = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-16", "utf-32")


def space(rng):
    return b"" if rng.random() < 0.8 else bytes(rng.choices(b" \t\r\n", k=rng.randint(1, 3)))


def escaped(rng, character):
    units = character.encode("utf-16-be")
    escapes = "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
    return escapes if rng.random() < 0.5 else escapes.upper().replace("\\U", "\\u")


def spelled(rng, text):
    """A string, with some characters escaped that need not be."""
    out = ""
    for character in text:
        needed = character < " " or character in '"\\'
        if character in SHORT and rng.random() < (0.7 if needed else 0.2):
            out += "\\" + SHORT[character]
        else:
            out += escaped(rng, character) if needed or rng.random() < 0.1 else character
    return f'"{out}"'.encode()


def string(rng):
    return spelled(rng, "".join(rng.choices(RUNS, k=rng.randrange(5))))


def number(rng):
    text = rng.choice(("", "-")) + rng.choice(("0", str(rng.randrange(1, 1000)), str(rng.randrange(2 ** 63, 2 ** 70))))
    text += "." + rng.choice(("0", "10", "25", "0" * 30 + "1")) if rng.random() < 0.3 else ""
    text += rng.choice("eE") + rng.choice(("", "+", "-")) + rng.choice(("0", "07", "400")) if rng.random() < 0.3 else ""
    return text.encode()


def container(rng, items, brackets):
    inside = b",".join(space(rng) + item + space(rng) for item in items) or space(rng)
    return brackets[:1] + inside + brackets[1:]


def member(rng, name, value):
    return spelled(rng, name) + space(rng) + b":" + space(rng) + value


def names(rng, count):
    """Different names."""
    return rng.sample(NAMES, min(count, 8)) + [f"name {i}" for i in range(count - 8)]


def value(rng, depth=0):
    roll = rng.random() * (0.5 if depth > 3 else 1)
    if roll < 0.15:
        return rng.choice((b"true", b"false", b"null"))
    if roll < 0.5:
        return (number if roll < 0.3 else string)(rng)
    count = 20 if rng.random() < 0.03 else rng.randrange(4)
    values = [value(rng, depth + 1 + count // 5) for _ in range(count)]
    if roll < 0.7:
        return container(rng, values, b"[]")
    return container(rng, map(member, [rng] * count, names(rng, count), values), b"{}")


def around(rng, piece):
    """The piece within none to three containers, among other values."""
    for _ in range(rng.randrange(4)):
        values = [piece, *(value(rng, 4) for _ in range(rng.randrange(3)))]
        rng.shuffle(values)
        piece = container(rng, values, b"[]") if rng.random() < 0.5 else container(
            rng, map(member, [rng] * 3, names(rng, len(values)), values), b"{}")
    return space(rng) + piece + space(rng)


def nested(rng, depth):
    opened, closed = b"", b""
    for _ in range(depth):
        opens, closes = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"[1,", b"]"), (b'{"":', b',"b":[]}')))
        opened, closed = opened + opens, closes + closed
    return opened + value(rng, 4) + closed


def twice(rng):
    chosen = names(rng, rng.choice((1, 2, 3, 15, 16, 17, 20)))
    again = chosen + [rng.choice(chosen)]
    rng.shuffle(again)
    return container(rng, (member(rng, name, value(rng, 4)) for name in again), b"{}")


def against_a_rule(rng):
    """A text that Python accepts and ours must not; now and then one that both accept, just within the limit."""
    roll = rng.randrange(7)
    if roll == 0:
        return around(rng, twice(rng))
    if roll == 1:
        return nested(rng, rng.choice((30, 31, 32, 33, 34, 127, 128, 129, 140)))
    if roll == 2:
        text = spelled(rng, rng.choice(RUNS))
        piece = text[:-1] + rng.choice(LONE) + text[1:]
        return around(rng, piece if rng.random() < 0.7 else b"{" + piece + b":1}")
    if roll == 3:
        rest = rng.choice((b"\xa0\x80", b"\xbf\xbf", b"\xa0\xbd\xed\xb8\x80", b"\x9f\xbf"))
        return around(rng, b'"\xed' + rest + b'"')
    if roll == 4:
        return around(rng, rng.choice((b"NaN", b"Infinity", b"-Infinity")))
    if roll == 5:
        return b"\xef\xbb\xbf" + around(rng, value(rng))
    return around(rng, value(rng)).decode().encode(rng.choice(ENCODINGS))


def mutated(rng, raw):
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at, end = sorted((rng.randint(0, len(raw)), rng.randint(0, len(raw))))
        near = min(at + rng.randint(1, 3), len(raw))
        raw = rng.choice((
            lambda: raw[:at] + rng.randbytes(1) + raw[at:],
            lambda: raw[:at] + bytes(rng.choices(b'[]{},:"\\0-.eu \n', k=1)) + raw[rng.choice((at, at + 1)):],
            lambda: raw[:at] + raw[near:],
            lambda: raw[:at],
            lambda: raw[:at] + raw[at:end] + raw[at:],
            lambda: raw[:at] + bytes(byte ^ 1 << rng.randrange(8) for byte in raw[at:at + 1]) + raw[at + 1:]))()
    return raw


def text(rng):
    roll = rng.random()
    if roll < 0.35:
        return around(rng, value(rng))
    if roll < 0.6:
        return against_a_rule(rng)
    if roll < 0.8:
        return around(rng, rng.choice(BROKEN))
    if roll < 0.85:
        return around(rng, bytes(rng.choices(b"0012+-.eE", k=rng.randint(1, 7))))
    return mutated(rng, around(rng, value(rng)))
