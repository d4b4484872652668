"""Checks that a release's SBOM names its files with their digests, and the libraries in each.

Usage: sbom.py FOLDER
"""
import hashlib, json, pathlib, re, sys

LIBRARIES = {"swift-runtime", "libsodium", "openssl", "glibc", "libstdc++"}
SERVER_LIBRARIES = {"nghttp2", "sqlite", "libpq"}


def main():
    folder = pathlib.Path(sys.argv[1])
    (path,) = folder.glob("*.spdx.json")
    document = json.loads(path.read_text())
    packages = {one["SPDXID"]: one for one in document["packages"]}
    artifacts = {key: one for key, one in packages.items() if "packageFileName" in one}
    listed = {line.split()[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    missing = listed - {one["packageFileName"] for one in artifacts.values()} - {path.name}
    if missing:
        sys.exit(f"the SBOM lacks {', '.join(sorted(missing))}")
    for key, one in artifacts.items():
        file = folder / one["packageFileName"]
        if hashlib.sha256(file.read_bytes()).hexdigest() != one["checksums"][0]["checksumValue"]:
            sys.exit(f"the SBOM has another digest for {file.name}")
        links = {
            packages[line["relatedSpdxElement"]]["name"]: line["relationshipType"]
            for line in document["relationships"] if line["spdxElementId"] == key
        }
        is_program = one["primaryPackagePurpose"] in ("APPLICATION", "CONTAINER")
        wanted = (LIBRARIES if is_program else set()) | (SERVER_LIBRARIES if one["name"] == "sealpushd" else set())
        if set(links) != wanted or not file.name.startswith(one["name"]):
            sys.exit(f"the SBOM names other libraries in {file.name}: {', '.join(sorted(links))}")
        if not is_program:
            continue
        link = "DYNAMIC_LINK" if file.suffix == ".deb" else "STATIC_LINK"
        if links["openssl"] != link or links["swift-runtime"] != "STATIC_LINK":
            sys.exit(f"the SBOM says of {file.name}: {links}")
    print(f"{len(artifacts)} files, with the libraries of each")


if __name__ == "__main__":
    main()
