#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line as a user meets it: exit states, what is said, and what is left on disk.

command_line.py LUMARCH: runs that program in temporary folders.
"""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LUMARCH = None


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.here = pathlib.Path(self.folder.name)
        self.problem = {
            "lumarch": 1, "model": "gnlse", "wavelength": "835 nm",
            "time": {"window": "5 ps", "points": 512},
            "medium": {"type": "fibre", "length": "1 cm", "gamma": "0.11 1/(W m)",
                       "dispersion": {"betas": ["-11.83 ps^2/km"]}},
            "responses": ["kerr"],
            "launch": [{"shape": "sech", "fwhm": "50 fs", "peak_power": "1 kW"}],
            "planes": 5, "backend": "reference",
        }

    def tearDown(self):
        self.folder.cleanup()

    def write(self, **changes):
        self.problem.update(changes)
        (self.here / "p.json").write_text(json.dumps(self.problem))

    def lumarch(self, *words, status=0, **options):
        done = subprocess.run([LUMARCH, *words], cwd=self.here, capture_output=True, text=True, timeout=120, **options)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def start(self, *words):
        return subprocess.Popen([LUMARCH, *words], cwd=self.here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True)

    # ---- success ----

    def test_a_run_ends_with_0_and_says_what_it_did(self):
        self.write()
        said = self.lumarch("run", "p.json")
        for words in ("done: 10 mm of 10 mm", "energy", "photon number", "edge check     time ", "written        p.h5"):
            self.assertIn(words, said)
        self.assertIn("5 of 5 on disk", self.lumarch("info", "p.h5"))
        self.assertIn("soliton order", self.lumarch("check", "p.json"))

    def test_check_prints_the_memory_of_both_sides(self):
        self.write()
        said = self.lumarch("check", "p.json")
        for words in ("memory of the backend (reference", "state  ", "memory on the host's side", "launch  "):
            self.assertIn(words, said)
        self.assertIn("not known: ", self.lumarch("check", "p.json", "--backend", "nosuch"))
        self.assertFalse((self.here / "p.h5").exists())

    def test_what_does_not_fit_is_refused_before_anything_is_written(self):
        self.write(time={"window": "5 ps", "points": 1 << 21})
        limit = 700 << 20

        def few_addresses():
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

        if subprocess.run([LUMARCH, "--version"], capture_output=True, preexec_fn=few_addresses).returncode != 0:
            self.skipTest("this build, with a sanitizer, does not start with so few addresses")
        said = self.lumarch("run", "p.json", status=3, preexec_fn=few_addresses)
        for words in ("this run needs", "on the reference backend", "are free", "right-hand side", "low-storage", "/time/points"):
            self.assertIn(words, said)
        self.assertFalse((self.here / "p.h5").exists())

    def test_set_changes_the_problem_and_names_places(self):
        self.write()
        self.lumarch("run", "p.json", "--set", "/planes=3", "-o", "other.h5")
        self.assertIn("3 of 3 on disk", self.lumarch("info", "other.h5"))
        self.assertIn("/nosuch", self.lumarch("run", "p.json", "--set", "/nosuch=3", status=2))

    def test_a_replayed_schedule_takes_the_same_steps(self):
        self.write()
        self.lumarch("run", "p.json")
        self.write(march={"schedule": {"run": "p.h5"}})
        self.lumarch("run", "p.json", "-o", "again.h5")
        first, again = (self.lumarch("info", f) for f in ("p.h5", "again.h5"))
        steps = [line for line in first.splitlines() if line.startswith("march")][0].split(" steps")[0]
        self.assertIn(steps, again)

    def test_json_log_is_json(self):
        self.write()
        done = subprocess.run([LUMARCH, "run", "p.json", "--log", "json", "--set", "/medium/length=0.2"], cwd=self.here,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0)
        events = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertEqual(events[-1]["event"], "end")
        self.assertEqual((events[-1]["status"], events[-1]["ended"], events[-1]["z"]), (0, "done", 0.2))
        self.assertIn("time", [rim["rim"] for rim in events[-1]["rims"]])

    def last_event(self, *words, status):
        done = subprocess.run([LUMARCH, "run", "p.json", "--log", "json", "--force", *words], cwd=self.here,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stderr.splitlines()[-1])

    def test_every_end_of_a_run_is_a_json_object(self):
        self.write()
        stopped = self.last_event("--time-limit", "1e-6", status=7)
        self.assertEqual((stopped["event"], stopped["status"], stopped["ended"]), ("end", 7, "stopped"))
        self.assertIn("time limit", stopped["reason"])
        failed = self.last_event("--set", '/march={"min_step": "1 mm", "tolerance": 1e-12}', status=4)
        self.assertEqual((failed["event"], failed["status"], failed["ended"]), ("end", 4, "failed"))
        self.assertEqual(self.last_event("--set", "/time/points=-1", status=2)["event"], "error")
        self.assertEqual(self.last_event("-o", "no/folder.h5", status=6)["status"], 6)
        late = ("--set", "/launch/0/delay=2.425 ps")
        at_rim = self.last_event(*late, "--set", '/boundary={"edge": {"on_exceed": "stop"}}', status=7)
        self.assertIn("enlarge /time/window", at_rim["reason"])
        self.assertGreater(at_rim["rims"][0]["share"], 1e-3)

    def test_examples_are_listed_and_written(self):
        self.assertIn("supercontinuum", self.lumarch("examples"))
        self.lumarch("examples", "supercontinuum")
        self.assertIn("--force", self.lumarch("examples", "supercontinuum", status=2))
        self.lumarch("check", "supercontinuum.json")
        self.assertIn("supercontinuum", self.lumarch("examples", "nosuch", status=2))  # what there is

    def test_the_budget_is_from_launch_to_end_whatever_the_planes(self):
        self.write(planes=["5 mm"], medium={**self.problem["medium"], "loss": "100 dB/m"})
        self.assertRegex(self.lumarch("run", "p.json"), r"energy +56\.73 pJ -> 45\.06 pJ \(-0\.21\)")

    def test_powers_of_any_size_are_printed(self):
        self.write(launch=[{"shape": "sech", "fwhm": "50 fs", "peak_power": 1e-297}])
        self.lumarch("run", "p.json")
        self.lumarch("info", "p.h5")
        self.lumarch("run", "p.json", "--force", "--set", "/launch/0/peak_power=1e19", "--set",
                     "/medium/gamma=1e-19")

    def test_long_lengths_are_not_measured_unasked_and_odd_caches_are_left_alone(self):
        if "cpu " not in self.lumarch("backends"):
            self.skipTest("no cpu backend")
        self.write(backend="cpu", output={"fields": "none"})
        cache = {**os.environ, "XDG_CACHE_HOME": str(self.here / "cache")}
        said = self.lumarch("run", "p.json", "--set", "/time/points=270336", "--set", "/medium/length=1e-6", env=cache)
        self.assertIn("are estimated; lumarch tune 270336", said)
        self.assertEqual(list((self.here / "cache").glob("lumarch/*.wisdom")), [])
        fftw = ("--force", "--set", "/time/points=1144")  # lengths with a factor above 7 are FFTW's
        self.lumarch("run", "p.json", *fftw, env=cache)
        kept, = (self.here / "cache").glob("lumarch/*.wisdom")
        kept.unlink()
        kept.symlink_to("/dev/zero")
        self.assertIn("not readable", self.lumarch("run", "p.json", *fftw, env=cache))

    def test_tune_says_where_there_is_nothing_to_tune(self):
        if "cpu " not in self.lumarch("backends"):
            self.skipTest("no cpu backend")
        cache = {**os.environ, "XDG_CACHE_HOME": str(self.here / "cache")}
        self.assertEqual(self.lumarch("tune", "1024", env=cache).count("n = 1024 needs no FFT plans"), 1)
        self.assertIn("making FFT plans for n = 22", self.lumarch("tune", "22", env=cache))

    # ---- 2: the command or the problem is wrong ----

    def test_wrong_commands_say_what_there_is(self):
        self.assertIn("lumarch run", self.lumarch(status=2))
        self.assertIn("lumarch run", self.lumarch("--help"))
        self.assertIn("there is no command", self.lumarch("rum", status=2))
        self.assertIn("--forc", self.lumarch("run", "p.json", "--forc", status=2))
        self.assertIn("usage", self.lumarch("run", status=2))
        self.assertIn("missing.json", self.lumarch("run", "missing.json", status=2))
        for command in ("run", "resume", "check", "info", "plot"):
            self.lumarch(command, status=2)
            self.assertIn("usage", self.lumarch(command, "--help"))

    def test_what_is_not_built_yet_is_refused(self):
        self.write()
        self.write(model="samples")
        self.assertIn("not built yet", self.lumarch("run", "p.json", status=2))
        self.write(model="gnlse", scan={"axes": [{"path": "/medium/length", "values": [1]}],
                                        "executor": {"type": "batch"}})
        self.assertIn("not built yet", self.lumarch("run", "p.json", status=2))
        del self.problem["scan"]
        self.write()
        self.assertIn("no scan", self.lumarch("run", "p.json", "--shard", "1/2", status=2))
        self.assertEqual(list(self.here.glob("*.h5")), [])

    def test_every_mistake_of_a_file_is_said_at_once_and_nothing_is_written(self):
        self.write(wavelength="835 s", tiem=1, planes=1)
        said = self.lumarch("run", "p.json", status=2)
        for place in ("/wavelength", "/tiem", "/planes"):
            self.assertIn(place, said)
        self.assertEqual(sorted(p.name for p in self.here.iterdir()), ["p.json"])

    def test_an_existing_file_needs_force(self):
        self.write()
        self.lumarch("run", "p.json")
        self.assertIn("--force", self.lumarch("run", "p.json", status=2))
        self.lumarch("run", "p.json", "--force")

    def test_files_that_are_no_results_are_refused(self):
        (self.here / "x.h5").write_text("no")
        for command in ("info", "plot"):
            self.assertIn("x.h5", self.lumarch(command, "x.h5", status=2))
            self.assertIn("y.h5", self.lumarch(command, "y.h5", status=2))

    def test_a_wrong_schedule_is_found_before_anything_is_replaced(self):
        self.write()
        self.lumarch("run", "p.json")
        for words in (["run", "p.json", "--force"], ["run", "p.json", "-o", "new.h5"], ["check", "p.json"]):
            self.assertIn("schedule", self.lumarch(*words, "--set", "/march={\"schedule\": [0.004, 0.006]}", status=2))
        self.assertIn("5 of 5 on disk", self.lumarch("info", "p.h5"))
        self.assertFalse((self.here / "new.h5").exists())

    def test_no_result_replaces_what_it_is_read_from(self):
        self.write()
        said = self.lumarch("run", "p.json", "-o", "p.json", "--force", status=2)
        self.assertIn("read from", said)
        self.lumarch("run", "p.json")
        self.write(march={"schedule": {"run": "p.h5"}})
        self.assertIn("read from", self.lumarch("run", "p.json", "--force", status=2))
        self.assertIn("done", self.lumarch("info", "p.h5"))
        (self.here / "loss.csv").write_text("1000 0.1\n800 0.1\n700 0.1\n")
        self.write(march={}, medium={**self.problem["medium"],
                                     "loss": {"file": "loss.csv", "columns": [0, 1], "units": ["nm", "1/m"]}})
        self.assertIn("read from", self.lumarch("run", "p.json", "-o", "loss.csv", "--force", status=2))
        self.lumarch("run", "p.json", "-o", "", status=2)

    def test_pipes_are_no_problem_files_and_tables_may_have_a_byte_order_mark(self):
        os.mkfifo(self.here / "pipe")
        self.assertIn("pipe", self.lumarch("check", "pipe", status=2))
        (self.here / "loss.csv").write_bytes(b"\xef\xbb\xbf1000 0.1\r\n800 0.1\r\n700 0.1\r\n")
        loss = {"file": "loss.csv", "columns": [0, 1], "units": ["nm", "1/m"]}
        self.write(medium={**self.problem["medium"], "loss": loss})
        self.lumarch("check", "p.json")
        self.write(medium={**self.problem["medium"], "loss": {**loss, "file": "pipe"}})
        self.assertIn("/medium/loss/file", self.lumarch("check", "p.json", status=2))

    def test_folders_with_a_mistake_are_named(self):
        for words in (["backends"], ["run", "p.json"]):
            self.write()
            said = self.lumarch(*words, "--backend-path", "nope", env={**os.environ, "LUMARCH_BACKEND_PATH": "rel:/no/pe"})
            for folder in ("/nope, named by --backend-path", "rel is ignored", "/no/pe, named by LUMARCH_BACKEND_PATH"):
                self.assertIn(folder, said)

    # ---- 3: refused ----

    def test_an_unknown_backend_lists_what_there_is_and_leaves_nothing(self):
        self.write()
        said = self.lumarch("run", "p.json", "-b", "nosuch", status=3)
        self.assertIn("nosuch", said)
        self.assertIn("reference", said)
        self.assertFalse((self.here / "p.h5").exists())
        self.lumarch("run", "p.json", "-b", "reference:7", status=3)
        self.lumarch("run", "p.json", "-b", "reference:x", status=2)
        self.lumarch("run", "p.json", "--threads", "0", status=2)

    # ---- 4: the numbers failed ----

    def test_numbers_that_fail_leave_what_was_reached(self):
        self.write(march={"min_step": "1 mm", "tolerance": 1e-12})
        said = self.lumarch("run", "p.json", status=4)
        self.assertIn("below the smallest", said)
        self.assertIn("failed", self.lumarch("info", "p.h5"))
        self.write(march={}, launch=[{"shape": "sech", "fwhm": "50 fs", "peak_power": 1e300}])
        self.assertIn("not finite", self.lumarch("run", "p.json", "--force", status=4))

    # ---- 6: the output could not be written ----

    def test_places_that_cannot_be_written(self):
        self.write()
        self.lumarch("run", "p.json", "-o", "missing/p.h5", status=6)

    def test_an_output_that_is_no_file_is_a_wrong_command(self):
        self.write()
        (self.here / "folder.h5").mkdir()
        os.mkfifo(self.here / "pipe")
        for place in ("folder.h5", "pipe", "/dev/null", "/dev/full"):
            for force in ([], ["--force"]):
                said = self.lumarch("run", "p.json", "-o", place, *force, status=2)
                self.assertIn("not a file: name a file", said)
                self.assertNotIn("--force", said)

    def test_a_link_to_no_file_yet_is_followed(self):
        self.write()
        (self.here / "data").mkdir()
        (self.here / "p.h5").symlink_to("data/real.h5")
        self.lumarch("run", "p.json")
        self.assertIn("5 of 5 on disk", self.lumarch("info", "data/real.h5"))

    def test_small_files_are_whole_or_not_there(self):
        import resource
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        said = self.lumarch("examples", "supercontinuum", status=6, preexec_fn=limit)
        self.assertIn("supercontinuum.json: cannot be written: ", said)
        self.assertIn("ulimit", said)
        self.assertEqual(list(self.here.iterdir()), [])

    def test_a_file_size_limit_is_an_error_and_the_file_opens(self):
        self.write(planes=101, time={"window": "5 ps", "points": 4096})
        limit = lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_FSIZE, (200000, 200000))
        said = self.lumarch("run", "p.json", status=6, preexec_fn=limit)
        self.assertIn("p.h5", said)

    def long_run(self):
        self.write(time={"window": "10 ps", "points": 4096}, planes=201, march={"max_step": "2 um"})
        run = self.start("run", "p.json")
        while not (self.here / "p.h5").exists() and run.poll() is None:
            time.sleep(0.02)
        time.sleep(0.5)
        self.assertIsNone(run.poll(), "the run was to last longer")
        return run

    def test_a_file_that_is_being_written_is_refused(self):
        run = self.long_run()
        self.assertIn("p.h5", self.lumarch("run", "p.json", "--force", status=6))
        run.kill()
        run.communicate()
        self.lumarch("run", "p.json", "--force", "--set", "/medium/length=1e-5")  # a killed run holds nothing

    # ---- stopped ----

    def test_signals_stop_at_the_next_attempt_and_leave_a_readable_file(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            run = self.long_run()
            run.send_signal(number)
            said, _ = run.communicate(timeout=20)
            self.assertEqual(run.returncode, 128 + number, said)
            self.assertRegex(said, r"stopped +[0-9.]+ .?s after the signal")
            self.assertIn("stopped", self.lumarch("info", "p.h5"))
            (self.here / "p.h5").unlink()

    def slow_attempts(self):
        """A run with attempts that take long: a signal is heard between two, a second one not at all."""
        self.write(time={"window": "100 ps", "points": 2**20}, planes=3, launch=[
            {"shape": "sech", "fwhm": "50 fs", "peak_power": "1 kW"}])
        run = self.start("run", "p.json")
        while not (self.here / "p.h5").exists() and run.poll() is None:
            time.sleep(0.02)
        time.sleep(0.3)
        self.assertIsNone(run.poll(), "the run was to last longer")
        return run

    def test_a_second_signal_ends_at_once_whichever_it_is_and_the_file_opens(self):
        for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGINT, signal.SIGTERM)):
            run = self.slow_attempts()
            run.send_signal(first)
            time.sleep(0.05)
            run.send_signal(second)
            said, _ = run.communicate(timeout=20)
            self.assertEqual(run.returncode, -second, said)
            self.assertIn("running", self.lumarch("info", "p.h5"))
            (self.here / "p.h5").unlink()

    def test_a_signal_in_the_last_attempt_stops_nothing_and_is_told_of(self):
        # one attempt, which takes most of the time: of signals at any moment some come in it
        self.write(time={"window": "100 ps", "points": 2**17}, planes=2, medium={
            "type": "fibre", "length": "1 um", "gamma": "0.11 1/(W m)", "dispersion": {"betas": ["-11.83 ps^2/km"]}},
            march={"first_step": "1 um", "max_step": "1 um", "tolerance": 1e-3}, boundary={"edge": False})
        before = time.monotonic()
        self.assertIn("in 1 steps", self.lumarch("run", "p.json"))
        whole = time.monotonic() - before
        late = 0
        for part in range(4, 20):
            run = self.start("run", "p.json", "--force")
            time.sleep(whole * part / 20)
            run.send_signal(signal.SIGINT)
            said, _ = run.communicate(timeout=60)
            if run.returncode == 0 and "too late" in said:
                late += 1
                self.assertIn("2 of 2 on disk", self.lumarch("info", "p.h5"))
            elif run.returncode == 130:
                self.assertIn("stopped", said)
        self.assertGreater(late, 0)

    def test_a_time_limit_stops_with_7_and_leaves_what_was_reached(self):
        self.write()
        said = self.lumarch("run", "p.json", "--time-limit", "1e-6 s", status=7)
        self.assertIn("stopped", said)
        self.assertIn("the time limit of 1e-06 s was reached", self.lumarch("info", "p.h5"))
        self.lumarch("run", "p.json", "--force", "--time-limit", "1:00:00")  # not reached
        for wrong in ("0", "-1", "soon", "5 m", "1:60", "1:2:3:4", "1:", "inf", "nan", "5 min later"):
            self.assertIn("--time-limit", self.lumarch("run", "p.json", "--force", f"--time-limit={wrong}", status=2))

    def test_light_at_a_rim_warns_stops_or_refuses(self):
        self.write()
        late = ("--set", "/launch/0/delay=2.425 ps")  # of a window that ends at 2.5
        said = self.lumarch("run", "p.json", *late)
        self.assertIn("of the energy is in the outer part of the time window: enlarge /time/window", said)
        stop = ("--force", "--set", '/boundary={"edge": {"on_exceed": "stop"}}')
        self.assertIn("stopped: 0 m", self.lumarch("run", "p.json", *late, *stop, status=7))
        self.assertIn("enlarge /time/window", self.lumarch("info", "p.h5"))
        refuse = ("--force", "--set", '/boundary={"edge": {"on_exceed": "refuse"}}')
        self.assertIn("/boundary/edge", self.lumarch("run", "p.json", *late, *refuse, status=3))
        off = ("--force", "--set", '/boundary={"edge": false}')
        self.assertIn("edge check     off", self.lumarch("run", "p.json", *late, *off))

    def test_a_kill_leaves_a_file_that_opens(self):
        run = self.long_run()
        run.kill()
        run.communicate()
        self.assertIn("running", self.lumarch("info", "p.h5"))


if __name__ == "__main__":
    LUMARCH = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
