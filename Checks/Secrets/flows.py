"""Every command that handles a secret."""
from key_flows import continuity, exports_and_imports, key_files, passphrases, row_keys
from message_flows import formats, messages, others


def all_flows(stage):
    for part in (key_files(), exports_and_imports(stage), passphrases(), continuity(), row_keys(), messages(), formats(),
                 others()):
        yield from part
