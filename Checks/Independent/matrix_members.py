"""What a caller says in the payload's member `sealed-push`: what every sealer must take, and what it must refuse.

The contents have no white space, so that what is opened is the same text. With an account, the tag becomes the last member of
that object.
"""

ID, OTHER = "2c75dea1-70b5-4c96-b740-1f3362cce2e9", "82a3c1b8-95f8-82cd-ae4b-0478b67e7823"
REPLACES = f'"replaces":"{ID}"'
TAG = "lncnwxQF3erk01phS8fgyQ"


def alert(member, more=""):
    return '{"aps":{"alert":"B"},"sealed-push":' + member + more + '}'


def said(*members):
    return alert('{"v":1,' + ",".join(members) + '}')


def removes(*ids):
    return '"removes":[' + ",".join(f'"{each}"' for each in ids) + ']'


def numbered(count):
    return (f"00000000-0000-0000-0000-{number:012x}" for number in range(count))


GOOD = {
    "replaces": said(REPLACES), "removes one": said(removes(ID)), "removes 32": said(removes(*numbered(32))),
    "removes one twice": said(removes(ID, ID)), "replaces and removes": said(REPLACES, removes(OTHER)),
    "bytes": said('"bytes":"-_8"'), "no bytes": said('"bytes":""'),
    "all of them": said(REPLACES, removes(OTHER, ID), '"bytes":"AAECAw"'),
    "in another order": alert('{"bytes":"AA",' + removes(OTHER) + f',{REPLACES},"v":1' + '}'),
    "before other members": alert('{"v":1,' + REPLACES + '}', ',"chat":7,"rate":1.10'),
    "before aps": '{"sealed-push":{"v":1,' + REPLACES + '},"aps":{"alert":"B"}}',
    "in a background push": '{"aps":{"content-available":1},"sealed-push":{"v":1,' + removes(ID, OTHER) + '}}',
    "a background push that replaces": '{"aps":{},"sealed-push":{"v":1,' + REPLACES + ',"bytes":"AA"}}',
    "none": '{"aps":{"alert":"B"}}',
    "a member of that name, deeper": '{"aps":{"alert":"B"},"chat":{"sealed-push":{"v":1,' + REPLACES + ',"more":{}}}}',
}

BAD = {
    "an empty object": alert('{}'), "v alone": alert('{"v":1}'), "null": alert('null'), "true": alert('true'),
    "a number": alert('1'), "a string": alert('"v"'), "an array": alert('[{"v":1,' + REPLACES + '}]'),
    "no v": alert('{' + REPLACES + '}'), "v is 2": alert('{"v":2,' + REPLACES + '}'),
    "v is 1.0": alert('{"v":1.0,' + REPLACES + '}'), "v is 1e0": alert('{"v":1e0,' + REPLACES + '}'),
    "v is a string": alert('{"v":"1",' + REPLACES + '}'), "v is true": alert('{"v":true,' + REPLACES + '}'),
    "v is null": alert('{"v":null,' + REPLACES + '}'), "v is an array": alert('{"v":[1],' + REPLACES + '}'),
    "an account alone": said(f'"account":"{TAG}"'), "an account": said(REPLACES, f'"account":"{TAG}"'),
    "attachments": said(REPLACES, '"attachments":[]'), "an unknown member": said(REPLACES, '"more":1'),
    "an unknown member that is null": said(REPLACES, '"more":null'), "a name in capitals": said(f'"Replaces":"{ID}"'),
    "a name of every object in JavaScript": said(REPLACES, '"constructor":1'),
    "replaces is null": said('"replaces":null'), "replaces is a number": said('"replaces":7'),
    "replaces is an array": said(f'"replaces":["{ID}"]'), "replaces is empty": said('"replaces":""'),
    "replaces is in capitals": said(f'"replaces":"{ID.upper()}"'), "replaces begins with a capital":
    said(f'"replaces":"{OTHER.replace("a", "A", 1)}"'), "replaces has no hyphens":
    said('"replaces":"' + ID.replace("-", "") + '"'), "replaces is in braces": said('"replaces":"{' + ID + '}"'),
    "replaces is a URN": said(f'"replaces":"urn:uuid:{ID}"'), "replaces ends with a line": said(f'"replaces":"{ID}\\n"'),
    "replaces is too short": said(f'"replaces":"{ID[:-1]}"'), "replaces is too long": said(f'"replaces":"{ID}0"'),
    "replaces has a hyphen elsewhere": said('"replaces":"2c75dea-170b5-4c96-b740-1f3362cce2e9"'),
    "replaces has no digit": said('"replaces":"2c75dea1-70b5-4c96-b740-1f3362cce2eg"'),
    "replaces has a digit of another script": said('"replaces":"2c75dea1-70b5-4c96-b740-1f3362cce2e\u0669"'),
    "removes nothing": said('"removes":[]'), "removes 33": said(removes(*numbered(33))),
    "removes is null": said('"removes":null'), "removes is a string": said(f'"removes":"{ID}"'),
    "removes is a short string": said('"removes":"2"'), "removes is an object": said('"removes":{"0":"' + ID + '"}'),
    "removes in capitals": said(removes(ID, OTHER.upper())), "removes null": said('"removes":[null]'),
    "removes a list": said('"removes":[["' + ID + '"]]'), "removes a text": said(removes(ID, "")),
    "bytes is null": said('"bytes":null'), "bytes is a number": said('"bytes":0'), "bytes is an array": said('"bytes":[0]'),
    "bytes with padding": said('"bytes":"AA=="'), "bytes of a length that there is not": said('"bytes":"AAAAA"'),
    "bytes with other bits": said('"bytes":"AB"'), "bytes in another alphabet": said('"bytes":"+/8"'),
    "bytes with a space": said('"bytes":"AA AA"'), "bytes with a line": said('"bytes":"AAAA\\n"'), "bytes that are no ASCII":
    said('"bytes":"\u00c4A"'),
    "one of two is wrong": said(REPLACES, '"bytes":"A"'), "the other is wrong": said('"replaces":""', '"bytes":"AA"'),
    "the envelope's member beside it": alert('{"v":1,' + REPLACES + '}', ',"ENCRYPTED_DATA":""'),
    "in a background push": '{"aps":{},"sealed-push":{"v":1,"replaces":""}}',
}
