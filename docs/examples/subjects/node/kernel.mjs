// The deterministic steps on integers (docs/spec.md sections 1, 3 and 4).  Every number is a BigInt: masses count lattice
// units, and products of two masses pass 2^53.

export const UNIT = 1n << 20n;

export const total = (values) => values.reduce((sum, value) => sum + value, 0n);
export const atLeastZero = (value) => (value > 0n ? value : 0n);

export function floorDiv(numerator, denominator) {
  const quotient = numerator / denominator;
  return numerator % denominator !== 0n && numerator < 0n !== denominator < 0n ? quotient - 1n : quotient;
}

// Positions of the `count` largest values, largest first; the lower position wins a tie.
export function highest({ values, count }) {
  const order = values.map((_, position) => position);
  order.sort((a, b) => (values[a] === values[b] ? a - b : values[a] > values[b] ? -1 : 1));
  return order.slice(0, Number(count)).map(BigInt);
}

export function shrink({ vector, bound }) {
  const sum = total(vector) || 1n;
  return vector.map((value) => floorDiv(value * bound, sum));
}

export function contribution({ scores, max_atoms, unit }) {
  const kept = new Set(highest({ values: scores, count: max_atoms }));
  return shrink({ vector: scores.map((score, atom) => (kept.has(BigInt(atom)) ? atLeastZero(score) : 0n)), bound: unit });
}

export function clip({ vector, bound }) {
  const positive = vector.map(atLeastZero);
  return total(positive) <= bound ? positive : shrink({ vector: positive, bound });
}

export function add({ vectors, width }) {
  return Array.from({ length: Number(width) }, (_, atom) => total(vectors.map((vector) => vector[atom])));
}

export const sketch = ({ units, bound, width }) => add({ vectors: units.map((vector) => clip({ vector, bound })), width });

export function user_sketch({ records, bound, width }) {
  const owned = new Map();
  for (const [owner, vector] of records) owned.set(owner, [...(owned.get(owner) ?? []), vector]);
  return sketch({ units: [...owned.values()].map((vectors) => add({ vectors, width })), bound, width });
}

export const mass_of = ({ plan, atom }) => total(plan.filter(([name]) => name === atom).map(([, mass]) => mass));
export const is_admitted = ({ plan, atom }) => plan.filter(([name]) => name === atom).length === 1;

export function compare({ left, right, margin }) {
  const least = margin > 1n ? margin : 1n;
  return left - right >= least ? 1n : right - left >= least ? -1n : 0n;
}

// scale * numerator / denominator to the nearest integer, a half to the even one.
export function rounded({ numerator, denominator, scale }) {
  const doubled = 2n * numerator * scale + denominator;
  const floor = floorDiv(doubled, 2n * denominator);
  return doubled === floor * 2n * denominator && floor % 2n !== 0n ? floor - 1n : floor;
}

export function support_bin({ mass, floor, denominator, cuts, scale }) {
  return mass <= floor ? 0n : 1n + BigInt(cuts.filter((cut) => cut * denominator <= mass * scale).length);
}

export function rank_of({ plan, atom }) {
  const own = mass_of({ plan, atom });
  return 1n + BigInt(plan.filter(([name, mass]) => mass > own || (mass === own && name < atom)).length);
}

// kind: 1 mention, 2 mass, 3 support, 4 bin, 5 comparison, 6 similarity, 7 rank, 8 count
export function claim_supported({ plan, claim, unit, margin, floor, denominator, cuts, scale }) {
  const [kind, atom, other, value] = claim;
  const binOf = (mass) => support_bin({ mass, floor, denominator, cuts, scale });
  if (kind === 8n) {
    const counted = plan.filter(([, mass]) => other === -1n || binOf(mass) === other);
    return value === BigInt(counted.length);
  }
  if (!is_admitted({ plan, atom })) return false;
  const own = mass_of({ plan, atom });
  if (kind === 1n) return true;
  if (kind === 2n) return value === rounded({ numerator: own, denominator: unit, scale: other });
  if (kind === 3n) return value === rounded({ numerator: atLeastZero(own), denominator, scale: other });
  if (kind === 4n) return value === binOf(own);
  if (kind === 7n) return value === rank_of({ plan, atom });
  if (!is_admitted({ plan, atom: other })) return false;
  const theirs = mass_of({ plan, atom: other });
  if (kind === 5n) return compare({ left: own, right: theirs, margin }) === 1n;
  if (kind === 6n) return (own > theirs ? own - theirs : theirs - own) < margin;
  return false;
}
