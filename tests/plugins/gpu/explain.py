#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a GPU backend says on a machine where it has no device, and where it has one.

explain.py LUMARCH BACKEND    runs `lumarch backends` and `lumarch run --backend BACKEND`
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Why there is none: no driver, one that is too old, none that shows a device.
REASONS = {
    "cuda": r"no NVIDIA driver: libcuda\.so\.1 was not found; install NVIDIA's driver \d+\.\d+ or newer"
            r"|the NVIDIA driver is too old: it serves CUDA \d+\.\d+, and this backend needs \d+\.\d+"
            r"|no NVIDIA GPU: the driver is there and shows none"
            r"|no NVIDIA GPU can be used: cuda\w+ \(",
    "hip": r"no AMD GPU: (hip\w+|the driver is there and shows none)",
}


def run(*command, folder):
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def main():
    lumarch, backend = sys.argv[1:]
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        shown = run(lumarch, "backends", folder=folder)
        if shown.returncode != 0:
            faults.append(f"lumarch backends ended with {shown.returncode}")
        lines = shown.stdout.splitlines()
        # A backend's line, and what is indented below it.
        mine = [i for i, line in enumerate(lines) if re.match(rf"{backend}\b", line)]
        text = ""
        if not mine:
            faults.append(f"lumarch backends does not show {backend}")
        else:
            end = next((i for i in range(mine[0] + 1, len(lines)) if not lines[i].startswith(" ")), len(lines))
            text = " ".join(" ".join(lines[mine[0]:end]).split())
        has_device = "no device" not in text
        if text and not has_device and not re.search(REASONS[backend], text):
            faults.append(f"{backend} has no device and does not say why: {text}")
        run(lumarch, "examples", "self-phase-modulation", folder=folder)
        ran = run(lumarch, "run", "self-phase-modulation.json", "--backend", backend, folder=folder)
        if has_device:
            if ran.returncode != 0:
                faults.append(f"{backend} has a device, and a run on it ended with {ran.returncode}")
        else:
            if ran.returncode != 3:
                faults.append(f"a run without a device ended with {ran.returncode}, not 3")
            if not re.search(REASONS[backend], " ".join(ran.stderr.split())):
                faults.append("a run without a device does not say why")
            if list(Path(folder).glob("*.h5")):
                faults.append("a run without a device left a result")
        if faults:
            faults.append(shown.stdout + shown.stderr + ran.stdout + ran.stderr)
        else:
            print(text)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
