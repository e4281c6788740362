#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""statistics_numpy.py LUMARCH [CASE]: every statistic and every rim of a run, from its stored field alone.

On each route and backend a short problem asks for all that the route serves. Its numbers are made here once more, from
/planes/field by the definitions of docs/physics.md, and once more by a run without fields, which reads them where the
state lies. Needs h5py and numpy; exits 77 (skipped) where they are missing.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

C, H, E0, ME = 299792458.0, 6.62607015e-34, 8.8541878128e-12, 9.1093837015e-31
QE, HARTREE = 1.602176634e-19, 4.3597447222071e-18
HBAR, MU0 = H / (2 * np.pi), 1 / (E0 * C * C)
LIMIT = 1e-12
BACKENDS = ["reference", "cpu", "emulated"]


# ---- functions that numpy has not ----

def bessel(order, x):
    """J_n(x): the trapezoid rule over a whole period of its integral converges faster than any power."""
    x = np.atleast_1d(np.asarray(x, float))
    n = int(np.max(np.abs(x))) + 60
    angle = 2 * np.pi * (np.arange(n) + 0.5) / n
    return np.mean(np.cos(order * angle - np.multiply.outer(x, np.sin(angle))), axis=-1)


def zero_of_j0(n):
    x = (n - 0.25) * np.pi
    for _ in range(8):
        x = x + bessel(0, x)[0] / bessel(1, x)[0]
    return x


def planck(x, x0, x1):
    u = (x - x0) / (x1 - x0)
    with np.errstate(all="ignore"):
        return np.where(u < 1e-3, 0.0, np.where(u > 1 - 1e-3, 1.0, 1 / (1 + np.exp(1 / u - 1 / (1 - u)))))


def spline_of_rates(potential):
    """ADK's ln W at 2^16 fields up to twice the barrier's suppression, a natural cubic spline in between; 0 below."""
    n_star = np.sqrt(0.5 * HARTREE / potential)
    atomic = potential / HARTREE
    barrier = atomic ** 2 / 4 * 5.14220674763e11
    from math import gamma
    c2 = 2 ** (2 * n_star) / (n_star * gamma(n_star + 1) * gamma(n_star))
    field = np.linspace(2 * barrier / 5000, 2 * barrier, 1 << 16)
    omega_p, omega_t = potential / HBAR, QE * field / np.sqrt(2 * ME * potential)
    y = np.log(omega_p * c2) + (2 * n_star - 1) * np.log(4 * omega_p / omega_t) - 4 * omega_p / (3 * omega_t)
    second = np.zeros_like(y)  # of a unit step: s[i-1] + 4 s[i] + s[i+1] = 6 (y[i-1] - 2 y[i] + y[i+1])
    right = 6 * (y[:-2] - 2 * y[1:-1] + y[2:])
    for _ in range(60):  # Jacobi: the error falls to a half each time
        second[1:-1] = (right - second[:-2] - second[2:]) / 4

    def rate(e):
        x = (np.abs(e) - field[0]) / (field[1] - field[0])
        i = np.clip(x.astype(int), 0, len(field) - 2)
        f = x - i
        g = 1 - f
        log = g * y[i] + f * y[i + 1] + (g ** 3 - g) * second[i] / 6 + (f ** 3 - f) * second[i + 1] / 6
        return np.where(x < 0, 0, np.exp(np.where(x < 0, -1e3, log)))
    return rate


# ---- curves ----

def moments(x, weight):
    mean = np.sum(weight * x) / np.sum(weight)
    return mean, np.sqrt(np.sum(weight * (x - mean) ** 2) / np.sum(weight))


def crossings(y, level, widest):
    n, peak = len(y), int(np.argmax(y))
    left = right = np.nan
    ups = [i for i in range(n - 1) if y[i] < level <= y[i + 1]]
    downs = [i for i in range(n - 1) if y[i] >= level > y[i + 1]]
    at = lambda i: i + (level - y[i]) / (y[i + 1] - y[i])
    if widest:
        if ups and y[0] < level:
            left = at(ups[0])
        if downs and y[-1] < level:
            right = at(downs[-1])
    else:
        before, after = [i for i in ups if i < peak], [i for i in downs if i >= peak]
        if before:
            left = at(before[-1])
        if after:
            right = at(after[0])
    return left, right


def of_spectrum(omega, density, names):
    step = omega[1] - omega[0]
    mean, rms = moments(omega, density)
    with np.errstate(divide="ignore"):
        db = 10 * np.log10(np.maximum(density, 1e-300))
    low, high = crossings(db, db.max() - 20, True)
    wavelength = lambda at: 2 * np.pi * C / (omega[0] + at * step)
    with np.errstate(divide="ignore"):
        lengths = np.where(omega > 0, 2 * np.pi * C / omega, np.inf)
    all_of = {"energy": density.sum() * step, "centroid_omega": mean, "rms_omega": rms,
              "photon_number": np.sum(density[omega != 0] / omega[omega != 0]) * step / HBAR,
              "width_20db": [wavelength(high), wavelength(low)],
              "energy_band:700nm-850nm": density[(lengths >= 700e-9) & (lengths <= 850e-9)].sum() * step}
    return {names(key): value for key, value in all_of.items()}


def of_power(time, power, names):
    step = time[1] - time[0]
    mean, rms = moments(time, power)
    narrow, wide = crossings(power, power.max() / 2, False), crossings(power, power.max() / 2, True)
    all_of = {"peak_power": power.max(), "centroid_time": mean, "rms_time": rms,
              "fwhm_time": (narrow[1] - narrow[0]) * step, "fwhm_time_widest": (wide[1] - wide[0]) * step}
    return {names(key): value for key, value in all_of.items()}


OF_SPECTRUM = ["energy", "centroid_omega", "rms_omega", "photon_number", "width_20db", "energy_band:700nm-850nm"]
OF_POWER = ["peak_power", "centroid_time", "rms_time", "fwhm_time", "fwhm_time_widest"]
APERTURES = {
    "radial": {"disc": {"far_field": {"type": "circle", "radius": 6e4}},
               "iris": {"near_field": {"type": "circle", "radius": 70e-6}}},
    "line": {"slit": {"near_field": {"type": "rectangle", "half_widths": [50e-6, 1.0], "centre": [20e-6, 0]}},
             "half": {"far_field": {"type": "half-plane", "normal": [1, 0], "edge": 1e4}}},
    "cartesian": {"disc": {"far_field": {"type": "circle", "radius": 5e4, "centre": [1e4, -1e4]}},
                  "oval": {"near_field": {"type": "ellipse", "radii": [80e-6, 120e-6], "centre": [10e-6, 0]}},
                  "box": {"near_field": {"type": "rectangle", "half_widths": [90e-6, 60e-6]}},
                  "knife": {"near_field": {"type": "half-plane", "normal": [1, 2], "edge": 30e-6}}},
}


def passes(aperture, x, y):
    a = aperture.get("far_field") or aperture.get("near_field")
    dx, dy = x - a.get("centre", [0, 0])[0], y - a.get("centre", [0, 0])[1]
    if a["type"] == "circle":
        return dx * dx + dy * dy <= a["radius"] ** 2
    if a["type"] == "ellipse":
        return (dx / a["radii"][0]) ** 2 + (dy / a["radii"][1]) ** 2 <= 1
    if a["type"] == "rectangle":
        return (np.abs(dx) <= a["half_widths"][0]) & (np.abs(dy) <= a["half_widths"][1])
    return a["normal"][0] * x + a["normal"][1] * y >= a["edge"]


# ---- a field of a file, in time and in space ----

class Field:
    def __init__(self, f, plane, real):
        self.omega, self.time = f["/grid/omega"][:], f["/grid/time"][:]
        self.omega0, self.real = f["/grid"].attrs["omega0"], real
        self.domega = self.omega[1] - self.omega[0]
        n = len(self.time)
        # whole turns are left out of the angles, so that they have all their digits
        bins = np.rint((self.omega - (0 if real else self.omega0)) / self.domega).astype(int)
        samples = np.arange(n) - n // 2
        self.to_time = np.exp(-2j * np.pi * ((bins[:, None] * samples[None, :]) % n) / n) * self.domega / (2 * np.pi)
        self.share = np.where(bins > 0, 4.0, 1.0) if real else np.ones(len(bins))
        self.to_time *= np.sqrt(self.share)[:, None]  # of a real field the analytic signal
        self.S = f["/planes/field"][plane]

    def in_time(self, S):
        return S @ self.to_time

    def density(self, squares):
        """J s, or of what the squares are per node, from abs(S)^2 of some nodes."""
        return self.share * squares / (2 * np.pi)


def in_rim(u, h, rim):
    u = np.asarray(u)
    inside = u * u >= ((1 - rim) * h) * ((1 - rim) * h)
    return inside if inside.any() else np.abs(u) >= np.abs(u).max()


def rim_of(values, inside, weight, joules):
    share = (values * weight)[inside].sum() / (values * weight).sum()
    return {"share": share, "energy": share * joules, "peak": values[inside].max() / values.max()}


def window_rims(field, active, density, power, rim, joules):
    n, dt = len(field.time), field.time[1] - field.time[0]
    j = np.arange(int(active.sum()))
    return {"time": (power, in_rim(np.arange(n) * dt - (n // 2) * dt, n * dt / 2, rim), 1.0),
            "band": (np.where(active, density, 0), spread(active, in_rim(j - (len(j) - 1) / 2, len(j) / 2, rim)), 1.0)}


def spread(active, inside):
    everywhere = np.zeros(len(active), bool)
    everywhere[np.flatnonzero(active)] = inside
    return everywhere


def guided(field, problem, f, plane):
    """gnlse, mode-averaged and modal: (expected statistics, rims, energy)."""
    S = field.S.reshape(-1, len(field.omega))  # [mode][omega]
    A = field.in_time(S)
    power = np.sum(np.abs(A) ** 2, axis=0)
    density = field.density(np.sum(np.abs(S) ** 2, axis=0))
    names = lambda key: key
    out = {**of_spectrum(field.omega, density, names), **of_power(field.time, power, names)}
    z, medium = f["/planes/z"][plane], problem["medium"]
    axis = None
    if problem["model"] == "uppe":
        a = medium["radius"]
        if isinstance(a, dict):
            a = np.interp(z, a["z"], a["radius"])
        out["core_radius"] = a
        pressure = medium["pressure"]
        if isinstance(pressure, dict):
            pressure = np.sqrt(np.interp(z, pressure["z"], np.array(pressure["pressure"]) ** 2))
        out["pressure"] = pressure
    route = problem.get("geometry", {}).get("route")
    if route == "mode-averaged":
        u = zero_of_j0(1)
        x, w = np.polynomial.legendre.leggauss(60)
        rho, w = (x + 1) / 2, w / 2
        fourth = np.sum(w * rho * bessel(0, u * rho) ** 4)
        area = 2 * np.pi * a ** 2 * (bessel(1, u)[0] ** 2 / 2) ** 2 / fourth
        out["peak_intensity"] = power.max() / area
        axis = np.abs(A[0].real) * np.sqrt(2 / (C * E0 * area))
    if route == "modal":
        out["mode_energy"] = [field.density(np.abs(s) ** 2).sum() * field.domega for s in S]
        on_axis = np.zeros((2, len(field.time)), complex)  # sqrt(W/m^2), x and y
        for name, mode in zip(f["/grid/modes"][:], A):
            number = int(name[3:4])
            norm = np.pi * a ** 2 * bessel(1, zero_of_j0(number))[0] ** 2
            on_axis[0 if name.endswith(b"x") else 1] += mode / np.sqrt(norm)
        out["peak_intensity"] = np.sum(np.abs(on_axis) ** 2, axis=0).max()
        axis = np.sqrt(np.sum(on_axis.real ** 2, axis=0) * 2 / (C * E0))
    if "plasma" in str(problem["responses"]):
        of_electrons(field, axis, f["/statistics/density"][plane], out)
    energy = out["energy"]
    active = field.active(problem)
    rims = window_rims(field, active, density, power, problem["rim"], energy)
    if route == "modal" and len(S) > 1:
        last = np.zeros(len(S), bool)
        along_x = [name.endswith(b"x") for name in f["/grid/modes"][:]]
        for which in (False, True):
            of_it = [i for i, x in enumerate(along_x) if x == which]
            if of_it:
                last[of_it[-1]] = True
        rims["modes"] = (np.array(out["mode_energy"]), last, 1.0)
    return out, rims, energy


def of_electrons(field, axis, density, out):
    rate = spline_of_rates(0.5792 * HARTREE)(axis)
    dt = field.time[1] - field.time[0]
    before = np.concatenate([[0], rate[:-1]])
    out["electron_density"] = density * -np.expm1(-np.sum(dt * (before + rate) / 2))
    out["peak_ionisation_rate"] = rate.max()


class Grid:
    """The nodes of a route in free space: what squares count in k and in space, and the way from k to space."""

    def __init__(self, f, problem):
        self.route = problem["geometry"]["route"]
        one = np.array([0.0])
        if self.route == "radial":
            R, k = problem["geometry"]["radius"], f["/grid/kr"][:]
            alpha = k * R
            last = zero_of_j0(len(k) + 1)
            slope = np.abs(bessel(1, alpha))
            T = 2 * bessel(0, np.outer(alpha, alpha).ravel() / last).reshape(len(k), -1) / (last * np.outer(slope, slope))
            node = last / (2 * np.pi * R * slope)  # e^ of E(k)
            self.kx, self.ky, self.x, self.y = k, one, alpha * R / last, one
            self.k_measure = (4 * np.pi / last ** 2) * node ** 2
            self.area = (4 * np.pi / last ** 2) * (R / slope) ** 2
            self.to_space = (slope / R)[:, None] * T * node[None, :]
            self.to_axis = 2 / (R * last) * node / slope
            self.half = {"r": (self.x, R)}
            return
        cartesian = self.route == "cartesian"
        self.kx, self.x = f["/grid/kx"][:], f["/grid/x"][:]
        self.ky, self.y = (f["/grid/ky"][:], f["/grid/y"][:]) if cartesian else (one, one)
        dx = self.x[1] - self.x[0]
        dy = self.y[1] - self.y[0] if cartesian else 1.0
        dkx = self.kx[1] - self.kx[0]
        dky = self.ky[1] - self.ky[0] if cartesian else 2 * np.pi
        self.k_measure = np.full(len(self.kx), dkx * dky / (2 * np.pi) ** (2 if cartesian else 1) / (1 if cartesian else 2 * np.pi))
        self.area = np.full(len(self.x), dx * dy)
        turns = lambda n: np.exp(2j * np.pi * (np.outer(np.arange(n) - n // 2, np.arange(n) - n // 2) % n) / n)
        self.x_turns = turns(len(self.x)) * dkx / (2 * np.pi)
        self.y_turns = turns(len(self.y)) * (dky / (2 * np.pi) if cartesian else 1)
        self.half = {"x": (self.x, len(self.x) * dx / 2)}
        if cartesian:
            self.half["y"] = (self.y, len(self.y) * dy / 2)
        self.d = (dx, dy if cartesian else dx)

    def space(self, E):  # [component][ky][kx][...]
        if self.route == "radial":
            return np.einsum("xk,cyk...->cyx...", self.to_space, E)
        return np.einsum("yv,xu,cvu...->cyx...", self.y_turns, self.x_turns, E)

    def axis(self, E):
        if self.route == "radial":
            return np.einsum("k,cyk...->c...", self.to_axis, E)
        return self.space(E)[:, len(self.y) // 2, len(self.x) // 2]


def free(field, problem, f, plane):
    grid = Grid(f, problem)
    n = problem["medium"]["material"]
    I0 = C * E0 * n / 2
    components = problem["geometry"].get("polarisations", 1)
    S = field.S.reshape(components, len(grid.ky), len(grid.kx), len(field.omega))
    kx, ky = np.meshgrid(grid.kx, grid.ky)
    x, y = np.meshgrid(grid.x, grid.y)
    measure, area = grid.k_measure[None, :] + 0 * kx, grid.area[None, :] + 0 * x
    root = np.sqrt(np.maximum((n * field.omega / C) ** 2 - (kx ** 2 + ky ** 2)[..., None], 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(field.omega > 0, root / (2 * MU0 * field.omega), 0)
    squares = np.sum(np.abs(S) ** 2, axis=0)  # [ky][kx][omega]
    in_time = np.sum(np.abs(field.in_time(S)) ** 2, axis=0)
    far_density = lambda mask: field.density(np.einsum("yx,yxw->w", measure * mask, q * squares))
    far_power = lambda mask: I0 * np.einsum("yx,yxt->t", measure * mask, in_time)
    density, power = far_density(1.0), far_power(1.0)
    names = lambda key: key
    out = {**of_spectrum(field.omega, density, names), **of_power(field.time, power, names)}

    E = grid.space(S)  # [component][y][x][omega]
    of_space, intensity = np.sum(np.abs(E) ** 2, axis=0), I0 * np.sum(np.abs(field.in_time(E)) ** 2, axis=0)
    dt = field.time[1] - field.time[0]
    fluence = intensity.sum(axis=-1) * dt
    axis_S = grid.axis(S)
    axis_time = I0 * np.sum(np.abs(field.in_time(axis_S)) ** 2, axis=0)
    out["on_axis_time"] = axis_time
    out["on_axis_intensity"] = axis_time.max()
    out["on_axis_fluence"] = axis_time.sum() * dt
    out["on_axis_spectrum"] = I0 * field.density(np.sum(np.abs(axis_S) ** 2, axis=0))
    out["peak_intensity"] = max(intensity.max(), axis_time.max())

    weight = fluence * area
    if grid.route == "radial":
        radius = np.sqrt(2 * np.sum(weight * x ** 2) / np.sum(weight))
        out["beam_radius"] = [radius, radius]
        r, ring = np.concatenate([[0], grid.x]), np.concatenate([[out["on_axis_fluence"]], fluence[0]])
    else:
        out["beam_radius"] = [2 * moments(x, weight)[1], 2 * moments(y, weight)[1] if len(grid.y) > 1 else np.nan]
        width = max(grid.d)
        which = np.floor(np.hypot(x - grid.x[len(grid.x) // 2], y - grid.y[len(grid.y) // 2]) / width + 0.5).astype(int)
        count = np.bincount(which.ravel())
        ring = np.bincount(which.ravel(), fluence.ravel()) / np.maximum(count, 1)
        r = np.arange(len(ring)) * width
    below = np.flatnonzero(ring < ring[0] / 2)
    i = below[0]
    out["fwhm_r"] = 2 * (r[i - 1] + (r[i] - r[i - 1]) * (ring[0] / 2 - ring[i - 1]) / (ring[i] - ring[i - 1]))
    if problem["medium"]["type"] != "glass":
        raise AssertionError("the index is not known here")

    for name, aperture in APERTURES[grid.route].items():
        named = lambda key, name=name: f"{name}_{key}"
        if "far_field" in aperture:
            mask = passes(aperture, kx, ky).astype(float)
            d, p = far_density(mask), far_power(mask)
        else:
            mask = passes(aperture, x, y) * area
            d = I0 * field.density(np.einsum("yx,yxw->w", mask, of_space))
            p = np.einsum("yx,yxt->t", mask, intensity)
        out.update(of_spectrum(field.omega, d, named))
        out.update(of_power(field.time, p, named))

    rims = window_rims(field, field.active(problem), density, power, problem["rim"], out["energy"])
    for axis, (places, half) in grid.half.items():
        inside = in_rim(places, half, problem["rim"])
        where = inside[:, None] & (x == x) if axis == "y" else inside[None, :] & (x == x)
        rims[axis] = (fluence.ravel(), where.ravel(), area.ravel())
    collars(field, problem, grid, power, fluence, area, x, y, rims)
    return out, rims, out["energy"]


def collars(field, problem, grid, power, fluence, area, x, y, rims):
    boundary = problem["boundary"]
    if boundary.get("time"):
        window = 2 * np.pi / field.domega
        width = max((window - problem["time"]["window"]) / 2, 0.05 * window)
        rims["time_collar"] = (power, planck(np.abs(field.time), window / 2, window / 2 - width) < 1, 1.0)
    if boundary.get("space"):
        edge = lambda u, half: planck(np.abs(u), half, 0.9 * half)
        half = problem["geometry"]["radius"] if grid.route == "radial" else abs(grid.x[0])
        weight = edge(x, half)
        if len(grid.y) > 1:
            weight = weight * edge(y, abs(grid.y[0]))
        rims["space_collar"] = (fluence.ravel(), (weight < 1).ravel(), area.ravel())


def active(self, problem):
    """Of which frequencies the band is: those that are propagated."""
    band = problem["time"].get("band")
    if not band:
        return self.omega > 0
    low, high = 2 * np.pi * C / band[1], 2 * np.pi * C / band[0]
    return np.minimum(planck(self.omega, low / 2, low), planck(self.omega, 1.1 * high, high)) > 0


Field.active = active


# ---- the problems ----

def pulse(**more):
    return {"shape": "gauss", "fwhm": 30e-15, "chirp": 1.5, "delay": 7e-15, **more}


def cases():
    all_of = {}
    base = {"lumarch": 1, "wavelength": 800e-9, "planes": [0, 0.5e-3, 1e-3], "rim": 0.2}
    steps = {"schedule": [1e-3 / 8] * 8}
    all_of["gnlse"] = {**base, "model": "gnlse", "time": {"window": 400e-15, "points": 256},
                       "medium": {"type": "fibre", "length": 1e-3, "gamma": 0.1, "dispersion": {"betas": [3e-26]}},
                       "responses": ["kerr", "self-steepening"], "march": steps,
                       "launch": [pulse(peak_power=2e4), pulse(peak_power=6e3, delay=-165e-15)],
                       "statistics": OF_SPECTRUM + OF_POWER}
    guide = {**base, "model": "uppe", "time": {"window": 200e-15, "points": 128}, "march": steps,
             "medium": {"type": "capillary", "length": 1e-3, "radius": 20e-6, "gas": "argon", "pressure": 4e5},
             "responses": ["kerr"], "launch": [pulse(energy=3e-6), pulse(energy=1e-6, delay=-68e-15)]}
    of_guides = OF_SPECTRUM + OF_POWER + ["peak_intensity", "density", "pressure", "core_radius", "zdw"]
    all_of["mode-averaged"] = {
        **guide, "geometry": {"route": "mode-averaged"}, "statistics": of_guides,
        "medium": {**guide["medium"], "radius": {"z": [0, 1e-3], "radius": [20e-6, 14e-6]},
                   "pressure": {"z": [0, 1e-3], "pressure": [1e5, 3e5]}}}
    real = {"field": "real", "time": {"window": 150e-15, "band": [400e-9, 1600e-9]},
            "responses": ["kerr", {"type": "plasma", "rate": "adk"}]}
    electrons = ["electron_density", "peak_ionisation_rate"]
    all_of["mode-averaged, real"] = {**guide, **real, "geometry": {"route": "mode-averaged"},
                                     "statistics": of_guides + electrons}
    shares = {"HE11": 0.8, "HE12": 0.15, "HE13": 0.05}
    all_of["modal"] = {**guide, "geometry": {"route": "modal", "modes": 3, "radial_nodes": 12},
                       "launch": [pulse(energy=3e-6, modes=shares), pulse(energy=1e-7, modes=shares, delay=75e-15)], "statistics": of_guides + ["mode_energy"]}
    all_of["modal, real, two polarisations"] = {
        **guide, **real,
        "geometry": {"route": "modal", "modes": ["HE11", "HE11x", "HE12", "HE12x"], "polarisations": 2, "radial_nodes": 8},
        "launch": [pulse(energy=3e-6, modes={"HE11": 0.5, "HE11x": 0.3, "HE12": 0.2}),
                   pulse(energy=1e-7, modes={"HE11": 1.0}, delay=60e-15)],
        "statistics": of_guides + electrons + ["mode_energy"]}
    beam = {**base, "model": "uppe", "time": {"window": 200e-15, "points": 64}, "march": steps,
            "medium": {"type": "glass", "length": 1e-3, "material": 1.5, "n2": 2.5e-20}, "responses": ["kerr"]}
    of_beams = OF_SPECTRUM + OF_POWER + ["peak_intensity", "on_axis_intensity", "on_axis_fluence", "on_axis_spectrum",
                                         "on_axis_time", "beam_radius", "fwhm_r", "zdw"]
    collars = {"time": True, "space": True, "length": 1e-3}
    at = {"waist": 110e-6, "focus": 1e-3}
    beside = {**at, "x": 25e-6, "tilt_x": 2e-3}
    line = {"route": "line", "half_width": 300e-6, "points": 36}
    radial = {"route": "radial", "radius": 230e-6, "points": 24}
    plane = {"route": "cartesian", "half_width": [224e-6, 232e-6], "points": [18, 16]}
    wide = {"time": {"window": 120e-15, "band": [450e-9, 1500e-9]}, "field": "real"}
    absorbed = {"march": {"schedule": [1e-3 / 16] * 16}, "boundary": collars}
    all_of["radial"] = {**beam, "geometry": radial, "launch": [pulse(energy=2e-6, beam=at)]}
    all_of["radial, real, two polarisations"] = {
        **beam, **wide, "geometry": {**radial, "polarisations": 2, "points": 16},
        "launch": [pulse(energy=2e-6, beam=at, polarisation=0.4, ellipticity=0.3)]}
    all_of["line"] = {**beam, "geometry": line, "launch": [pulse(energy=0.02, beam=beside)], **absorbed}
    all_of["line, real"] = {**beam, **wide, "geometry": line, "launch": [pulse(energy=0.02, beam=beside)]}
    all_of["line, two polarisations"] = {**beam, "geometry": {**line, "polarisations": 2},
                                         "launch": [pulse(energy=0.02, beam=beside, polarisation=0.7)]}
    both = {**beside, "y": -15e-6}
    all_of["cartesian"] = {**beam, "geometry": plane, "launch": [pulse(energy=2e-6, beam=both)], **absorbed}
    all_of["cartesian, real"] = {**beam, **wide, "geometry": plane, "launch": [pulse(energy=1e-6, beam=both)]}
    all_of["cartesian, two polarisations"] = {
        **beam, "geometry": {**plane, "polarisations": 2},
        "launch": [pulse(energy=2e-6, beam=both, polarisation=0.4, ellipticity=0.5)]}
    for problem in all_of.values():
        if problem.get("geometry", {}).get("route") in APERTURES:  # and a weak one, so that there is light at the rims
            first = problem["launch"][0]
            problem["launch"] = [first, {**first, "energy": 0.05 * first["energy"],
                                         "delay": 0.38 * problem["time"]["window"]}]
        route = problem.get("geometry", {}).get("route")
        if "statistics" not in problem:
            problem["statistics"] = list(of_beams)
            for name, aperture in APERTURES[route].items():
                problem["statistics"] += [{"quantity": key, "name": f"{name}_{key}", **aperture}
                                          for key in OF_SPECTRUM + OF_POWER]
        problem["boundary"] = {**problem.get("boundary", {}),
                               "edge": {"rim": problem["rim"], "strip": True}}
    return all_of


# ---- the comparison ----

class Faults:
    def __init__(self):
        self.found = []

    def same(self, where, have, want, scale=0.0):
        have, want = np.atleast_1d(np.asarray(have, float)), np.atleast_1d(np.asarray(want, float))
        if have.shape != want.shape:
            self.found.append(f"{where}: {have.shape} values for {want.shape}")
            return
        if not np.array_equal(np.isnan(have), np.isnan(want)):
            self.found.append(f"{where}: {have} for {want}")
            return
        size = max(scale, np.nanmax(np.abs(want), initial=0))
        worst = np.nanmax(np.abs(have - want), initial=0)
        if worst > LIMIT * size:
            self.found.append(f"{where}: {have.ravel()[:3]} for {want.ravel()[:3]}, {worst / size:.2g} apart")


def run(lumarch, folder, name, problem, backend):
    problem = {key: value for key, value in problem.items() if key != "rim"}
    (folder / "p.json").write_text(json.dumps({**problem, "backend": backend}))
    done = subprocess.run([lumarch, "run", "p.json", "-o", name, "--force"], cwd=folder, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return h5py.File(folder / name, "r")


def check_rims(faults, where, f, plane, rims, energy, field):
    edge = f["/edge"]
    read = edge.attrs["readings"]
    at = np.flatnonzero(edge["z"][:read] == f["/planes/z"][plane])
    if len(at) != 1:
        faults.found.append(f"{where}: {len(at)} readings of the rims at this plane")
        return
    names = [name.decode() for name in edge["rims"][:]]
    if names != list(rims):
        faults.found.append(f"{where}: the rims are {names}, not {list(rims)}")
        return
    for i, name in enumerate(names):
        values, inside, weight = rims[name]
        for key, want in rim_of(values, inside, weight, energy).items():
            faults.same(f"{where}, {key} of the rim {name}", edge[key][at[0], i], want)
        if "strip_" + name in edge:
            faults.same(f"{where}, nodes of {name}", edge["nodes_" + name][:], np.flatnonzero(inside))
            faults.same(f"{where}, strip of {name}", edge["strip_" + name][at[0]], values[inside], values.max())
        else:
            faults.found.append(f"{where}: no strip of {name}")


def check(lumarch, folder, name, problem, backend, faults):
    free_space = problem.get("geometry", {}).get("route") in APERTURES
    real = problem.get("field") == "real"
    with run(lumarch, folder, "all.h5", problem, backend) as f, \
            run(lumarch, folder, "none.h5", {**problem, "output": {"fields": "none"}}, backend) as g:
        assert "field" not in g["planes"] and set(f["statistics"]) == set(g["statistics"])
        for statistic in f["statistics"]:
            if not np.array_equal(f["statistics"][statistic][:], g["statistics"][statistic][:], equal_nan=True):
                faults.found.append(f"{backend}, {name}: {statistic} differs without fields")
        for key in f["edge"]:
            if key != "rims" and not np.array_equal(f["edge"][key][:], g["edge"][key][:], equal_nan=True):
                faults.found.append(f"{backend}, {name}: edge/{key} differs without fields")
        for plane, z in enumerate(f["/planes/z"][:]):
            where = f"{backend}, {name}, z = {z:g}"
            field = Field(f, plane, real)
            want, rims, energy = (free if free_space else guided)(field, problem, f, plane)
            for statistic in f["statistics"]:
                if statistic in ("zdw", "density"):  # of the medium, not of the field
                    continue
                if statistic not in want:
                    faults.found.append(f"{where}: nothing to compare {statistic} with")
                    continue
                scale = field.time[-1] if statistic.endswith("centroid_time") else 0.0
                faults.same(f"{where}, {statistic}", f["statistics"][statistic][plane], want[statistic], scale)
            check_rims(faults, where, f, plane, rims, energy, field)


def zero_of_silica():
    """Where d^2 n/d lambda^2 = 0: I. H. Malitson, J. Opt. Soc. Am. 55, 1205 (1965)."""
    B, L = np.array([0.6961663, 0.4079426, 0.8974794]), np.array([0.0684043, 0.1162414, 9.896161])

    def second(x):  # of n^2 = 1 + sum B x^2/(x^2 - L^2): n n'' = (n^2)''/2 - n'^2
        d = x * x - L * L
        square, first = 1 + np.sum(B * x * x / d), np.sum(-2 * B * L * L * x / d ** 2)
        return np.sum(-2 * B * L * L * (1 / d ** 2 - 4 * x * x / d ** 3)) / 2 - (first / 2) ** 2 / square
    low, high = 1.0, 1.6
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if second(low) * second(middle) > 0 else (low, middle)
    return low * 1e-6


def check_zero_of_silica(lumarch, folder, faults):
    problem = {**cases()["radial"], "boundary": {"edge": False}, "statistics": ["zdw"],
               "time": {"window": 200e-15, "band": [700e-9, 1800e-9]},
               "medium": {"type": "glass", "length": 1e-3, "material": "fused-silica"}, "responses": []}
    with run(lumarch, folder, "zdw.h5", problem, "cpu") as f:
        faults.same("zdw of fused silica", f["/statistics/zdw"][0], zero_of_silica())


def main():
    lumarch, only = sys.argv[1], sys.argv[2:]
    faults = Faults()
    with tempfile.TemporaryDirectory() as folder:
        for name, problem in cases().items():
            if only and name not in only:
                continue
            for backend in BACKENDS:
                before = len(faults.found)
                check(lumarch, pathlib.Path(folder), name, problem, backend, faults)
                print(f"{name}, {backend}: {len(faults.found) - before} differ", flush=True)
        if not only:
            check_zero_of_silica(lumarch, pathlib.Path(folder), faults)
    for fault in faults.found[:60]:
        print(fault)
    return 1 if faults.found else 0


if __name__ == "__main__":
    sys.exit(main())
