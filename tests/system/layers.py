#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A lower layer never includes a higher one.

layers.py ROOT: looks at every #include of sdk/, plugins/, core/ and tools/, prints those that may not be.
"""
import pathlib
import re
import sys

SOURCES = {".h", ".hpp", ".c", ".cpp", ".cu", ".cuh", ".hip", ".inl", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
STAGES = ["problem", "media", "translate", "backend", "march", "reads", "output", "run", "scan"]
ABI = {"sdk/include/lumarch/abi.h", "sdk/include/lumarch/abi_params.h"}
MACHINE = "sdk/include/lumarch/machine_memory.hpp"  # what both sides of the ABI ask of the machine
C_HEADERS = {"assert", "errno", "fenv", "float", "inttypes", "limits", "math", "stdalign", "stdarg", "stdbool", "stddef",
             "stdint", "stdio", "stdlib", "string", "complex", "locale", "signal", "time"}
BOOST_DLL_FILE = "core/backend/plugin_library.cpp"


def layer_of(path):
    """("sdk",), ("plugin", name), ("core", stage or "include"), ("tools", name); path is relative to the root."""
    parts = path.split("/")
    if parts[:2] == ["sdk", "include"]:
        return ("sdk",)
    if parts[0] == "sdk":  # the reference and other backends that come with the SDK
        return ("plugin", "sdk/" + parts[1])
    if parts[0] == "plugins":
        return ("plugin", parts[1])
    return (parts[0], parts[1]) if len(parts) > 2 else (parts[0], "")


def resolve(root, source, quote, name):
    """The file of the tree that is included, relative to the root, or None for anything else."""
    places = [root / folder for folder in ("sdk/include", "core/include", "core", "tools", "plugins", "sdk")]
    if quote == '"':
        places.insert(0, (root / source).parent)
    for place in places:
        for file in (place / name, place / (name + ".in")):
            if file.is_file() and file.resolve().is_relative_to(root):
                return file.resolve().relative_to(root).as_posix()
    return None


def is_standard(name):
    return re.fullmatch(r"[a-z_0-9]+", name) or (name.endswith(".h") and name[:-2] in C_HEADERS)


def fault_of(source, target, name):
    """Why `source` may not include this, or None. `target` is None for what is not in the tree."""
    here = layer_of(source)
    if target is None:
        if name.startswith("boost/dll") and source != BOOST_DLL_FILE:
            return f"Boost.DLL is for {BOOST_DLL_FILE} alone"
        if name.startswith("lumarch/"):
            return "there is no such header"
        if here == ("sdk",) and not is_standard(name):
            return "the SDK's headers know the standard library only"
        return None
    there = layer_of(target)
    if here == there:
        return None
    if here == ("sdk",):
        return "the SDK's headers know nothing but themselves"
    if here[0] == "plugin":
        if there == ("plugin", "gpu") and here in (("plugin", "cuda"), ("plugin", "hip")):  # what the two share
            return None
        return None if there == ("sdk",) else "a plugin knows the SDK only"
    if here[0] == "core":
        if there == ("core", "include") or target in ABI | {MACHINE}:
            return None
        if there[0] == "core" and here[1] in STAGES and there[1] in STAGES:
            earlier = STAGES.index(there[1]) < STAGES.index(here[1])
            return None if earlier else f"the stage {there[1]} comes after {here[1]}"
        return "core knows its earlier stages, its public headers and abi.h"
    if here[0] == "tools":
        if there == ("core", "include"):
            return None
        if here[1] == "lumarch" and there == ("tools", "bench"):  # lumarch bench
            return None
        if here[1] == "bench" and there[0] == "core":  # it measures core's parts
            return None
        if here[1] in ("conform", "bench") and (there in (("core", "backend"), ("sdk",))):
            return None
        return "a tool knows core's public headers only"
    return None


def faults_in(root):
    for top in ("sdk", "plugins", "core", "tools"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in SOURCES or not file.is_file():
                continue
            source = file.relative_to(root).as_posix()
            for match in INCLUDE.finditer(file.read_text(errors="replace")):
                target = resolve(root, source, match[1], match[2])
                if fault := fault_of(source, target, match[2]):
                    yield f"{source}: includes {match[2]}: {fault}"


def main(root):
    faults = list(faults_in(pathlib.Path(root).resolve()))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
