// Every deterministic step as a function from JSON to JSON, for the conformance vectors.

import { dumps, loads } from "./canonical.mjs";
import * as kernel from "./kernel.mjs";
import { read, summary } from "./plan.mjs";
import { exact, less, most, onePlusExp, over, plus, ratio, rational, times } from "./rational.mjs";
import * as transcript from "./transcript.mjs";
import { Verifier } from "./verifier.mjs";

const KERNEL = ("highest shrink contribution clip add sketch user_sketch rounded compare support_bin rank_of mass_of " +
  "is_admitted claim_supported").split(" ");
const ZERO = ratio(0n);

const refuse = (what) => {
  throw new RangeError(what);
};

// Integers, in quotes where they are large, in lists to any depth.
export function integers(value) {
  if (Array.isArray(value)) return value.map(integers);
  if (typeof value !== "number" && typeof value !== "string") refuse("not an integer");
  return BigInt(value);
}

function checked(values) {
  if (values.denominator <= 0n) refuse("a denominator that is not positive");
  if (values.cuts?.some((cut, at) => at > 0 && values.cuts[at - 1] > cut)) refuse("cuts that do not ascend");
  const rows = [...(values.vectors ?? []), ...(values.units ?? []), ...(values.records ?? []).map(([, row]) => row)];
  if (rows.some((row) => BigInt(row.length) !== values.width)) refuse("vectors of unequal lengths");
  return values;
}

const byKernel = (name) => (given) =>
  kernel[name](checked(Object.fromEntries(Object.entries(given).map(([key, value]) => [key, integers(value)]))));

export function grouping({ ids, on_missing_user: policy }) {
  if (!["drop", "own_unit"].includes(policy)) refuse("on_missing_user is neither drop nor own_unit");
  const groups = new Map();
  ids.forEach((name, at) => {
    if (name !== null && typeof name !== "string") refuse("an id that is no text");
    if (name) groups.set(name, [...(groups.get(name) ?? []), at]);
    else if (policy === "own_unit") groups.set(at, [at]);
  });
  return [...groups.values()];
}

function bounds({ adjacency, mass_bound, universe_size }) {
  const [bound, size] = [rational(mass_bound), integers(universe_size)];
  const isReplacement = adjacency === "replacement" || (adjacency !== "add_drop" && refuse("no such adjacency"));
  if (bound[0] <= 0n || size <= 0n) refuse("not positive");
  const [twice, squared] = [times(bound, ratio(2n)), times(bound, bound)];
  if (size === 1n) return { l1: bound, l2_squared: squared, coordinate: bound, spread: ZERO };
  if (!isReplacement) return { l1: bound, l2_squared: squared, coordinate: bound, spread: bound };
  return { l1: twice, l2_squared: times(squared, ratio(2n)), coordinate: bound, spread: twice };
}

const inFull = (values) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, exact(value)]));

function claimed({ epsilon, delta = "0" }) {
  const found = { epsilon: rational(epsilon), delta: rational(delta) };
  if (found.epsilon[0] <= 0n || found.delta[0] < 0n || !less(found.delta, ratio(1n))) refuse("no such claim");
  return found;
}

export const laplaceScale = (given) => over(bounds(given).l1, claimed(given).epsilon);

function rounds({ rounds: count, adjacency }) {
  if (integers(count) <= 0n || !["add_drop", "replacement"].includes(adjacency)) refuse("no round, or no such adjacency");
  return ratio(integers(count));
}

function selectionCost(given) {
  const more = given.adjacency === "replacement" ? 1n : 0n;
  return times(plus(rounds(given), ratio(more)), rational(given.per_round));
}

function jointCost(given) {
  const [count, each, rate] = [rounds(given), rational(given.per_round), rational(given.value_rate)];
  if (given.adjacency === "add_drop") {
    return most(plus(times(count, each), most(ZERO, plus(rate, times(each, ratio(-1n))))), plus(each, rate));
  }
  if (count[0] === 1n) return plus(times(each, ratio(2n)), rate);
  return plus(plus(times(count, each), rate), most(each, rate));
}

function conversion(given) {
  const { epsilon, delta } = claimed(given);
  const isLarge = less(ratio(1000n), epsilon);
  const grown = delta[0] === 0n ? ZERO : isLarge ? ratio(1n) : times(onePlusExp(epsilon), delta);
  return { epsilon: times(epsilon, ratio(2n)), delta: less(ratio(1n), grown) ? ratio(1n) : grown };
}

function ledgerSum({ budget, charges }) {
  const parts = ["epsilon", "delta"];
  let spent = [ZERO, ZERO];
  const fitted = charges.map((charge) => {
    const more = parts.map((part, at) => plus(spent[at], rational(charge[part])));
    const fits = parts.every((part, at) => !less(rational(budget[part]), more[at]));
    if (fits) spent = more;
    return fits;
  });
  return { epsilon: exact(spent[0]), delta: exact(spent[1]), fitted };
}

const verifiers = new Map();

function verdict({ plan, text }) {
  const key = JSON.stringify(plan);
  if (!verifiers.has(key)) verifiers.set(key, new Verifier(read(plan)));
  return verifiers.get(key).accepts(text);
}

export const STEPS = {
  ...Object.fromEntries(KERNEL.map((name) => [name, byKernel(name)])),
  grouping,
  sensitivity: (given) => inFull(bounds(given)),
  laplace_scale: (given) => exact(laplaceScale(given)),
  selection_cost: (given) => exact(selectionCost(given)),
  joint_cost: (given) => exact(jointCost(given)),
  conversion: (given) => inFull(conversion(given)),
  ledger_sum: ledgerSum,
  canonical: ({ json }) => dumps(loads(json)),
  transcript: ({ objects }) => transcript.encode(objects),
  transcript_rows: ({ transcript: data }) => transcript.count(data),
  verdict,
  fallback: ({ plan }) => summary(read(plan)),
};
