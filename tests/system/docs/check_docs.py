#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the documents to what they say.

check_docs.py SOURCE links            every link between files and to headings leads somewhere; every block that quotes a
                                      file (<!-- from: PATH --> on the line before) is that file
check_docs.py SOURCE run FILE BIN     runs the ```sh blocks of FILE in a temporary folder, one after the other, with BIN
                                      first on PATH; one that has <!-- not run: why --> on the line before is left out
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FENCE = re.compile(r"^(?:<!-- (?P<note>[^\n]*?) -->\n)?```(?P<kind>\w*)\n(?P<body>.*?)^```$", re.M | re.S)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def documents(source):
    return [source / "README.md", source / "CHANGELOG.md", *sorted((source / "docs").rglob("*.md"))]


def blocks(text):
    for found in FENCE.finditer(text):
        note, colon, rest = (found["note"] or "").partition(":")
        yield (note if colon else ""), rest.strip(), found["kind"], found["body"]


def anchors(text):
    text = FENCE.sub("", text)
    names = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        kept = re.sub(r"[^\w\- ]", "", heading.lower())
        names.add(kept.replace(" ", "-"))
    return names


def check_links(source):
    faults = []
    for file in documents(source):
        text = file.read_text(encoding="utf-8")
        for target in LINK.findall(FENCE.sub("", text)):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            place = (file.parent / path).resolve() if path else file
            if not place.exists():
                faults.append(f"{file.relative_to(source)}: {target} is not there")
            elif anchor and place.suffix == ".md" and anchor not in anchors(place.read_text(encoding="utf-8")):
                faults.append(f"{file.relative_to(source)}: {target}: no such heading")
        for note, rest, _, body in blocks(text):
            if note == "from" and (source / rest).read_text(encoding="utf-8") != body:
                faults.append(f"{file.relative_to(source)}: the block from {rest} is not what that file holds")
    return faults


def run_blocks(source, name, programs):
    text = (source / name).read_text(encoding="utf-8")
    environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", LUMARCH_SOURCE=str(source))
    ran = left_out = 0
    with tempfile.TemporaryDirectory() as folder:
        environment["XDG_CACHE_HOME"] = folder + "/.cache"
        for note, rest, kind, body in blocks(text):
            if kind != "sh":
                continue
            if note == "not run":
                left_out += 1
                continue
            result = subprocess.run(["bash", "-euo", "pipefail", "-c", body], cwd=folder, env=environment, text=True,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if result.returncode != 0:
                return [f"{name}: ended with {result.returncode}:\n{body}\nwhich said:\n{result.stdout}"]
            ran += 1
    print(f"{name}: {ran} blocks ran, {left_out} left out")
    return []


def main():
    source = Path(sys.argv[1]).resolve()
    faults = check_links(source) if sys.argv[2] == "links" else run_blocks(source, sys.argv[3], sys.argv[4])
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
