"""The searches: the property, the world, the rules that are taken out, and whether a state must be found."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Search:
    """`what` is a property of scenarios.maude, `world` an initial state there, `out` the rules that are taken out.
    `private`: Eve does not read the pushes to Ada's token. `final`: looks only at states where nothing more can happen."""
    kind: str
    what: str
    world: str
    out: tuple = ()
    private: bool = False
    final: bool = False
    found: bool = True

    @property
    def command(self):
        rules = ", ".join(self.out + ("private",) * self.private) or "none"
        arrow = "=>!" if self.final else "=>*"
        state = "{ O | C:Soup }"
        return f"search [1] in SCENARIOS : {self.world}({rules}) {arrow} {state} such that {self.what}(C:Soup) ."

    def __str__(self):
        rules = " and ".join(self.out) or "-"
        what = f"{self.what} (private)" if self.private else self.what
        return f"{self.kind:<7} {what:<23} {self.world:<10} {rules:<25}"


def attack(what, world, *out, private=False, final=False):
    return Search("attack", what, world, out, private, final)


def none(what, world, *out, private=False, final=False):
    return Search("none", what, world, out, private, final, found=False)


def honest(what, world, private=False):
    return Search("honest", what, world, (), private)


# An honest run in each world, and a state in which every possible event has happened.
HONEST = [
    honest("delivered", "enrolling"), honest("delivered", "enrolling", private=True), honest("hers", "enrolling"),
    honest("yielded", "enrolling", private=True), honest("travelled", "abroad"), honest("rotated", "rotating"),
    honest("replaced", "rotating"), honest("doubled", "receiving"), honest("unsure", "receiving"),
    honest("called", "typed"), honest("shown", "typed"), honest("renewed", "succeeded"), honest("delivered", "ended"),
    honest("switched", "switching"), honest("returning", "erased"), honest("returning", "sold"),
    honest("retaken", "fought"), honest("both", "joint"), honest("parting", "offline"),
]
WORLDS = ["switching", "erased", "sold", "fought", "enrolling", "abroad", "rotating", "repeating", "leaving", "receiving", "typed", "betrayed", "succeeded",
          "ended", "joint", "handed", "offline", "staying"]
SPENT = [honest("spent", world) for world in WORLDS]

# Without a rule, Eve succeeds.
ATTACKS = [
    attack("misled", "enrolling", "possession"),
    attack("refused", "rotating", "possession", private=True),
    attack("dispossessed", "fought", "possession", private=True),
    attack("misled", "enrolling", "named"),
    attack("misled", "enrolling", "same"),
    attack("dispossessed", "enrolling", "token", private=True),
    attack("read", "enrolling", "identity"),
    attack("read", "enrolling", "session"),
    attack("misled", "abroad", "audience"),
    attack("misled", "abroad", "purpose"),
    attack("misled", "enrolling", "signed"),
    attack("misled", "enrolling", "personal"),
    attack("dispossessed", "switching", "signed", private=True),
    attack("dispossessed", "fought", "signed", private=True),
    attack("returned", "leaving", "challenge"),
    attack("restored", "repeating", "serials", "possession"),
    attack("rolledBack", "betrayed", "serials"),
    attack("outlived", "betrayed", "end"),
    attack("late", "ended", "end"),
    attack("retargeted", "typed", "type"),
    attack("misled", "receiving", "thumbprint"),
    attack("stuck", "repeating", "resent", final=True),
    attack("repeated", "receiving", "once"),
    attack("repeated", "receiving", "floor"),
    attack("repeated", "receiving", "retry"),
    attack("unwelcome", "joint", "tag"),
    attack("unwelcome", "handed", "tag"),
    attack("intruded", "joint", "personal"),
    attack("ousted", "joint", "mode"),
    attack("lingering", "handed", "mode"),
    attack("evicted", "staying", "leave"),
    attack("evicted", "staying", "serials"),
    attack("evicted", "staying", "audience"),
    attack("revived", "offline", "tombstone"),
]
# No rule prevents this, as Documentation/Assurance/Model.md says: whoever reads the pushes to a token can prove it.
LIMITS = [attack("tokenTaken", "enrolling"), attack("dispossessed", "fought")]

# With all rules, Eve fails, and nobody keeps Ada from proving her key. On a phone that two accounts may have, whoever
# carries enrolments can have both asked forever by turns, so `broken`, which knows no end then, is searched in private.
NONE = [none("broken", world) for world in WORLDS if world != "switching"] + [
    none("broken", "switching", private=True)
] + [none(what, "switching") for what in ("read", "misled", "refused", "shared")] + [
    none("dispossessed", world, private=True)
    for world in ("enrolling", "abroad", "rotating", "switching", "erased", "sold", "fought")
] + [
    none("stuck", world, private=True, final=True)
    for world in ("enrolling", "abroad", "rotating", "switching")
] + [none("stuck", world, final=True) for world in ("erased", "sold", "fought")]
SEARCHES = HONEST + SPENT + ATTACKS + LIMITS + NONE
