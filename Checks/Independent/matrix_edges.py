"""Contents and lives of keys at the edges of the rules.

sealed_push.py seals each, without checking it. Every opener opens it, with the outcome that FORMAT.md asks for, and shows
the same.
"""

NOW = 1_795_000_000


def alert(more):
    return '{"aps":{"alert":"B",' + more + '}}'


def custom(more):
    return '{"aps":{"alert":"B"},' + more + '}'


def sound(more):
    return alert('"sound":{"name":"s",' + more + '}')


BAD = "malformed-content"
# The content and the outcome.
CONTENTS = {
    "critical is 1.0": (sound('"critical":1.0'), BAD), "critical is -0": (sound('"critical":-0'), BAD),
    "critical is 2": (sound('"critical":2'), BAD), "critical is true": (sound('"critical":true'), BAD),
    "critical is 0": (sound('"critical":0,"volume":0.5'), "opened"),
    "critical without a volume": (sound('"critical":1'), "opened"), "volume is 1": (sound('"critical":1,"volume":1'), "opened"),
    "volume is -0": (sound('"critical":1,"volume":-0'), "opened"), "volume is 0e5": (sound('"critical":1,"volume":0e5'), "opened"),
    "volume is 1e-400": (sound('"critical":1,"volume":1e-400'), BAD),
    "volume is -1e-400": (sound('"critical":1,"volume":-1e-400'), BAD), "volume is 1.5": (sound('"volume":1.5'), BAD),
    "volume of an ordinary sound": (sound('"volume":0.5'), "opened"),
    "score is just above 1": (alert('"relevance-score":1.00000000000000000001'), "opened"),
    "score is 1e-400": (alert('"relevance-score":1e-400'), BAD), "score is -0.0": (alert('"relevance-score":-0.0'), "opened"),
    "score is 75, with an event": (alert('"relevance-score":75,"event":"update"'), "opened"),
    "score is 75, with an event that is null": (alert('"relevance-score":75,"event":null'), "opened"),
    "badge is -0": (alert('"badge":-0'), BAD), "badge is 1e0": (alert('"badge":1e0'), BAD), "badge is 1.0": (alert('"badge":1.0'), BAD),
    "badge is 2^63": (alert('"badge":9223372036854775808'), BAD), "badge is 2^63 - 1": (alert('"badge":9223372036854775807'), "opened"),
    "level is time-sensitive": (alert('"interruption-level":"time-sensitive"'), "opened"),
    "U+0000 in a key to be localized": ('{"aps":{"alert":{"loc-key":"a\\u0000"}}}', "opened"),
    "a key to be localized that is a number": ('{"aps":{"alert":{"body":"B","title-loc-key":7}}}', "opened"),
    "subtitle to be localized": ('{"aps":{"alert":{"body":"B","subtitle":"","subtitle-loc-key":"K"}}}', "opened"),
    "alert is null": ('{"aps":{"alert":null}}', BAD), "sound is empty": (alert('"sound":""'), "opened"),
    "integers at the bounds": (custom('"a":-9223372036854775808,"b":-9223372036854775809,"c":9223372036854775807'), "opened"),
    "zeros": (custom('"a":-0,"b":-0.0,"c":0.0,"d":0e9,"e":1e-400,"f":-1e400'), "opened"),
    "what a caller says": (custom('"sealed-push":{"v":1,"replaces":"2c75dea1-70b5-4c96-b740-1f3362cce2e9","bytes":"AA"},"a":1'), "opened"),
    "what no caller may say": (custom('"sealed-push":{"v":1,"replaces":"A","removes":[1,{}],"bytes":"A","more":[]},"a":1'), "opened"),
    "the envelope's key": (custom('"ENCRYPTED_DATA":"AQ","a":{"ENCRYPTED_DATA":1,"sealed-push":2}'), "opened"),
    "__proto__": (custom('"__proto__":{"a":1},"constructor":2'), "opened"),
    "numbers as names": (custom('"2":1,"10":2,"1":3'), "opened"),
    "U+2028 and U+007F": ('{"aps":{"alert":"\u2028\x7f"}}', "opened"),
    "an overlong exponent": (custom('"a":1e00000000000000000000000001'), "opened"),
    "a vertical tab as white space": ('{\x0b"aps":{"alert":"B"}}', BAD), "U+00A0 as white space": ('\u00a0{"aps":{"alert":"B"}}', BAD),
    "a comment": ('{"aps":{"alert":"B"}/**/}', BAD), "a plus sign": (custom('"a":+1'), BAD), "a point at the end": (custom('"a":1.'), BAD),
    "a point at the front": (custom('"a":.5'), BAD), "Infinity": (custom('"a":Infinity'), BAD), "an open array": (custom('"a":[1,]'), BAD),
    "an escape with a capital": (custom('"a":"\\U0041"'), BAD), "single quotes": (custom("'a':1"), BAD),
    "a pair the wrong way round": (custom('"a":"\\udc00\\ud800"'), BAD), "a pair that is half escaped":
    (custom('"a":"\\ud83d\\ude00"'), "opened"), "a member twice, deep": (custom('"a":[{"b":1,"b":1}]'), BAD),
}

# The seconds from now at which the sender's or the device's key begins or ends, and the outcome.
LIVES = {
    "sender begins now": ("sender", {"nbf": 0}, "opened"), "sender begins in a second": ("sender", {"nbf": 1}, "unknown-sender"),
    "sender ends now": ("sender", {"exp": 0}, "opened"), "sender ended a second ago": ("sender", {"exp": -1}, "unknown-sender"),
    "device's key ends now": ("device", {"exp": 0}, "opened"), "device's key ended": ("device", {"exp": -1}, "unknown-key"),
}

# Two faults: the content, whether it is signed, the seconds since it was issued, and the reason of the first fault.
ORDERS = {
    "expired, and no JSON": ("{", True, 401, "expired"), "not yet valid, and no JSON": ("{", True, -301, "not-yet-valid"),
    "anonymous and expired": ("{", False, 401, "anonymous-not-accepted"),
}

# Payloads that are not messages, so that there is no reason for not opening.
NO_MESSAGES = {
    "an array": '["ENCRYPTED_DATA"]', "an array of an object": '[{"ENCRYPTED_DATA":"AQ"}]', "a string": '"ENCRYPTED_DATA"',
    "a number": "1", "null": "null", "a member twice": '{"aps":{},"aps":{}}', "cut": '{"aps":{}', "no bytes": "",
}
