#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the kernels of a GPU plugin take of a multiprocessor, read from the code objects inside its file.

resources.py PLUGIN                 prints them, in the form of limits.txt
resources.py PLUGIN LIMITS BACKEND COMPILER
                                    compares them with the lines of BACKEND in the file LIMITS: more than a limit, or a
                                    kernel without one, is a fault. Status 77 where the limits are for another COMPILER
                                    (its version), which has its own ways

Registers cost occupancy; stack is memory that registers were spilled to, or an array that did not fit them; shared is
memory of a block. No tool of the makers is needed: a cubin and an AMD code object are ELF files.
"""
import re
import struct
import subprocess
import sys

CUDA, AMD = 190, 224


class Elf:
    def __init__(self, data):
        self.data = data
        self.machine, = struct.unpack_from("<H", data, 18)
        self.flags, = struct.unpack_from("<I", data, 48)
        table, = struct.unpack_from("<Q", data, 40)
        size, count, names = struct.unpack_from("<HHH", data, 58)
        heads = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
        text = heads[names][4]
        self.sections = [(self.string(text + h[0]), h) for h in heads]

    def string(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode()

    def body(self, head):
        return self.data[head[4]:head[4] + head[5]]


def code_objects(data):
    """The ELF files of a GPU inside a shared library, which is one itself."""
    for found in re.finditer(b"\x7fELF\x02\x01", data[1:]):
        at = found.start() + 1
        if struct.unpack_from("<H", data, at + 18)[0] in (CUDA, AMD):
            yield Elf(data[at:])


def attributes(info):
    """(attribute, payload) of an .nv.info section."""
    at = 0
    while at + 4 <= len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, at)
        at += 4
        if form == 4:
            yield attribute, info[at:at + size]
            at += size


def cuda_kernels(elf):
    """Mangled name -> (registers, stack, shared), by the numbers of symbols in .nv.info."""
    REGISTERS, FRAME = 0x2F, 0x11
    symbols = next((head for name, head in elf.sections if name == ".symtab"), None)
    if symbols is None:
        raise SystemExit("a cubin without symbols: built with other tools than this script knows")
    strings = elf.sections[symbols[6]][1][4]
    table = elf.body(symbols)

    def name_of(number):
        return elf.string(strings + struct.unpack_from("<I", table, 24 * number)[0])

    registers, stack = {}, {}
    for name, head in elf.sections:
        if name != ".nv.info":
            continue
        for attribute, payload in attributes(elf.body(head)):
            if attribute in (REGISTERS, FRAME):
                symbol, value = struct.unpack_from("<II", payload)
                (registers if attribute == REGISTERS else stack)[name_of(symbol)] = value
    shared = {name[len(".nv.shared."):]: head[5] for name, head in elf.sections if name.startswith(".nv.shared.")}
    return {name: (count, stack.get(name, 0), shared.get(name, 0)) for name, count in registers.items()}


def unpacked(data, at=0):
    """One MessagePack value, of the forms that AMD's metadata has, and where the next one begins."""
    first = data[at]
    at += 1
    if first < 0x80:
        return first, at
    if first >= 0xE0:
        return first - 256, at
    kinds = {0xC0: None, 0xC2: False, 0xC3: True}
    if first in kinds:
        return kinds[first], at
    numbers = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
    if first in numbers:
        return struct.unpack_from(numbers[first], data, at)[0], at + struct.calcsize(numbers[first])
    lengths = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I", 0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}
    if first in lengths:
        length, = struct.unpack_from(lengths[first], data, at)
        at += struct.calcsize(lengths[first])
    elif first < 0xA0:
        length = first & 0x0F
    elif first < 0xC0:
        length = first & 0x1F
    else:
        raise SystemExit(f"metadata with a MessagePack value 0x{first:x} that this script does not know")
    if 0x80 <= first <= 0x8F or first in (0xDE, 0xDF):
        value = {}
        for _ in range(length):
            key, at = unpacked(data, at)
            value[key], at = unpacked(data, at)
        return value, at
    if 0x90 <= first <= 0x9F or first in (0xDC, 0xDD):
        value = []
        for _ in range(length):
            one, at = unpacked(data, at)
            value.append(one)
        return value, at
    return data[at:at + length].decode(), at + length


def amd_kernels(elf):
    METADATA = 32
    for _, head in elf.sections:
        if head[1] != 7:  # SHT_NOTE
            continue
        note = elf.body(head)
        name_size, size, kind = struct.unpack_from("<III", note)
        begin = 12 + (name_size + 3) // 4 * 4
        if kind == METADATA:
            kernels = unpacked(note[begin:begin + size])[0]["amdhsa.kernels"]
            return {k[".name"]: (k[".vgpr_count"], k[".private_segment_fixed_size"], k[".group_segment_fixed_size"])
                    for k in kernels}
    raise SystemExit("an AMD code object without metadata")


def plain(names):
    """Mangled -> over_elements<StepCombine>."""
    result = subprocess.run(["c++filt"], input="\n".join(names), text=True, stdout=subprocess.PIPE, check=True)
    short = {}
    for mangled, name in zip(names, result.stdout.splitlines()):
        found = re.search(r"over_\w+<.*?>(?=\()", name)
        short[mangled] = (found[0] if found else name).replace("lumarch::kernels::", "").replace(" ", "")
    return short


def measured(path):
    """(kernel) -> the most of (registers, stack, shared) over the processors that there is code for."""
    with open(path, "rb") as file:
        data = file.read()
    most, objects = {}, 0
    for elf in code_objects(data):
        objects += 1
        kernels = cuda_kernels(elf) if elf.machine == CUDA else amd_kernels(elf)
        names = plain(list(kernels))
        for mangled, figures in kernels.items():
            key = names[mangled]
            most[key] = tuple(map(max, figures, most.get(key, (0, 0, 0))))
    if not most:
        raise SystemExit(f"{path}: no kernels were found ({objects} code objects; compressed ones cannot be read)")
    return most


def main():
    figures = measured(sys.argv[1])
    if len(sys.argv) == 2:
        for name, one in sorted(figures.items()):
            print(f"{name:40} {one[0]:9} {one[1]:7} {one[2]:7}")
        return 0
    limits, made_with = {}, None
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split()
            if words[:2] == ["compiler", sys.argv[3]]:
                made_with = words[2]
            elif words and words[0] == sys.argv[3]:
                limits[words[1]] = tuple(map(int, words[2:5]))
    if made_with is None or not (sys.argv[4] + ".").startswith(made_with + "."):
        print(f"the limits are for version {made_with} of the compiler, and this is {sys.argv[4]}")
        return 77
    faults = []
    for name, one in sorted(figures.items()):
        if name not in limits:
            faults.append(f"{name}: no limit; it has {one[0]} registers, {one[1]} bytes of stack, {one[2]} shared")
            continue
        for what, value, limit in zip(("registers", "bytes of stack (spills)", "bytes of shared memory"), one,
                                      limits[name]):
            if value > limit:
                faults.append(f"{name}: {value} {what}, and the limit is {limit}")
    faults += [f"{name}: has a limit and is not there" for name in sorted(set(limits) - set(figures))]
    print("\n".join(faults) if faults else f"{len(figures)} kernels within their limits")
    if faults:
        print(f"If that is meant, change {sys.argv[2]}; what there is now: resources.py {sys.argv[1]}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
