"""hooks.py: what schemathesis does before each request. A person gets ten challenges an hour, so each has its own."""
import itertools

import schemathesis

numbers = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.headers and "SealedPush-Person" in case.headers:
        case.headers["SealedPush-Person"] = f"person-{next(numbers)}"
