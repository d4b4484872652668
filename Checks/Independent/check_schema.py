"""python3 check_schema.py [DIR]: the files of Vectors/ are valid by their schema.json."""
import json, pathlib, sys

import jsonschema

folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2] / "Vectors"
validator = jsonschema.Draft202012Validator(json.loads((folder / "schema.json").read_bytes()))
passed = failed = 0
for file in sorted(folder.glob("*.json")):
    if file.name == "schema.json":
        continue
    errors = list(validator.iter_errors(json.loads(file.read_bytes())))
    for error in errors[:5]:
        print(f"{file.name}: {error.message[:300]}")
    passed, failed = passed + (not errors), failed + bool(errors)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or passed < 10)
