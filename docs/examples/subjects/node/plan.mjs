// A plan file (docs/contract.md; the neutral plan or dpspin-plan/1) as integers on one lattice, and its short summary.

import { UNIT, atLeastZero, rank_of, support_bin } from "./kernel.mjs";
import { common, exact, ratio, rational, shown } from "./rational.mjs";

const BELOW = "below noise floor";

export function read(tree) {
  const universe = [...tree.universe].sort((a, b) => Number(a.index) - Number(b.index));
  const positions = new Map(universe.map(({ index }, at) => [Number(index), BigInt(at)]));
  const rows = tree.released.map((row) => ({ ...row, mass: rational(row.noisy_mass), support: rational(row.support) }));
  const bins = binsOf(tree.bins);
  const numbers = { denominator: rational(tree.public_denominator), margin: rational(tree.margin) };
  numbers.floor = tree.noise_floor == null ? floorOf(rows, bins[0].name) : rational(tree.noise_floor);
  const lattice = [...rows.map(({ mass }) => mass), ...Object.values(numbers)];
  const unit = lattice.reduce((found, [, denominator]) => common(found, denominator), UNIT);
  const integer = ([numerator, denominator]) => (numerator * unit) / denominator;
  const cuts = bins.slice(2).map(({ lower }) => rational(lower));
  const scale = cuts.reduce((found, [, denominator]) => common(found, denominator), 1n);
  return completed({
    labels: universe.map(({ label }) => label),
    bins: bins.map(({ name }) => name),
    plan: rows.map((row) => [positions.get(Number(row.index)), integer(row.mass)]),
    terms: {
      unit, scale, margin: integer(numbers.margin), floor: integer(numbers.floor),
      denominator: integer(numbers.denominator), cuts: cuts.map(([a, b]) => (a * scale) / b),
    },
    massDigits: Number(tree.display?.mass_dp ?? longest(rows.map(({ mass }) => mass))),
    supportDigits: Number(tree.display?.support_dp ?? longest(rows.map(({ support }) => support))),
    parameters: {
      epsilon: tree.epsilon, delta: tree.delta, denominator: exact(numbers.denominator), "plan size": String(tree.plan_size),
    },
    publicText: Object.entries(tree.public_text ?? {}),
    stamp: tree.stamp ?? null,
  });
}

// Released atoms in the order of their ranks, with what follows from their masses.
export function completed(found) {
  const { plan, terms, labels } = found;
  const atoms = plan.map(([index, mass]) => ({
    index, mass, label: labels[Number(index)], bin: Number(support_bin({ mass, ...terms })),
    rank: Number(rank_of({ plan, atom: index })),
  }));
  atoms.sort((a, b) => a.rank - b.rank);
  return { ...found, atoms };
}

export const shownMass = ({ terms, massDigits }, mass) => shown(mass, terms.unit, massDigits);
export const shownSupport = ({ terms, supportDigits }, mass) => shown(atLeastZero(mass), terms.denominator, supportDigits);

// A summary in the controlled language: every released atom in a row, then the public parameters.
export function summary(plan) {
  const { parameters, stamp, atoms, bins } = plan;
  const rows = atoms.map(({ label, mass, bin, rank }) => {
    const place = bin ? `${bins[bin]} bin` : "below the noise floor";
    return `- ${label}: noisy mass ${shownMass(plan, mass)}, normalised support ${shownSupport(plan, mass)}, ${place}, rank ${rank}`;
  });
  const [denominator] = [parameters.denominator.replace(/^\d+$/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","))];
  return [
    ...(stamp === null ? [] : [stamp, ""]),
    `The plan releases ${atoms.length} ${atoms.length === 1 ? "theme" : "themes"}.`,
    "",
    ...(rows.length ? [...rows, ""] : []),
    `The public denominator is ${denominator}.`,
    `The plan was released with epsilon ${parameters.epsilon.toLowerCase()} and delta ${parameters.delta.toLowerCase()}.`,
    "",
  ].join("\n");
}

// The bin without a lower cut is the one below the noise floor, unless no other begins at 0.
function binsOf(rows) {
  const last = rows.find(({ lower }) => lower == null);
  const others = rows.filter((row) => row !== last);
  const isFloor = last && (last.name.toLowerCase() === BELOW || others.some(({ lower }) => rational(lower)[0] === 0n));
  return isFloor ? [last, ...others] : [{ name: BELOW }, ...rows];
}

function floorOf(rows, name) {
  const least = (masses, first) => masses.reduce((a, b) => (b[0] * a[1] < a[0] * b[1] ? b : a), first);
  const below = rows.filter(({ bin }) => bin === name).map(({ mass }) => mass);
  if (below.length) return below.reduce((a, b) => (a[0] * b[1] < b[0] * a[1] ? b : a));
  const [numerator, denominator] = least(rows.map(({ mass }) => mass), [0n, 1n]);
  return ratio(numerator - denominator, denominator);
}

const longest = (numbers) => Math.max(0, ...numbers.map(([, denominator]) => digitsOf(denominator)));

function digitsOf(denominator) {
  const found = [0, 1, 2, 3, 4, 5].find((digits) => 10n ** BigInt(digits) % denominator === 0n);
  return found ?? 6;
}
