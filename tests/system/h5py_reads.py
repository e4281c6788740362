#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""h5py_reads.py WRITE_EXAMPLE DOCS: what lumarch writes is what h5py reads, and the pages' snippets run.

Needs h5py and numpy; exits 77 (skipped) where they are missing. Snippets that import xarray need it too.
"""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

HBAR = 1.054571817e-34
C = 299792458.0


def check_file(path, fields, compression):
    with h5py.File(path, "r") as f:
        assert f.attrs["schema"] == 1
        assert f.attrs["title"] == b"A pulse that broadens"
        assert f.attrs["convention"] == b"exp(-i omega t)"
        assert f.attrs["status"] == b"done"
        assert len(f.attrs["finished"]) == len(f.attrs["created"]) == 20

        omega, z = f["/grid/omega"][:], f["/planes/z"][:]
        assert np.all(np.diff(omega) > 0)
        assert np.array_equal(f["/grid/wavelength"][:], 2 * np.pi * C / omega)
        time = f["/grid/time"][:]
        assert np.isclose((omega[1] - omega[0]) * (time[1] - time[0]) * len(omega), 2 * np.pi)
        units = {"/grid/omega": "rad/s", "/grid/time": "s", "/grid/wavelength": "m", "/planes/z": "m",
                 "/planes/field": "sqrt(W) s", "/statistics/energy": "J", "/statistics/photon_number": "1",
                 "/statistics/width_20db": "m", "/march/z": "m", "/march/h": "m", "/march/error": "1"}
        for name, unit in units.items():
            assert f[name].attrs["units"] == unit.encode(), name

        field = f["/planes/field"]
        assert field.dtype == np.complex128
        assert field.compression == ("gzip" if compression else None)
        assert field.dims[1][0] == f["/grid/omega"]
        assert f["/grid/wavelength"].dims[0][0] == f["/grid/omega"]
        assert all(h5py.h5ds.is_scale(f[name].id) for name in ("/grid/omega", "/grid/time", "/planes/z"))
        measure = (omega[1] - omega[0]) / (2 * np.pi)
        energy = measure * np.sum(np.abs(field[:]) ** 2, axis=1)
        photons = measure * np.sum(np.abs(field[:]) ** 2 / (HBAR * omega), axis=1)
        if fields == "all":
            assert field.shape == (11, 256)
            assert field.dims[0][0] == z_scale(f)
            kept = slice(None)
        else:
            assert field.shape == (1, 256) and field.attrs["plane"] == 10
            kept = slice(10, 11)
        assert np.allclose(energy, f["/statistics/energy"][kept], rtol=1e-12)
        assert np.allclose(photons, f["/statistics/photon_number"][kept], rtol=1e-12)
        for name in f["/statistics"]:
            assert f["/statistics"][name].dims[0][0] == z_scale(f)
            assert len(f["/statistics"][name]) == len(z)
        assert f["/statistics/width_20db"].dims[1][0] == f["/grid/pair"]
        assert f["/planes"].attrs["planes_written"] == 11

        accepted = f["/march/accepted"][:]
        assert accepted.dtype == bool
        assert f["/march/h"][:][accepted].size == accepted.sum() == 55
        assert f["/march"].attrs["rejected_total"] == 22
        assert f["/provenance/timings"][()] == b'{"march":1.5,"set-up":0.25}'
        assert f["/provenance/reason"][()] == b""


def z_scale(f):
    return f["/planes/z"]


def run_snippets(page, folder):
    """Every ```python block of a page, each alone, beside a file out.h5."""
    ran = 0
    for source in re.findall(r"```python\n(.*?)```", page.read_text(), re.S):
        if "xarray" in source and importlib.util.find_spec("xarray") is None:
            print(f"{page.name}: a snippet was skipped, there is no xarray")
            continue
        if "matplotlib" in source and importlib.util.find_spec("matplotlib") is None:
            print(f"{page.name}: a snippet was skipped, there is no matplotlib")
            continue
        program = "import sys\n" + source
        subprocess.run([sys.executable, "-c", program], cwd=folder, check=True, env={**os.environ, "MPLBACKEND": "agg"})
        ran += 1
    return ran


def main():
    writer, docs = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        for fields in ("last", "all"):
            for compression in (4, 0):
                path = os.path.join(folder, "out.h5")
                subprocess.run([writer, path, fields, str(compression)], check=True)
                check_file(path, fields, compression)
        assert run_snippets(docs / "file-layout.md", folder) >= 3
        run_snippets(docs / "plot.md", folder)
    print("all right")


main()
