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


# Of each route: the scales between plane (and component) and omega, those of the fluence, and the units.
ROUTES = {
    "mode-averaged": ([], [], "sqrt(W) s", ""),
    "modal": (["modes"], [], "sqrt(W) s", ""),
    "radial": (["kr"], ["r"], "V s m", ""),
    "line": (["kx"], ["x"], "V s", "/m"),
    "cartesian": (["ky", "kx"], ["y", "x"], "V s m", ""),
}
AXIS_UNITS = {"omega": "rad/s", "time": "s", "component": "1", "modes": "1", "r": "m", "x": "m", "y": "m", "kr": "1/m",
              "kx": "1/m", "ky": "1/m", "pair": "1", "z": "m"}


def check_scales(f, dataset, names):
    """Every dimension of the dataset has the scale of this name, which is in /grid (z: /planes) and linked at the root."""
    assert dataset.shape == tuple(len(f[name]) for name in names), dataset.name
    for dimension, name in zip(dataset.dims, names):
        place = "/planes/z" if name == "z" else "/grid/" + name
        assert dimension[0] == f[place] == f["/" + name], (dataset.name, name)
        assert h5py.h5ds.is_scale(f[place].id)
        assert f[place].attrs["units"] == AXIS_UNITS[name].encode()


def check_nodes(path, route, fields, compression, components):
    """The file of tests/core/output/example_nodes.hpp: 2 uJ whose spectrum, power and fluence hold the same energy."""
    with h5py.File(path, "r") as f:
        name, real = route.removesuffix("-real"), route.endswith("-real")
        field_axes, space_axes, unit, per_metre = ROUTES[name]
        spectrum, power, z = f["/planes/spectrum"], f["/planes/power"], f["/planes/z"][:]
        omega, time = f["/grid/omega"][:], f["/grid/time"][:]
        assert len(time) == (2 if real else 1) * len(omega) and np.all(np.diff(omega) > 0)
        check_scales(f, spectrum, ["z", "omega"])
        check_scales(f, power, ["z", "time"])
        assert spectrum.attrs["units"] == ("J s" + per_metre).encode()
        assert power.attrs["units"] == ("W" + per_metre).encode()
        assert f["/statistics/energy"].attrs["units"] == ("J" + per_metre).encode()
        energy = f["/statistics/energy"][:]
        assert np.allclose(spectrum[:].sum(axis=1) * (omega[1] - omega[0]), energy, rtol=1e-6)
        assert np.allclose(power[:].sum(axis=1) * (time[1] - time[0]), energy, rtol=1e-6)
        assert f["/planes"].attrs["planes_written"] == len(z) == 9

        wanted = {"grid": {"omega", "time", "wavelength", "pair", *field_axes, *space_axes},
                  "planes": {"z", "spectrum", "power"}}
        if components == 2:
            wanted["grid"].add("component")
        if fields != "none":
            wanted["planes"].add("field")
        if space_axes:
            wanted["planes"].add("fluence")
        assert set(f["grid"]) == wanted["grid"] and set(f["planes"]) == wanted["planes"]
        if name == "modal":
            assert list(f["/grid/modes"][:]) == [b"HE11", b"HE12", b"HE13"]
            assert not h5py.h5t.check_vlen_dtype(f["/grid/modes"].dtype)
            mode_energy = f["/statistics/mode_energy"]
            check_scales(f, mode_energy, ["z", "modes"])
            assert np.allclose(mode_energy[:].sum(axis=1), 2e-6) and mode_energy.attrs["units"] == b"J"
            assert mode_energy[2, 0] > mode_energy[2, 2] > 0
        else:
            assert "modes" not in f["grid"]
        for statistic, units in {"pressure": b"Pa", "core_radius": b"m", "electron_density": b"1/m^3", "beam_radius": b"m",
                                 "on_axis_fluence": b"J/m^2"}.items():
            if statistic in f["statistics"]:
                assert f["statistics"][statistic].attrs["units"] == units
        for array in ("width_20db", "beam_radius"):
            if array in f["statistics"]:
                check_scales(f, f["statistics"][array], ["z", "pair"])

        if space_axes:
            check_fluence(f, space_axes)
        if fields != "none":
            check_nodes_field(f, (["component"] if components == 2 else []) + field_axes, fields, compression, unit)


def check_fluence(f, axes):
    fluence = f["/planes/fluence"]
    check_scales(f, fluence, ["z", *axes])
    assert fluence.attrs["units"] == b"J/m^2"
    values = fluence[:]
    if axes == ["r"]:
        r = np.concatenate([[0], f["/grid/r"][:]])
        ring = np.pad(values, ((0, 0), (1, 0))) * 2 * np.pi * r
        around = (0.5 * (ring[:, 1:] + ring[:, :-1]) * np.diff(r)).sum(axis=1)
        assert np.allclose(around, 2e-6, rtol=2e-3)
        return
    x = f["/grid/x"][:]
    dx = x[1] - x[0]
    if axes == ["x"]:
        assert np.allclose(values.sum(axis=1) * dx, 2e-6, rtol=1e-3)  # per metre of y
        return
    y = f["/grid/y"][:]
    total = values.sum(axis=(1, 2)) * dx * (y[1] - y[0])
    assert np.allclose(total[4], 2e-6, rtol=1e-3)
    middle = values[4]  # at the waist; the beam is beside the axis, x and y tell themselves apart
    assert np.isclose((middle * x).sum() / middle.sum(), 40e-6, rtol=1e-3)
    assert np.isclose((middle * y[:, None]).sum() / middle.sum(), -20e-6, rtol=1e-3)


def check_nodes_field(f, axes, fields, compression, unit):
    field = f["/planes/field"]
    assert field.dtype == np.complex128 and field.attrs["units"] == unit.encode()
    assert field.compression == ("gzip" if compression else None)
    spectrum = f["/planes/spectrum"][:]
    if fields == "all":
        check_scales(f, field, ["z", *axes, "omega"])
    else:
        assert field.shape[0] == 1 and field.attrs["plane"] == 8
        assert field.shape[1:] == tuple(len(f["/grid/" + name]) for name in [*axes, "omega"])
        spectrum = spectrum[-1:]
    # Every node has its own share of sqrt(spectrum), as share() of the example has it.
    index = np.indices(field.shape[1:-1])
    component = index[axes.index("component")] if "component" in axes else 0
    outer = index[axes.index("ky")] if "ky" in axes else 0
    inner = index[-1] if axes and axes[-1] != "component" else 0
    share = np.exp(1j * (0.5 * component + 0.1 * inner - 0.2 * outer)) / (1 + inner + 0.3 * outer)
    omega = f["/grid/omega"][:]
    u = (omega - f["/grid"].attrs["omega0"]) / 1e14
    z = f["/planes/z"][:] if fields == "all" else f["/planes/z"][-1:]
    alone = np.sqrt(spectrum) * np.exp(2j * u**2 * z[:, None] / 0.1)
    wanted = np.multiply.outer(share, np.ones(len(omega))) * alone.reshape(len(z), *([1] * len(axes)), len(omega))
    assert np.allclose(field[:], wanted, rtol=1e-9, atol=1e-12 * np.abs(wanted).max())


def z_scale(f):
    return f["/planes/z"]


def run_snippets(page, folder):
    """Every ```python block of a page, each alone, beside the files out.h5 (a fibre), modes.h5 and line.h5."""
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
        for route, name in (("modal", "modes.h5"), ("line", "line.h5")):
            subprocess.run([writer, os.path.join(folder, name), "all", "0", route], check=True)
        assert run_snippets(docs / "file-layout.md", folder) >= 6
        run_snippets(docs / "plot.md", folder)
        nodes = os.path.join(folder, "nodes.h5")
        for route in (*ROUTES, "mode-averaged-real"):
            for fields, compression, components in (("all", 0, 1), ("all", 4, 2), ("last", 0, 2), ("none", 0, 1)):
                subprocess.run([writer, nodes, fields, str(compression), route, str(components)], check=True)
                check_nodes(nodes, route, fields, compression, components)
    print("all right")


main()
