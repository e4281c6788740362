#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills runs at random moments, looks at what is in their files, goes on, and compares every bit with a run that was left
alone.

resume.py LUMARCH [--kills N] [--seed S]: N kills (default 20), each followed by more kills of the resume by chance.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

try:
    import h5py
    import numpy as np
except ImportError:
    print("h5py and numpy are not there")
    sys.exit(77)

GNLSE = {
    "lumarch": 1, "model": "gnlse", "wavelength": "835 nm", "time": {"window": "8 ps", "points": 2048},
    "medium": {"type": "fibre", "length": "2 cm", "gamma": "0.11 1/(W m)", "loss": "1 dB/m",
               "dispersion": {"betas": ["-11.83 ps^2/km", "0.081 ps^3/km"]}},
    "responses": ["kerr", "raman", "self-steepening"], "noise": {"model": "one-photon-per-mode", "seed": 4},
    "launch": [{"shape": "sech", "fwhm": "50 fs", "peak_power": "10 kW"}],
    "march": {"tolerance": 1e-8}, "planes": 101, "output": {"checkpoint": {"every": "1 ms"}},
}
RADIAL = {
    "lumarch": 1, "model": "uppe", "field": "real", "wavelength": "800 nm",
    "time": {"window": "100 fs", "band": ["300 nm", "2000 nm"]},
    "geometry": {"route": "radial", "radius": "300 um", "points": 32},
    "medium": {"type": "gas", "length": "4 mm", "gas": "argon", "pressure": "1 bar"},
    "responses": ["kerr", "plasma"], "boundary": {"time": True, "space": True, "length": "0.4 mm"},
    "launch": [{"shape": "gauss", "fwhm": "10 fs", "energy": "60 uJ", "beam": {"waist": "80 um"}}],
    "planes": 41, "march": {"tolerance": 1e-8}, "output": {"fields": "last", "checkpoint": {"every": "1 ms"}},
}
MODAL = {
    "lumarch": 1, "model": "uppe", "wavelength": "800 nm", "time": {"window": "200 fs", "band": ["300 nm", "2000 nm"]},
    "geometry": {"route": "modal", "modes": ["HE11", "HE12"]},
    "medium": {"type": "capillary", "length": "2 cm", "radius": "50 um", "gas": "argon",
               "pressure": {"from": "0.5 bar", "to": "2 bar"}},
    "responses": ["kerr"], "launch": [{"shape": "gauss", "fwhm": "10 fs", "energy": "5 uJ"}],
    "planes": 21, "march": {"tolerance": 1e-10}, "output": {"compression": 4, "checkpoint": {"every": "1 ms"}},
}


def changed(problem, **changes):
    return {**json.loads(json.dumps(problem)), **changes}


# Of each the seconds that it takes differ: the moments of kills are shares of them.
PROBLEMS = {
    "fibre, all fields, noise": GNLSE,
    "fibre, adams": changed(GNLSE, march={"integrator": "adams", "tolerance": 1e-8}),
    "radial, last field, absorbers": RADIAL,
    "modes, gradient, compressed": MODAL,
}


class Failure(Exception):
    pass


def lumarch(program, folder, *words, status=0):
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode not in (status if isinstance(status, tuple) else (status,)):
        raise Failure(f"{words}: exit state {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done


def killed(program, folder, seconds, *words):
    process = subprocess.Popen([program, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
    return process.returncode


def arrays(file):
    """All that is marched, by name; /provenance and /checkpoint differ from run to run."""
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset) and name.split("/")[0] in ("planes", "statistics", "march", "edge", "grid"):
            found[name] = item[()]

    file.visititems(take)
    for group in ("planes", "march", "edge"):
        for name, value in file[group].attrs.items() if group in file else []:
            if name not in ("units", "long_name"):
                found[f"{group}@{name}"] = np.asarray(value)
    if "planes/field" in file and "plane" in file["planes/field"].attrs:
        found["planes/field@plane"] = np.asarray(file["planes/field"].attrs["plane"])
    return found


def check_same(whole, path):
    with h5py.File(path, "r") as file:
        if file.attrs["status"] != b"done":
            raise Failure(f"it ended as {file.attrs['status']}")
        mine = arrays(file)
    if whole.keys() != mine.keys():
        raise Failure(f"other arrays: {whole.keys() ^ mine.keys()}")
    for name, values in whole.items():
        if values.shape != mine[name].shape or values.tobytes() != mine[name].tobytes():
            raise Failure(f"{name} has other bits: {values.shape} {mine[name].shape}")


def check_reached(whole, path):
    """The planes that a file counts are those of the whole run; returns how many, -1 where nothing was laid out yet."""
    with h5py.File(path, "r") as file:
        if "planes" not in file:
            return -1
        reached = int(file["planes"].attrs["planes_written"])
        names = ["planes/" + name for name in file["planes"] if name != "z"]
        if "planes/field" in names and "plane" in file["planes/field"].attrs:
            names.remove("planes/field")
        for name in names + ["statistics/" + name for name in file["statistics"]]:
            if file[name][:reached].tobytes() != whole[name][:reached].tobytes():
                raise Failure(f"{name} of {reached} planes is not what was marched")
        return reached


class Problem:
    def __init__(self, program, folder, name, problem):
        self.program, self.name = program, name
        self.folder = folder / name.replace(" ", "_").replace(",", "")
        self.folder.mkdir()
        (self.folder / "p.json").write_text(json.dumps(problem))
        lumarch(program, self.folder, "run", "p.json", "-o", "whole.h5")
        start = time.monotonic()
        lumarch(program, self.folder, "run", "p.json", "-o", "whole.h5", "--force")
        self.seconds = time.monotonic() - start
        with h5py.File(self.folder / "whole.h5", "r") as file:
            self.whole = arrays(file)

    def kill(self, chance):
        """Runs, kills, goes on, and compares; returns how many kills there were, and how many found a checkpoint."""
        path = self.folder / "out.h5"
        path.unlink(missing_ok=True)
        kills = checkpoints = 0
        words = ["run", "p.json", "-o", "out.h5"]
        most = -1
        while True:
            share = chance.uniform(0, 1.1)
            ended = killed(self.program, self.folder, share * self.seconds, *words)
            if ended not in (0, -signal.SIGKILL):
                raise Failure(f"{words}: exit state {ended}")
            kills += ended != 0
            if not path.exists():
                continue
            lumarch(self.program, self.folder, "info", "out.h5")
            reached = check_reached(self.whole, path)
            if reached < most:
                raise Failure(f"{most} planes were on disk, and {reached} are left")
            most = reached
            if reached < 0:  # killed before it was laid out: there is nothing to go on from
                lumarch(self.program, self.folder, "resume", "out.h5", status=2)
                words = ["run", "p.json", "-o", "out.h5", "--force"]
                continue
            with h5py.File(path, "r") as file:
                checkpoints += int(file["checkpoint"].attrs["slot"]) >= 0 and ended != 0
            words = ["resume", "out.h5"]
            if chance.random() < 0.6:
                break
        lumarch(self.program, self.folder, "resume", "out.h5")
        check_same(self.whole, path)
        return kills, checkpoints


def stops(program, problem):
    """Signals, and a second run on the same file."""
    path = problem.folder / "out.h5"
    path.unlink(missing_ok=True)
    process = subprocess.Popen([program, "run", "p.json", "-o", "out.h5", "--log", "json"], cwd=problem.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if json.loads(line)["event"] == "progress":  # it marches
            break
    refused = lumarch(program, problem.folder, "resume", "out.h5", status=(0, 6))
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    if refused.returncode == 6 and "a run is writing this file" not in refused.stderr:
        raise Failure(refused.stderr)
    if process.returncode == 128 + signal.SIGINT:
        if "lumarch resume out.h5" not in out:
            raise Failure("a stop does not say how to go on:\n" + out)
        if "resume         from z = " not in lumarch(program, problem.folder, "info", "out.h5").stdout:
            raise Failure("info does not say from where to go on")
    elif process.returncode != 0:
        raise Failure(f"exit state {process.returncode} after SIGINT")
    lumarch(program, problem.folder, "resume", "out.h5")
    check_same(problem.whole, path)
    if "nothing left" not in lumarch(program, problem.folder, "resume", "out.h5").stdout:
        raise Failure("a run that is done is not seen to be")
    limit = ["--time-limit", str(problem.seconds / 3)]
    lumarch(program, problem.folder, "run", "p.json", "-o", "out.h5", "--force", *limit, status=(0, 7))
    for _ in range(3):  # a time limit in each of the parts
        lumarch(program, problem.folder, "resume", "out.h5", *limit, status=(0, 7))
    lumarch(program, problem.folder, "resume", "out.h5", "--threads", "1")
    check_same(problem.whole, path)


def differences(program, problem):
    """Each thing that is not as it was is named, and nothing is written."""
    path = problem.folder / "out.h5"
    slot, limit = -1, 0.01
    while slot < 0:  # a limit that falls into the march: in the set-up there is nothing to keep
        lumarch(program, problem.folder, "run", "p.json", "-o", "out.h5", "--force", "--time-limit", str(limit),
                status=(0, 7))
        with h5py.File(path, "r") as file:
            if file.attrs["status"] in (b"done", "done"):
                limit /= 3
                continue
            slot = file["checkpoint"].attrs["slot"]
        limit *= 1.3
    before = path.read_bytes()
    state = f"checkpoint/state_{slot}"

    def altered(name, change, *said):
        name = state if name == "state" else f"provenance/{name}"
        with h5py.File(path, "r+") as file:
            text = file[name][()].decode()
            if change(text) == text:
                raise Failure(f"nothing to change in {text}")
            del file[name]
            file[name] = np.bytes_(change(text).encode())
        kept = path.read_bytes()
        error = lumarch(program, problem.folder, "resume", "out.h5", status=2).stderr
        for words in said:
            if words not in error:
                raise Failure(f"{words} is not in: {error}")
        if path.read_bytes() != kept:
            raise Failure("a refused resume changed the file")
        path.write_bytes(before)

    altered("request", lambda t: json.dumps({**json.loads(t), "sources": "0123456789abcdef"}),
            "digest of lumarch's sources: was 0123456789abcdef, is ")
    altered("request", lambda t: json.dumps({**json.loads(t), "lumarch": "0.0.7"}), "lumarch: was 0.0.7, is ")
    altered("backend", lambda t: json.dumps({**json.loads(t), "build": "x", "device": "2 threads, other"}),
            "backend's build: was x, is ", "backend's device: was other, is ")
    altered("problem", lambda t: t.replace("835", "836").replace("800", "801"), "digest of the problem: was ")
    altered("state", lambda t: t.replace("rhs.fibre", "rhs.other"), "kernels: the run had rhs.other", "there is rhs.fibre")
    altered("state", lambda t: json.dumps({**json.loads(t), "fingerprint": json.loads(t)["fingerprint"] ^ 1}), "plans of FFTW")
    lumarch(program, problem.folder, "resume", "out.h5")
    check_same(problem.whole, path)


def set_up(program, folder):
    """A run that is stopped before its plans are made goes on from the launch."""
    problem = changed(GNLSE, time={"window": "8 ps", "points": 2222}, planes=3)
    problem["medium"]["length"] = "1 mm"
    (folder / "p.json").write_text(json.dumps(problem))
    os.environ["XDG_CACHE_HOME"] = str(folder)
    try:
        said = lumarch(program, folder, "run", "p.json", "-o", "out.h5", "--time-limit", "1e-3", status=7).stdout
        if "0 m of 1 mm in 0 steps" not in said or "lumarch resume out.h5" not in said:
            raise Failure("not a stop in the set-up:\n" + said)
        if "resume         from the launch: " not in lumarch(program, folder, "info", "out.h5").stdout:
            raise Failure("info does not say that it goes on from the launch")
        lumarch(program, folder, "resume", "out.h5")
        lumarch(program, folder, "run", "p.json", "-o", "whole.h5")
        with h5py.File(folder / "whole.h5", "r") as file:
            check_same(arrays(file), folder / "out.h5")
    finally:
        del os.environ["XDG_CACHE_HOME"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lumarch")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    program = str(pathlib.Path(wanted.lumarch).resolve())
    chance = random.Random(wanted.seed)
    with tempfile.TemporaryDirectory() as folder:
        problems = [Problem(program, pathlib.Path(folder), name, problem) for name, problem in PROBLEMS.items()]
        for problem in problems:
            stops(program, problem)
        differences(program, problems[0])
        set_up(program, pathlib.Path(folder))
        kills = checkpoints = rounds = 0
        while kills < wanted.kills:
            problem = problems[rounds % len(problems)]
            try:
                more = problem.kill(chance)
            except Failure as failure:
                raise Failure(f"seed {wanted.seed}, round {rounds}, {problem.name}: {failure}") from None
            kills, checkpoints, rounds = kills + more[0], checkpoints + more[1], rounds + 1
        times = ", ".join(f"{problem.name} {problem.seconds:.2f} s" for problem in problems)
        print(f"{kills} kills in {rounds} runs, {checkpoints} of them with a checkpoint; all bits as without ({times})")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(failure)
        sys.exit(1)
