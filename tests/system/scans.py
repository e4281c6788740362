#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scans at the command line: a point's arrays have the bits of a lone run, whoever marched it, killed or not.

scans.py LUMARCH [MPIEXEC]: without MPIEXEC nothing is run over MPI. Exit 77 where there is no h5py.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import h5py
    import numpy
except ImportError:
    print("no h5py or numpy: skipped")
    sys.exit(77)

LUMARCH = MPIEXEC = None
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
POINTS = 9


def bits(array):
    return numpy.ascontiguousarray(array).tobytes()


class Scans(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.here = pathlib.Path(self.folder.name)
        self.problem = {
            "lumarch": 1, "model": "gnlse", "wavelength": "835 nm", "title": "soliton orders",
            "time": {"window": "5 ps", "points": 512},
            "medium": {"type": "fibre", "length": "2 cm", "gamma": "0.11 1/(W m)",
                       "dispersion": {"betas": ["-11.83 ps^2/km"]}},
            "responses": ["kerr"], "planes": 5,
            "launch": [{"shape": "sech", "fwhm": "50 fs", "peak_power": "1 kW"}],
            "scan": {"axes": [{"path": "/launch/0/peak_power", "linspace": ["0.5 kW", "4.5 kW", POINTS]}]},
        }
        self.write()

    def tearDown(self):
        self.folder.cleanup()

    def write(self, **changes):
        self.problem.update(changes)
        (self.here / "s.json").write_text(json.dumps(self.problem))

    def lumarch(self, *words, status=0):
        done = subprocess.run([LUMARCH, *words], cwd=self.here, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def lone(self, point):
        """The file of a point that ran alone."""
        name = f"lone{point}.h5"
        if not (self.here / name).exists():
            alone = dict(self.problem)
            del alone["scan"]
            with h5py.File(self.here / self.whole, "r") as file:
                slot = list(file["scan/points/index"][:]).index(point)
                power = file["scan/points/launch.0.peak_power"][slot]
            alone["launch"] = [dict(alone["launch"][0], peak_power=f"{float(power)!r} kW")]
            (self.here / "lone.json").write_text(json.dumps(alone))
            self.lumarch("run", "lone.json", "-o", name)
        return name

    def check_points(self, whole, points=range(POINTS)):
        """Every array of every point, against a lone run's."""
        self.whole = whole
        compared = 0
        for point in points:
            with h5py.File(self.here / self.lone(point), "r") as lone, h5py.File(self.here / whole, "r") as scan:
                slot = list(scan["scan/points/index"][:]).index(point)
                self.assertEqual(scan["scan/points/status"][slot], b"done")
                for group in ("planes", "statistics", "edge"):
                    for name, data in lone[group].items():
                        if data.dtype.kind not in "fc":
                            continue
                        array = scan[group][name]
                        mine = array[slot] if array.ndim > data.ndim else array[:]
                        self.assertEqual(bits(mine), bits(data[:]), f"{group}/{name} of point {point}")
                        compared += 1
                rows = scan["march/point"][:] == point
                for name in ("z", "h", "error", "accepted"):
                    self.assertEqual(bits(scan["march"][name][rows]), bits(lone["march"][name][:]), name)
        self.assertGreater(compared, 10 * len(points))

    def parts_left(self):
        return [path.name for path in self.here.iterdir() if path.name.endswith(".part")]

    def test_a_scan_runs_and_its_points_are_lone_runs(self):
        said = self.lumarch("run", "s.json")
        self.assertIn(f"done: {POINTS} of {POINTS} points", said)
        self.check_points("s.h5")
        self.assertEqual(self.parts_left(), [])
        self.assertIn(f"{POINTS} done", self.lumarch("info", "s.h5"))
        self.assertIn("march", self.lumarch("info", "s.h5#4"))
        self.assertIn("--force", self.lumarch("run", "s.json", status=2))
        self.assertIn("no points left to march", self.lumarch("resume", "s.h5"))
        shifted = dict(self.problem, launch=[{"shape": "run", "file": "s.h5#3"}])
        del shifted["scan"]
        (self.here / "next.json").write_text(json.dumps(shifted))
        self.lumarch("run", "next.json")  # a point of a scan is launched
        with h5py.File(self.here / "next.h5", "r") as file, h5py.File(self.here / "s.h5", "r") as scan:
            launched, ended = file["planes/field"][0], scan["planes/field"][3, -1]
        self.assertLess(abs(launched - ended).max(), 1e-12 * abs(ended).max())
        check = self.lumarch("check", "s.json")
        for words in (f"{POINTS} points", "/launch/0/peak_power", "shared by", "at once", "time         about"):
            self.assertIn(words, check)

    def test_shards_are_collected(self):
        for k in (1, 2):
            self.lumarch("run", "s.json", "--shard", f"{k}/2")
        self.lumarch("collect", "w.h5", "s.1-of-2.h5", "s.2-of-2.h5")
        self.check_points("w.h5")
        parts = ("s.1-of-2.h5", "s.2-of-2.h5")
        self.assertIn("is one of the parts", self.lumarch("collect", "s.1-of-2.h5", *parts, "--force", status=2))
        self.lumarch("collect", "half.h5", parts[0])
        self.assertIn("collect again", self.lumarch("resume", "half.h5", status=2))
        self.assertIn("collect again", self.lumarch("info", "half.h5"))
        os.rename(self.here / parts[1], self.here / "elsewhere.h5")
        self.assertIn(f"its part {parts[1]}", self.lumarch("info", "w.h5"))
        self.assertIn(f"its part {parts[1]} is not there", self.lumarch("info", "w.h5#1", status=2))
        for wrong in ("0/2", "3/2", "1", "a/b", "1/2/3", "-1/2"):
            self.assertIn("--shard", self.lumarch("run", "s.json", f"--shard={wrong}", status=2))

    def test_points_that_fail(self):
        self.write(scan={"axes": [{"path": "/launch/0/peak_power", "values": ["1 kW", "1e300 kW", "2 kW"]}],
                         "executor": {"type": "local", "parallel": 1}})
        said = self.lumarch("run", "s.json", status=4)
        self.assertIn("point 1 (/launch/0/peak_power = 1e+300 kW) failed", said)
        self.assertIn("2 done, 1 failed", self.lumarch("info", "s.h5"))
        self.check_points("s.h5", [0, 2])
        said = self.lumarch("run", "s.json", "-o", "f.h5", "--fail-fast", status=4)
        self.assertIn("1 of 3 points", said)
        self.assertIn("1 waiting", self.lumarch("info", "f.h5"))
        self.lumarch("resume", "f.h5", status=4)  # what failed stays failed
        self.assertIn("status         failed", self.lumarch("info", "f.h5"))
        self.assertIn("2 done, 1 failed", self.lumarch("info", "f.h5"))
        self.assertIn("some failed", self.lumarch("resume", "f.h5", status=4))

    def test_wrong_points_are_found_before_anything_runs(self):
        self.write(scan={"axes": [{"path": "/time/points", "values": [512, 1, 256]}]})
        self.assertIn("at point 1 (/time/points = 1)", self.lumarch("run", "s.json", status=2))
        self.write(scan={"axes": [{"path": "/time/points", "values": [512, 256]}]})
        for command in ("run", "check"):
            self.assertIn("/time/points is 256, at the first point 512", self.lumarch(command, "s.json", status=2))
        self.assertFalse((self.here / "s.h5").exists())

    def test_a_time_limit_stops_and_resume_goes_on(self):
        self.write(time={"window": "5 ps", "points": 4096})
        said = self.lumarch("run", "s.json", "--time-limit", "0.3", status=7)
        self.assertIn("lumarch resume s.h5", said)
        self.assertEqual(self.parts_left(), [])
        self.lumarch("resume", "s.h5")
        self.check_points("s.h5")

    def test_two_scans_on_one_file(self):
        self.write(time={"window": "5 ps", "points": 4096})
        first = subprocess.Popen([LUMARCH, "run", "s.json"], cwd=self.here, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        while not (self.here / "s.h5").exists() and first.poll() is None:
            time.sleep(0.01)
        self.assertIn("is writing this file", self.lumarch("run", "s.json", "--force", status=6))
        self.assertIn("is writing this file", self.lumarch("resume", "s.h5", status=6))
        first.kill()
        first.wait()

    def test_no_field_crosses_where_none_is_kept(self):
        self.write(output={"fields": "none"})
        self.lumarch("run", "s.json")
        with h5py.File(self.here / "s.h5", "r") as file:
            crossed = json.loads(file["provenance/bytes_crossed"][()])
            self.assertNotIn("field", file["planes"])
        self.assertNotIn("download plane", crossed)

    def kill_somewhere(self, command, environment, moment, killed):
        run = subprocess.Popen(command, cwd=self.here, env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(moment)
        if run.poll() is None:
            killed.append(moment)
        try:
            os.killpg(run.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        run.wait()

    def test_a_scan_killed_at_any_moment_goes_on(self):
        self.write(time={"window": "5 ps", "points": 2048})
        seed = int(os.environ.get("LUMARCH_SEED", "7"))
        moments, killed = random.Random(seed), []
        for kill in range(4):
            for name in ("s.h5",):
                (self.here / name).unlink(missing_ok=True)
            for again in range(3):
                start = [LUMARCH, "resume", "s.h5"] if (self.here / "s.h5").exists() else [LUMARCH, "run", "s.json"]
                self.kill_somewhere(start, None, moments.uniform(0.02, 0.4), killed)
                if (self.here / "s.h5").exists():
                    self.lumarch("info", "s.h5")
            if (self.here / "s.h5").exists():
                self.lumarch("resume", "s.h5")
            else:
                self.lumarch("run", "s.json")
            self.check_points("s.h5")
        self.assertGreater(len(killed), 3, f"seed {seed}")

    def mpi(self, *words):
        return subprocess.run([MPIEXEC, "-n", "2", LUMARCH, *words], cwd=self.here, env=dict(os.environ, **MPI),
                              capture_output=True, text=True, timeout=120)

    def test_two_ranks_share_the_points(self):
        if not MPIEXEC:
            self.skipTest("no MPI")
        self.write(scan=dict(self.problem["scan"], executor={"type": "mpi"}))
        done = self.mpi("run", "s.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.lumarch("collect", "w.h5", "s.rank-0.h5", "s.rank-1.h5")
        self.check_points("w.h5")

    def test_ranks_that_are_killed_go_on(self):
        if not MPIEXEC:
            self.skipTest("no MPI")
        self.write(time={"window": "5 ps", "points": 4096}, scan=dict(self.problem["scan"], executor={"type": "mpi"}))
        killed = []
        self.kill_somewhere([MPIEXEC, "-n", "2", LUMARCH, "run", "s.json"], dict(os.environ, **MPI), 1.5, killed)
        time.sleep(0.5)  # ranks that lost their mpirun end too
        done = self.mpi("resume", "s.h5") if (self.here / "s.rank-0.h5").exists() else self.mpi("run", "s.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.lumarch("collect", "w.h5", *sorted(path.name for path in self.here.glob("s.rank-*.h5")))
        self.check_points("w.h5")


if __name__ == "__main__":
    LUMARCH = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        MPIEXEC = sys.argv.pop(1) or None
    unittest.main(verbosity=2)
