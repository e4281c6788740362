#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the ABI as compiled with what was committed, and the dump with the headers.

abi_check.py DUMP_PROGRAM DUMP_FOLDER HEADER...

The newest dump is the ABI, line for line. Of an older minor every member and constant is still there, unchanged; only
the sizes of structs (members are appended), the minor itself and the layout's fingerprint may differ.
"""
import pathlib
import re
import subprocess
import sys


def names_in(header):
    """Structs with members, and constants, that a header defines."""
    text = re.sub(r"/\*.*?\*/", "", pathlib.Path(header).read_text(), flags=re.S)
    names = set(re.findall(r"^#define (LM_\w+) ", text, flags=re.M))
    for body in re.findall(r"enum \{(.*?)\};", text, flags=re.S):
        names |= set(re.findall(r"(LM_\w+)\s*=", body))
    for struct, body in re.findall(r"typedef struct (\w+) \{(.*?)\}\s*\w+;", text, flags=re.S):
        names.add(struct)
        body = re.sub(r"union \{(.*?)\}", r"\1", body, flags=re.S)
        for declaration in filter(None, map(str.strip, body.split(";"))):
            pointer = re.search(r"\(\*(\w+)\)", declaration)
            parts = [pointer[1]] if pointer else [
                re.search(r"(\w+)(\[\w+\])?$", part.strip())[1] for part in declaration.split(",")
            ]
            names |= {f"{struct}.{part}" for part in parts}
    return names - {"LM_NOEXCEPT", "LM_EXPORT"}


def minor_of(path):
    return int(path.stem.rsplit(".", 1)[1])


def may_differ(line):
    return line.startswith("struct ") or line.split()[1] in ("LM_ABI_MINOR", "LM_LAYOUT")


def main(program, folder, headers):
    now = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    *older, newest = sorted(pathlib.Path(folder).glob("abi-*.*.txt"), key=minor_of)
    then = newest.read_text().splitlines()
    faults = [f"changed or gone since {newest.name}: {line}" for line in then if line not in now]
    faults += [f"not in {newest.name}: {line}" for line in now if line not in then]
    for dump in older:
        lines = filter(lambda line: not may_differ(line), dump.read_text().splitlines())
        faults += [f"changed or gone since {dump.name}: {line}" for line in lines if line not in now]
    dumped = {line.split()[1] for line in now}
    for header in headers:
        faults += [f"{header}: {name} is not in abi_dump.c" for name in sorted(names_in(header) - dumped)]
    for fault in faults:
        print(fault)
    if faults:
        print("A new minor appends, and its dump lies beside the old one. Anything else is a new major.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
