"""Prints what a release contains, as an SBOM: SPDX 2.3 in JSON.

Usage: sbom.py VERSION EPOCH FILE=KIND ..., where KIND is `dynamic` for what uses the system's libraries, `static` for what
contains them, and `files` for what is no program. The versions are those that are installed here, which the tools were just linked with.
"""
import datetime, hashlib, json, os, pathlib, re, subprocess, sys

# The libraries: their name, their source, their license, and the Debian package whose version it is. None: the Swift
# toolchain's.
SWIFT = "Apache-2.0 WITH Swift-exception"
LIBRARIES = [
    ("swift-runtime", "Swift.org", SWIFT, None),
    ("libsodium", "libsodium", "ISC", "libsodium-dev"),
    ("openssl", "OpenSSL", "Apache-2.0", "libssl-dev"),
    ("glibc", "GNU", "LGPL-2.1-or-later", "libc6-dev"),
    ("libstdc++", "GNU", "GPL-3.0-or-later WITH GCC-exception-3.1", None),
]
# What sealpushd has besides.
SERVER_LIBRARIES = [
    ("nghttp2", "nghttp2", "MIT", "libnghttp2-dev"),
    ("sqlite", "SQLite", "blessing", "libsqlite3-dev"),
    ("libpq", "PostgreSQL Global Development Group", "PostgreSQL", "libpq-dev"),
]


PURPOSES = {"sealpush-doc": "FILE", "sealedpush-source": "SOURCE", "sealedpush": "SOURCE"}


def output(*command):
    return subprocess.check_output(command, text=True)


def swift_version():
    return re.search(r"Swift version (\S+)", output("swiftc", "--version"))[1]


def debian_version(package):
    return output("dpkg-query", "-W", "-f", "${Version}", package)


def libstdcxx():
    """The Debian package of the libstdc++.a that clang finds: the newest."""
    names = output("dpkg-query", "-W", "-f", "${Package}\n", "libstdc++-*-dev").split()
    return max(names, key=lambda name: int(re.search(r"\d+", name)[0]))


def library(name, supplier, license, package):
    package = libstdcxx() if name == "libstdc++" else package
    version = debian_version(package) if package else swift_version()
    system = pathlib.Path("/etc/os-release").read_text()
    release = re.search(r'^VERSION_ID="?([^"\n]*)', system, re.M)
    purl = (
        f"pkg:deb/debian/{package}@{version.replace('+', '%2B')}?distro=debian-{release[1] if release else 'sid'}"
        if package else f"pkg:swift/github.com/swiftlang/swift@{version}"
    ).replace("c++", "c%2B%2B")
    return {
        "SPDXID": f"SPDXRef-{name.replace('+', 'p')}",
        "name": name,
        "versionInfo": version,
        "supplier": f"Organization: {supplier}",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": license,
        "licenseDeclared": license,
        "copyrightText": "NOASSERTION",
        "externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
        ],
    }


def tool(name):
    """What a file has: `sealpushd_0.2.0-1_amd64.deb` has sealpushd."""
    return re.match(r"[a-z]+(-doc|-source)?", name)[0]


def artifact(path, version):
    digest = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    name = os.path.basename(path)
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name),
        "name": tool(name),
        "packageFileName": name,
        "versionInfo": version,
        "supplier": "Organization: SealedPush",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "primaryPackagePurpose": PURPOSES.get(tool(name), "CONTAINER" if ".oci." in name else "APPLICATION"),
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION",
    }


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__.strip())
    version, epoch = sys.argv[1], int(sys.argv[2])
    libraries, others = [library(*row) for row in LIBRARIES], [library(*row) for row in SERVER_LIBRARIES]
    artifacts = [(artifact(path, version), kind) for path, kind in (word.rsplit("=", 1) for word in sys.argv[3:])]
    relations = []
    for package, kind in artifacts:
        relations.append(("SPDXRef-DOCUMENT", "DESCRIBES", package["SPDXID"]))
        linked = [] if kind == "files" else libraries + (others if package["name"] == "sealpushd" else [])
        for one in linked:
            is_static = kind == "static" or one["name"] == "swift-runtime"
            relations.append((package["SPDXID"], "STATIC_LINK" if is_static else "DYNAMIC_LINK", one["SPDXID"]))
    whole = hashlib.sha256("".join(one["checksums"][0]["checksumValue"] for one, _ in artifacts).encode())
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"sealpush-{version}",
        "documentNamespace": f"https://example.com/sealpush/{version}/{whole.hexdigest()[:32]}",
        "creationInfo": {"created": created, "creators": ["Tool: sealpush-Packaging"]},
        "packages": [one for one, _ in artifacts] + libraries + others,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in relations
        ],
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
