"""python3 survivors.py [DIR] [WORD …]: takes one rule at a time out of the implementation in Python, and runs the vectors.

For each condition of a rule, and for each fault of FAULTS, at least one vector must notice, unless REASONS says why none can.
Conditions are found in the sources: the operands of `need`, of the `if` before a `raise`, and of what predicates return.
Libraries are replaced by `lenient_curves` where they refuse by themselves. With WORDs, only those whose line has one run.
"""
import ast, importlib.machinery, importlib.util, itertools, json, multiprocessing, os, pathlib, re, sys

import cryptography.hazmat.primitives.hpke  # noqa: F401 (each child would load it again)

from survivors_faults import FAULTS, NOT_RULES, REASONS, RULES

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "Examples/python/sealedpush"
SOURCES = [HERE / name for name in ("sealed_push.py", "statements.py", "memory.py", "signed_sets.py",
                                    "attachments_format.py", "other_formats.py")] + [
    PACKAGE / f"{name}.py" for name in ("curves", "xwing", "encoding", "content", "keys", "signed", "registrations",
                                        "leave")]
# The files of vectors that a module has to do with; curves and texts have to do with all.
MESSAGES = ("opened.json", "degraded.json", "data.json", "push-types.json", "shared.json", "edges.json", "accounts.json",
            "memory.json", "callers.json", "fcm.json")
SIGNED = ("signed.json", "xwing.json", "fcm.json")
OF = {"sealed_push": MESSAGES + SIGNED, "memory": MESSAGES, "content": MESSAGES, "xwing": SIGNED, "statements": SIGNED + MESSAGES,
      "keys": SIGNED + ("sets.json",), "signed": SIGNED, "registrations": SIGNED, "leave": SIGNED, "signed_sets": SIGNED,
      "attachments_format": ("attachments.json",), "other_formats": ("formats.json",), "lenient_curves": MESSAGES + SIGNED}
# So many vectors that notice are as good as more.
ENOUGH = 10
CHECKERS = ("need", "address")


# The files of vectors, by their names; children have them from the process that they are copies of.
READ = {}


class Place:
    """Where an expression stands in a tree, so that another can stand there."""

    def __init__(self, parent, field, index=None):
        self.parent, self.field, self.index = parent, field, index

    @property
    def expression(self):
        found = getattr(self.parent, self.field)
        return found if self.index is None else found[self.index]

    def put(self, expression):
        if self.index is None:
            setattr(self.parent, self.field, expression)
        else:
            getattr(self.parent, self.field)[self.index] = expression


def clauses(place, good):
    """Each part of a condition that may be taken out, and what then stands in its place. `good` is what holds if all is
    well."""
    expression = place.expression
    if isinstance(expression, ast.BoolOp) and isinstance(expression.op, ast.And if good else ast.Or):
        for index in range(len(expression.values)):
            yield from clauses(Place(expression, "values", index), good)
    elif isinstance(expression, ast.Compare) and len(expression.ops) > 1 and good:
        for index in range(len(expression.ops)):
            values = [expression.left, *expression.comparators]
            rest = values[1:] if index == 0 else values[:-1]
            ops = expression.ops[:index] + expression.ops[index + 1:]
            text = ast.unparse(ast.Compare(values[index], [expression.ops[index]], [values[index + 1]]))
            if len(ops) == 1:
                yield place, text, ast.Compare(rest[0], ops, rest[1:])
    else:
        yield place, ast.unparse(expression), ast.Constant(good)


def conditions(tree):
    """(rule, text, place, replacement) of each clause."""
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name not in NOT_RULES]:
        named = {}
        nested = {id(inner) for node in ast.walk(function) if isinstance(node, ast.FunctionDef) and node is not function
                  for inner in ast.walk(node)}
        for node in ast.walk(function):
            if id(node) in nested:
                continue
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                named |= {name.id: value.value for name, value in zip(node.targets[0].elts, node.value.elts)
                          if isinstance(name, ast.Name) and isinstance(value, ast.Constant)}
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) in CHECKERS:
                rules = [argument.value if isinstance(argument, ast.Constant) else named.get(getattr(argument, "id", None))
                         for argument in node.args[1:]]
                rule = next((text for text in rules if isinstance(text, str) and re.fullmatch(r"\d+\.\d+", text)), None)
                parts = clauses(Place(node, "args", 0), True)
            elif isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise):
                rule = next((each.value for each in ast.walk(node.body[0]) if isinstance(each, ast.Constant)
                             and isinstance(each.value, str) and re.fullmatch(r"\d+\.\d+", each.value)), None)
                parts = clauses(Place(node, "test"), False)
            elif isinstance(node, ast.If) and is_constant(node.body[0], False):
                rule, parts = None, clauses(Place(node, "test"), False)
            elif isinstance(node, ast.Return) and isinstance(node.value, (ast.BoolOp, ast.Compare)):
                if not function.name.startswith(("is_", "_is_", "are_", "_are_", "has_", "_has_", "acceptable_", "verify_",
                                                 "may_")):
                    continue
                rule, parts = None, clauses(Place(node, "value"), True)
            else:
                continue
            for place, text, replacement in parts:
                yield rule or RULES.get(function.name, function.name), text, place, replacement


def is_constant(node, value):
    return isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and node.value.value is value


def planted():
    """(module's path, rule, text, function from source to a code object) of everything that may be taken out."""
    for path in filter(pathlib.Path.exists, SOURCES):
        source = path.read_text()
        for index, (rule, text, _, _) in enumerate(conditions(ast.parse(source))):
            yield path, rule, text, index
    for rule, text, name, old, new in FAULTS:
        path = next(path for path in SOURCES + [HERE / "lenient_curves.py"] if path.name == name)
        if path.read_text().count(old) != 1:
            sys.exit(f"{name} has not once: {old}")
        yield path, rule, text, (old, new)


def without(path, what):
    """The module's code without a clause."""
    source = path.read_text()
    if isinstance(what, tuple):
        return compile(source.replace(*what), path, "exec")
    tree = ast.parse(source)
    _, _, place, replacement = list(conditions(tree))[what]
    place.put(replacement)
    return compile(ast.fix_missing_locations(tree), path, "exec")


class Finder(importlib.machinery.PathFinder):
    """Loads one module with other code."""

    path = code = None

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        spec = super().find_spec(name, path, target)
        if spec and spec.origin == str(cls.path):
            spec.loader.get_code = lambda _: cls.code
        return spec


def lenient():
    """Puts curves that refuse nothing behind the libraries."""
    import lenient_curves as curves
    import sealed_push
    from sealedpush import curves as strict
    from sealedpush.hpke import extract_and_expand, schedule

    quick = strict.ed25519.Ed25519PublicKey

    class PublicKey:
        def __init__(self, raw):
            self.raw = raw

        from_public_bytes = classmethod(lambda cls, raw: cls(raw))

        def verify(self, signature, message):
            try:
                quick.from_public_bytes(self.raw).verify(signature, message)
            except (strict.InvalidSignature, ValueError):
                if not curves.ed25519_is_valid(self.raw, signature, message):
                    raise strict.InvalidSignature from None
    import other_formats
    strict_box = other_formats.nacl.bindings.crypto_box_open

    def box_open(data, nonce, public, private):
        try:
            return strict_box(data, nonce, public, private)
        except other_formats.CryptoError:  # HSalsa20 of an all-zero secret
            return other_formats.nacl.bindings.crypto_secretbox_open(data, nonce, bytes.fromhex(
                "351f86faa3b988468a850122b65b0acece9c4826806aeee63de9c0da2bd7f91e"))
    other_formats.nacl.bindings.crypto_box_open = box_open
    strict.ed25519 = type("ed25519", (), {"Ed25519PublicKey": PublicKey})

    class Hpke:
        def __init__(self, suite):
            self.suite = suite

        def encrypt(self, *arguments):
            return self.suite.hpke.encrypt(*arguments)

        def decrypt(self, sealed, private, info):
            try:
                return self.suite.hpke.decrypt(sealed, private, info)
            except (sealed_push.InvalidTag, ValueError):
                if self.suite.id not in (1, 2):
                    raise
            enc, public = sealed[:self.suite.enc], private.public_key()
            if self.suite.id == 1:
                dh, own = curves.x25519(private.private_bytes_raw(), enc), public.public_bytes_raw()
            else:
                numbers = public.public_numbers()
                dh = curves.p256(private.private_numbers().private_value, enc)
                own = b"\4" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
            aead, nonce = schedule(self.suite, extract_and_expand(self.suite, dh, enc, own), info)
            return aead.decrypt(nonce, sealed[self.suite.enc:], b"")
    from dataclasses import replace
    for suite in list(sealed_push.SUITES.values()):
        if suite.hpke:
            changed = replace(suite, hpke=Hpke(suite))
            sealed_push.SUITES[suite.name] = sealed_push.SUITES_BY_ID[suite.id] = changed


def noticed(path, what):
    """The first vectors that fail. Runs in a process of its own."""
    sys.stdout = open(os.devnull, "w")
    sys.path.insert(0, str(HERE))
    if path:
        Finder.path, Finder.code = path, without(path, what)
        sys.meta_path.insert(0, Finder)
    import check_vectors
    lenient()
    only = OF.get(path.stem, READ) if path else READ
    found = (f"{name} {vector_id}" for name, _, check, vectors, keys in check_vectors.lists(READ) if name in only
             for vector_id, _, wrong in check_vectors.outcomes(check, vectors, keys) if wrong)
    return list(itertools.islice(found, ENOUGH))


def run(job):
    path, what = job
    try:
        return noticed(path, what)
    except Exception as error:  # the module does not even load: whoever takes the rule out notices
        return [f"{type(error).__name__}: {error}"]


def main():
    arguments = sys.argv[1:]
    folder = HERE.parents[1] / "Vectors"
    if arguments and pathlib.Path(arguments[0]).is_dir():
        folder = pathlib.Path(arguments.pop(0)).resolve()
    all_planted = [each for each in planted() if not arguments or any(
        word in f"[{each[1]}] {each[2]} ({each[0].name})" for word in arguments)]
    READ.update({file.name: json.loads(file.read_bytes()) for file in folder.glob("*.json")})
    survivors, unused, by_rule = 0, set(REASONS), {}
    with multiprocessing.get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        jobs = [(None, None)] + [(path, what) for path, _, _, what in all_planted]
        results = pool.imap(run, jobs, chunksize=1)
        if wrong := next(results):
            sys.exit(f"vectors fail before any rule is taken out: {wrong[:5]}")
        for (path, rule, text, _), found in zip(all_planted, results):
            by_rule[rule] = by_rule.get(rule, 0) + len(found)
            reason = REASONS.get((rule, text))
            unused.discard((rule, text))
            if found and reason:
                print(f"FAILED [{rule}] {text} ({path.name}): {len(found)} vectors notice, and there is a reason why none can")
                survivors += 1
            elif found:
                more = " or more" if len(found) == ENOUGH else ""
                print(f"[{rule}] {text} ({path.name}): {len(found)}{more}", "" if len(found) > 2 else ", ".join(found)[:150])
            elif reason:
                print(f"[{rule}] {text} ({path.name}): none, because {reason}")
            else:
                print(f"FAILED [{rule}] {text} ({path.name}): no vector notices")
                survivors += 1
    if not arguments:
        rules = re.findall(r"^- \[([0-9.]+)\]", (folder / "FORMAT.md").read_text(), re.M)
        for rule in rules:
            if rule not in by_rule and (rule, "") not in REASONS:
                print(f"FAILED [{rule}]: nothing takes it out")
                survivors += 1
        for rule, text in unused - {(rule, "") for rule in rules}:
            print(f"FAILED [{rule}] {text}: a reason for a condition that is not there")
            survivors += 1
    print(f"{len(all_planted) - survivors} passed, {survivors} failed")
    sys.exit(survivors > 0)


if __name__ == "__main__":
    main()
