// SPDX-License-Identifier: Apache-2.0
// The nonlinear responses of a uppe problem in SI (physics.md, 6 to 8), with what each kernel is given.
#include <algorithm>
#include <cmath>

#include <lumarch/error.hpp>

#include "media/constants.hpp"
#include "media/gas_ionisation.hpp"
#include "media/molecular_raman.hpp"
#include "media/raman.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

namespace {

constexpr double eps0 = constants::eps0;

// A factor along z relative to its largest value at the corners, which goes into the kernel's own constant. Nothing
// where the medium is the same everywhere.
struct Along {
  double most = 0;
  std::function<double(double)> scale;
};

Along along(const std::shared_ptr<const Optics>& optics, const std::function<double(const Conditions&)>& value) {
  Along found;
  for (const double z : optics->corners()) found.most = std::max(found.most, value(optics->at(z)));
  if (!optics->uniform() && found.most > 0)
    found.scale = [optics, value, most = found.most](double z) { return value(optics->at(z)) / most; };
  return found;
}

lm_p_kerr kerr_params(const BandGrid& grid, double c) {
  lm_p_kerr p{};
  p.struct_size = sizeof(p);
  p.c = c;
  p.omega0 = grid.omega0;
  p.t0 = grid.first_time();
  p.dt = grid.dt_fine();
  return p;
}

void add(const Kerr& kerr, double instantaneous, UppeTables& tables) {
  const auto& optics = tables.optics;
  const Along chi3 = along(optics, [optics](const Conditions& at) { return optics->chi3(at); });
  if (chi3.most == 0) {
    tables.warnings.emplace_back(
        std::string("kerr: the medium has no nonlinear index, so it does nothing; ") +
        (optics->at(0).gases.empty() ? "give /medium/n2" : "give a /medium/pressure above 0, or take kerr out"));
    return;
  }
  UppeResponse response;
  response.kernel = "response.kerr";
  response.version = 2;
  response.params = kerr_params(tables.grid, eps0 * chi3.most * instantaneous);
  response.scale = chi3.scale;
  auto& p = std::get<lm_p_kerr>(response.params);
  if (kerr.third_harmonic && !tables.grid.half()) p.flags |= LM_RESPONSE_THIRD_HARMONIC;
  if (!kerr.third_harmonic && tables.grid.half()) tables.analytic = true;
  if (kerr.saturation_intensity) p.saturation = tables.intensity / *kerr.saturation_intensity;
  tables.responses.push_back(std::move(response));
}

void add(const Plasma& plasma, const Problem& problem, UppeTables& tables) {
  const auto& optics = tables.optics;
  const Conditions entrance = optics->at(0);
  for (std::size_t i = 0; i < entrance.gases.size(); ++i) {
    const Gas gas = entrance.gases[i].gas;
    const auto data = gas_ionisation(gas);
    if (!data)
      throw Error(Fault::problem, "/responses: there are no ionisation data for " + std::string(name(gas)) +
                                      "; take plasma out, or another gas");
    const Along density = along(optics, [i](const Conditions& at) { return at.gases[i].density; });
    if (density.most == 0) continue;
    lm_p_plasma p{};
    p.struct_size = sizeof(p);
    p.density = density.most;
    p.acceleration = constants::e * constants::e / constants::m_e;
    p.ionisation_energy = data->potential;
    p.fraction = plasma.fraction;
    p.dt = tables.grid.dt_fine();
    RateTable rates;
    if (plasma.rate == Plasma::Rate::adk) {
      const Adk adk(data->potential);
      rates = tabulate([&](double field) { return adk.log_rate(field); }, adk.barrier_field());
    } else {
      if (!data->shell)
        throw Error(Fault::problem,
                    "/responses: the electron shell of " + std::string(name(gas)) +
                        " is not known, which ppt needs; take {\"type\": \"plasma\", \"rate\": \"adk\"}");
      AtomicShell shell;
      shell.potential = data->potential;
      shell.l = data->shell->l;
      shell.charge = data->shell->charge;
      PptSettings settings;
      settings.wavelength = problem.wavelength;
      settings.sum = PptSettings::Sum::integral;  // without the cusps of closing channels, which step control would see
      const Ppt ppt(shell, settings);
      rates = tabulate([&](double field) { return ppt.log_rate(field); }, ppt.barrier_field());
    }
    p.field_min = rates.field_min;
    p.field_step = rates.step;
    UppeResponse response;
    response.kernel = "response.plasma";
    response.params = p;
    response.output = LM_CURRENT;
    response.scale = density.scale;
    response.rates = std::move(rates);
    tables.responses.push_back(std::move(response));
  }
}

// The delayed part of a glass's nonlinear index: (3/2) eps0 chi3 f_R E (h * q), q = E^2 or |A|^2/2 (physics.md, 6).
void add(const Raman& raman, double fraction, UppeTables& tables) {
  const double chi3 = tables.optics->chi3(tables.optics->at(0));
  if (chi3 == 0) return;
  lm_p_convolution p{};
  p.struct_size = sizeof(p);
  p.c = 1.5 * eps0 * chi3 * fraction;
  UppeResponse response;
  response.kernel = "response.convolution";
  response.params = p;
  response.silica = raman.model;
  tables.responses.push_back(std::move(response));
}

// Rotation and vibration of the molecules of each gas, as one response where the field has one component: there the
// tensor of the rotation is its own isotropic form.
void add(const MolecularRaman& raman, UppeTables& tables) {
  const auto& optics = tables.optics;
  const Conditions entrance = optics->at(0);
  for (std::size_t i = 0; i < entrance.gases.size(); ++i) {
    std::string gas(name(entrance.gases[i].gas));
    std::replace(gas.begin(), gas.end(), '-', '_');
    const auto molecule = lumarch::molecule(gas);
    if (!molecule) {
      if (entrance.gases.size() > 1) continue;  // the atoms of a mixture have none
      throw Error(Fault::problem,
                  "/responses: " + gas + " " + why_no_molecule(gas) + "; take raman out, or another gas");
    }
    const Along density = along(optics, [i](const Conditions& at) { return at.gases[i].density; });
    if (density.most == 0) continue;
    const double amagat = density.most / amagat_density;
    std::vector<RamanLine> vibration, rotation;
    if (raman.vibration && molecule->vibration) vibration = {vibration_line(*molecule->vibration, amagat)};
    if (raman.rotation && molecule->rotation)
      rotation = rotation_lines(*molecule->rotation, amagat, optics->temperature());
    const auto push = [&](const std::vector<RamanLine>& lines, std::uint32_t flags) {
      if (lines.empty()) return;
      lm_p_convolution p{};
      p.struct_size = sizeof(p);
      p.flags = flags;
      p.c = density.most;
      UppeResponse response;
      response.kernel = "response.convolution";
      response.params = p;
      response.scale = density.scale;
      response.delayed = sampled_response(lines, tables.grid.dt_fine(), static_cast<std::size_t>(tables.grid.fine));
      tables.responses.push_back(std::move(response));
    };
    if (tables.space_components == 1) {
      rotation.insert(rotation.end(), vibration.begin(), vibration.end());
      push(rotation, 0);
    } else {
      push(vibration, 0);
      push(rotation, LM_RESPONSE_TENSOR);
    }
  }
}

// chi2 of poled crystals: d(z) = d sgn(cos(2 pi z/Lambda)) (physics.md, 16), whose walls lie at odd quarters of Lambda.
void add(const Chi2&, const Problem& problem, UppeTables& tables) {
  UppeResponse response;
  response.kernel = "response.chi2";
  response.params = kerr_params(tables.grid, eps0 * tables.optics->chi2());
  if (const double period = tables.optics->poling_period(); period > 0) {
    constexpr std::size_t most_walls = 1000000;
    if (problem.medium.length / period * 2 > static_cast<double>(most_walls))
      throw Error(Fault::problem,
                  "/medium/poling_period: the medium would have more than a million domains; is the period right?");
    response.domains = true;
    response.scale = [period](double z) { return std::cos(2 * constants::pi * z / period) < 0 ? -1.0 : 1.0; };
    for (double z = period / 4; z < problem.medium.length; z += period / 2) tables.walls.push_back(z);
  }
  tables.responses.push_back(std::move(response));
}

// A plugin's response is in units of its field, as in the model gnlse: abs(A)^2 is the power, where there are nodes the
// intensity, and Kerr's polarisation is abs(A)^2 A. So the columns are in these units, and so are the other responses'
// constants. With E = A/size, P = kerr E^3 in SI is kerr/size^3 times abs(A)^2 A.
void in_units_of_kerr(UppeTables& tables) {
  const Conditions entrance = tables.optics->at(0);
  const double kerr = 0.75 * eps0 * tables.optics->chi3(entrance);
  if (kerr == 0)
    throw Error(Fault::problem,
                "/responses: a plugin's response is in units of Kerr's, and the medium has no nonlinear index; give "
                "/medium/n2, or take the response out");
  const bool averaged = tables.route == Route::mode_averaged;
  const double size = std::sqrt(tables.intensity * (averaged ? tables.optics->area(0, entrance) : 1));
  for (double& pre : tables.pre) pre *= size;
  for (std::complex<double>& post : tables.post) post *= kerr / (size * size * size);
  for (UppeResponse& response : tables.responses) {
    if (auto* p = std::get_if<lm_p_kerr>(&response.params)) {
      p->c *= response.kernel == "response.chi2" ? size / kerr : 1 / kerr;
      p->saturation /= size * size;
    }
    if (auto* p = std::get_if<lm_p_convolution>(&response.params)) p->c /= kerr;
  }
}

}  // namespace

void translate_responses(const Problem& problem, UppeTables& tables) {
  double fraction = 0;  // of the nonlinear index of a glass that is delayed
  for (const Response& response : problem.responses)
    if (const auto* silica = std::get_if<Raman>(&response))
      fraction = silica->fraction.value_or(raman_fraction(silica->model));
  for (const Response& response : problem.responses) {
    if (const auto* kerr = std::get_if<Kerr>(&response)) add(*kerr, 1 - fraction, tables);
    if (const auto* silica = std::get_if<Raman>(&response)) add(*silica, fraction, tables);
    if (const auto* plasma = std::get_if<Plasma>(&response)) add(*plasma, problem, tables);
    if (const auto* raman = std::get_if<MolecularRaman>(&response)) add(*raman, tables);
    if (const auto* chi2 = std::get_if<Chi2>(&response)) add(*chi2, problem, tables);
    if (const auto* own = std::get_if<PluginResponse>(&response)) {
      UppeResponse named;
      named.kernel = own->name;
      named.params = lm_p_own_response{sizeof(lm_p_own_response), 0, 0, 0, nullptr};
      named.own = *own;
      tables.responses.push_back(std::move(named));
    }
  }
  const auto is_own = [](const UppeResponse& response) { return response.own.has_value(); };
  if (std::any_of(tables.responses.begin(), tables.responses.end(), is_own)) in_units_of_kerr(tables);
}

}  // namespace lumarch
