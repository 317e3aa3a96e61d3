"""A release's SBOM, as SPDX 2.3 in JSON."""

import datetime
import hashlib
import json
import re
import urllib.parse

from archives import Problem
from image import output

# Prefixes of foreign libraries.
SWIFT = ("libswift", "lib_Foundation", "libFoundation", "libdispatch", "libBlocksRuntime")
APACHE = "Apache-2.0 WITH Swift-exception"


def identifier(*words):
    return "SPDXRef-" + "-".join(re.sub(r"[^A-Za-z0-9.-]", "-", word) for word in words)


def debian(name, version):
    return f"pkg:deb/debian/{name}@{urllib.parse.quote(version, safe='')}"


def package(name, version, licence, origin="NOASSERTION", reference=None, kind="LIBRARY"):
    entry = {
        "SPDXID": identifier("Package", name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": origin,
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": kind,
    }
    if reference:
        entry["externalRefs"] = [
            {
                "referenceCategory": "PACKAGE-MANAGER",
                "referenceType": "purl",
                "referenceLocator": reference,
            }
        ]
    return entry


def linked(root, libraries, products):
    """Linked or bundled packages, each with its relationship to Tessera."""
    resolved = root / "Package.resolved"
    if not resolved.is_file():
        raise Problem(
            66,
            f"there is no {resolved}, which names the Swift packages; build with Tools/build first",
        )
    for pin in json.loads(resolved.read_text())["pins"]:
        url, state = pin["location"], pin["state"]
        origin = f"git+{url.removesuffix('.git')}.git@{state['revision']}"
        locator = (
            f"pkg:swift/{url.removeprefix('https://').removesuffix('.git')}@{state['version']}"
        )
        yield package(pin["identity"], state["version"], APACHE, origin, locator), "STATIC_LINK"
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    yield (
        package("swift-runtime", version, APACHE, "https://swift.org/install", None),
        "DYNAMIC_LINK",
    )
    rust = {
        f"libTessera{path.parent.name}.so" for path in root.glob("Plugins/*/*.rs")
    }.intersection(libraries)
    if rust:
        # The compiler's note in its output.
        version = re.search(rb"rustc version (\S+)", (products / min(rust)).read_bytes())[
            1
        ].decode()
        yield (
            package("rust-std", version, "MIT OR Apache-2.0", "https://rustup.rs", None),
            "STATIC_LINK",
        )
    for name in libraries:
        if name.startswith("libffi.so"):
            owner = output("dpkg-query", "-S", f"*/{name}").split(":")[0]
            version = output("dpkg-query", "-W", "-f", "${Version}", owner)
            yield (
                package("libffi", version, "MIT", reference=debian(owner, version)),
                "DYNAMIC_LINK",
            )
        elif not name.startswith(("libTessera", "libtessera", *SWIFT)):
            raise Problem(
                70,
                f"the products hold {name}, which the list of parts does not know; add it to"
                " Extras/Packaging/Releasing/sbom.py",
            )


def write(target, root, products, version, commit, date, libraries, system, artifacts):
    """Writes the SBOM of `products`. `system` are the image's Debian packages, `artifacts` the
    release's files.
    """
    own = package("tessera", version, "MIT", kind="APPLICATION")
    own["sourceInfo"] = f"commit {commit}"
    packages, links = [own], []
    for entry, relation in linked(root, libraries, products):
        packages.append(entry)
        links.append((own["SPDXID"], relation, entry["SPDXID"]))
    image = next(identifier("File", path.name) for path in artifacts if "-image-" in path.name)
    for name, machine, found, source, _ in system:
        entry = package(
            name, found, "NOASSERTION", reference=f"{debian(name, found)}?arch={machine}"
        )
        entry["sourceInfo"] = (
            f"from the Debian source package {source}; its licence is in"
            f" /usr/share/doc/{name}/copyright of the image"
        )
        entry["SPDXID"] = identifier("Debian", name)
        packages.append(entry)
        links.append((image, "CONTAINS", entry["SPDXID"]))
    files = []
    for path in artifacts:
        content = path.read_bytes()
        sums = [("SHA1", hashlib.sha1(content)), ("SHA256", hashlib.sha256(content))]
        files.append(
            {
                "SPDXID": identifier("File", path.name),
                "fileName": f"./{path.name}",
                "copyrightText": "NOASSERTION",
                "licenseConcluded": "NOASSERTION",
                "licenseInfoInFiles": ["NOASSERTION"],
                "checksums": [
                    {"algorithm": kind, "checksumValue": value.hexdigest()} for kind, value in sums
                ],
            }
        )
        links.append((identifier("File", path.name), "GENERATED_FROM", own["SPDXID"]))
    created = datetime.datetime.fromtimestamp(date, datetime.timezone.utc).strftime(
        "%Y-%m-%dT%H:%M:%SZ"
    )
    links.insert(0, ("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"]))
    target.write_text(
        json.dumps(
            {
                "spdxVersion": "SPDX-2.3",
                "dataLicense": "CC0-1.0",
                "SPDXID": "SPDXRef-DOCUMENT",
                "name": f"tessera-{version}",
                "documentNamespace": f"https://spdx.org/spdxdocs/tessera-{version}-{commit}",
                "creationInfo": {
                    "created": created,
                    "creators": [
                        "Tool: Extras/Packaging/release",
                        "Organization: The Tessera authors",
                    ],
                },
                "packages": packages,
                "files": files,
                "relationships": [
                    {
                        "spdxElementId": one,
                        "relationshipType": relation,
                        "relatedSpdxElement": other,
                    }
                    for one, relation, other in links
                ],
            },
            indent=1,
            sort_keys=True,
        )
        + "\n"
    )


# What SPDX 2.3 demands of a document, a package and a file.
DOCUMENT = (
    "spdxVersion",
    "dataLicense",
    "SPDXID",
    "name",
    "documentNamespace",
    "creationInfo",
    "packages",
    "files",
    "relationships",
)
PACKAGE = ("SPDXID", "name", "downloadLocation")
FILE = ("SPDXID", "fileName", "checksums")


def problems(path, sums):
    """Problems of an SBOM. `sums` are SHA-256 sums by file name."""
    try:
        document = json.loads(path.read_text())
    except ValueError as error:
        yield f"{path.name} is not JSON: {error}"
        return
    lacking = [key for key in DOCUMENT if key not in document]
    lacking += [
        f"{key} of {entry.get('name', 'a package')}"
        for entry in document.get("packages", [])
        for key in PACKAGE
        if key not in entry
    ]
    lacking += [
        f"{key} of {entry.get('fileName', 'a file')}"
        for entry in document.get("files", [])
        for key in FILE
        if key not in entry
    ]
    yield from (f"{path.name} lacks {key}, which SPDX 2.3 demands" for key in lacking)
    if lacking:
        return
    if (document["spdxVersion"], document["SPDXID"]) != ("SPDX-2.3", "SPDXRef-DOCUMENT"):
        yield (
            f"{path.name} is {document['spdxVersion']} with the identifier {document['SPDXID']};"
            " expected SPDX-2.3 and SPDXRef-DOCUMENT"
        )
    known = [
        "SPDXRef-DOCUMENT",
        *(entry["SPDXID"] for entry in document["packages"] + document["files"]),
    ]
    yield from (
        f"{path.name} has the identifier {one} twice"
        for one in sorted({one for one in known if known.count(one) > 1})
    )
    yield from (
        f"{path.name} has the identifier {one}, which is no SPDXRef"
        for one in known
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", one)
    )
    for link in document["relationships"]:
        for end in (link["spdxElementId"], link["relatedSpdxElement"]):
            if end not in known:
                yield f"{path.name} relates {end}, which it does not list"
    if not any(link["relationshipType"] == "DESCRIBES" for link in document["relationships"]):
        yield f"{path.name} describes nothing; expected a relationship DESCRIBES"
    listed = {}
    for entry in document["files"]:
        found = {one["algorithm"]: one["checksumValue"] for one in entry["checksums"]}
        listed[entry["fileName"].removeprefix("./")] = found.get("SHA256")
        if "SHA1" not in found:
            yield f"{path.name} lacks the SHA1 sum of {entry['fileName']}, which SPDX 2.3 demands"
    for name, value in sorted(sums.items()):
        if name != path.name and listed.get(name) != value:
            yield (
                f"{path.name} states {listed.get(name) or 'no sum'} for {name}, and SHA256SUMS"
                f" states {value}"
            )
