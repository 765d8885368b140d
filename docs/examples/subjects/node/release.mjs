// One deployment of the laplace mechanism: from records to the exact sketch, and from there to plans and bundles.

import { createHmac } from "node:crypto";
import { digest, dumps } from "./canonical.mjs";
import * as kernel from "./kernel.mjs";
import { Bits, noiseFloor } from "./noise.mjs";
import { completed, shownSupport, summary } from "./plan.mjs";
import { common, exact, over, ratio, rational, times } from "./rational.mjs";
import { laplaceScale } from "./steps.mjs";
import { casefold } from "./text.mjs";
import * as transcript from "./transcript.mjs";

const { UNIT } = kernel;
const SEEDED = "NON-PRIVATE: the noise of this plan came from a seed and can be subtracted.";
const MOST_COUNTED = 64;

const floorOf = ([numerator, denominator]) => kernel.floorDiv(numerator, denominator);
const number = ([numerator, denominator]) => Number(numerator) / Number(denominator);
const inUnits = (value) => times(rational(value), ratio(UNIT));

// log2(1 + count) in 256ths, rounded down: the length of (1 + count)^256 in binary.
const DAMPED = Array.from({ length: MOST_COUNTED + 1 }, (_, n) => BigInt((BigInt(n + 1) ** 256n).toString(2).length - 1));

export class Deployment {
  constructor(deployment, files) {
    this.given = deployment;
    this.files = files;
    this.labels = JSON.parse(files["universe.json"]).atoms;
    this.weights = JSON.parse(files["weights.json"]);
    this.size = this.labels.length;
    this.bound = floorOf(inUnits(deployment.mass_bound));
    const { adjacency, mass_bound, mechanism } = deployment;
    const scale = laplaceScale({ adjacency, mass_bound, universe_size: this.size, epsilon: mechanism.epsilon });
    this.scale = times(scale, ratio(UNIT));
    this.admitted = Math.min(deployment.plan.size, this.size);
    this.terms = this.publicTerms();
    if (this.scale[0] >= 1n << 48n) throw new RangeError("the scale of the noise is out of bounds");
  }

  get claim() {
    const { unit, adjacency, mass_bound, mechanism, user } = this.given;
    return {
      unit, adjacency, mass_bound, epsilon: mechanism.epsilon, delta: mechanism.delta, mechanism: "laplace",
      scale: exact(times(this.scale, ratio(1n, UNIT))), missing_ids: user?.on_missing_user ?? "drop",
    };
  }

  publicTerms() {
    const { plan, mechanism } = this.given;
    const floor = BigInt(noiseFloor(number(this.scale), this.size, number(rational(plan.noise_beta))));
    const cuts = plan.bins.slice(1).map(({ from }) => rational(from));
    const scale = cuts.reduce((found, [, denominator]) => common(found, denominator), 1n);
    const denominator = floorOf(inUnits(plan.public_denominator));
    const margin = plan.margin === "rule" ? 2n * floor : -floorOf(times(inUnits(plan.margin), ratio(-1n)));
    return {
      labels: this.labels.map(({ label }) => label),
      bins: ["below noise floor", ...plan.bins.map(({ name }) => name)],
      terms: { unit: UNIT, scale, margin, floor, denominator, cuts: cuts.map(([a, b]) => (a * scale) / b) },
      massDigits: plan.display.mass_digits,
      supportDigits: plan.display.support_digits,
      parameters: { epsilon: mechanism.epsilon, delta: mechanism.delta, denominator: exact(ratio(denominator, UNIT)) },
    };
  }

  // The id of a record's unit; null where it has none, is auxiliary or is not selected.
  unitOf(record) {
    const { corpus, user } = this.given;
    const id = record[corpus.id_field];
    let unit = id ?? null;
    if (user) {
      const owner = record[user.id_field];
      const isOwn = user.on_missing_user === "own_unit" && id !== undefined;
      unit = owner ? `user ${owner}` : isOwn ? `record ${id}` : null;
    }
    if (unit === null || falls(corpus.split.key, corpus.split.auxiliary_share, unit)) return null;
    return falls(corpus.selection_key, corpus.sampling_rate, unit) ? unit : null;
  }

  // phi(x): scores by integer weights of words, then one unit of mass for the highest.
  share(record) {
    const counts = new Map();
    const text = casefold(record[this.given.corpus.text_field] ?? "");
    for (const [term] of text.matchAll(/[a-z]{2,}/g)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const scores = Array(this.size).fill(0n);
    for (const [term, count] of counts) {
      const row = Object.hasOwn(this.weights.terms, term) ? this.weights.terms[term] : [];
      for (const [atom, weight] of row) scores[atom] += DAMPED[Math.min(count, MOST_COUNTED)] * BigInt(weight);
    }
    return kernel.contribution({ scores, max_atoms: BigInt(this.given.assignment.max_atoms), unit: UNIT });
  }

  sketch(records) {
    const units = new Map();
    records.forEach((record, at) => {
      const unit = this.unitOf(record);
      if (unit === null) return;
      const key = this.given.user ? unit : at; // where every record is a unit, equal ids are two units
      units.set(key, [...(units.get(key) ?? []), this.share(record)]);
    });
    const width = BigInt(this.size);
    const sums = [...units.values()].map((vectors) => kernel.add({ vectors, width }));
    return kernel.sketch({ units: sums, bound: this.bound, width });
  }

  noisy(exactMasses, bits) {
    const [numerator, denominator] = this.scale.map(Number);
    return exactMasses.map((mass) => mass + bits.laplace(numerator, denominator));
  }

  release(records, seed = null) {
    if (seed !== null && !this.given.corpus.synthetic) throw new RangeError("a seed, and records that are not synthetic");
    const masses = this.noisy(this.sketch(records).map(Number), new Bits(seed));
    const admitted = top(masses, this.admitted).map((atom) => [BigInt(atom), BigInt(masses[atom])]);
    const stamp = seed === null ? null : SEEDED;
    const plan = completed({ ...this.terms, plan: admitted, stamp });
    const [data, text] = [this.planFile(plan), summary(plan)];
    const objects = [
      { name: "deployment.yaml", role: "public", text: this.files["deployment.yaml"] },
      { name: "universe.json", role: "public", text: this.files["universe.json"] },
      { name: "plan.json", role: "dp", text: data },
      { name: "summary.txt", role: "post-processing", text },
    ];
    const files = Object.fromEntries(objects.map((one) => [one.name, { text: one.text }]));
    return { ...files, "transcript.jsonl": { text: transcript.encode(objects) } };
  }

  planFile(found) {
    const { plan, mechanism, decoder } = this.given;
    const { bins, terms, parameters } = found;
    const mass = (value) => exact(ratio(value, UNIT));
    const cuts = terms.cuts.map((cut) => exact(ratio(cut, terms.scale)));
    const body = {
      schema: "dpspin-plan/1",
      universe: this.labels.map(({ label, description }, index) => ({ index, label, ...(description === undefined ? {} : { description }) })),
      released: found.atoms.map((atom) => ({
        index: atom.index, label: atom.label, noisy_mass: mass(atom.mass),
        support: shownSupport(found, atom.mass).replaceAll(",", ""), bin: bins[atom.bin], rank: atom.rank,
      })),
      public_denominator: parameters.denominator,
      bins: bins.map((name, at) => ({ name, lower: [null, "0", ...cuts][at] })),
      noise_floor: mass(terms.floor), margin: mass(terms.margin), plan_size: plan.size, mechanism: "laplace",
      epsilon: mechanism.epsilon, delta: mechanism.delta,
      display: { mass_dp: plan.display.mass_digits, support_dp: plan.display.support_digits },
      public_text: decoder.public_text, stamp: found.stamp,
    };
    return dumps({ plan_id: digest(dumps(body)).slice(0, 16), ...body });
  }

  // Many plans of one corpus: atoms as 32-bit integers, then masses as doubles; both are exact.
  sample(records, runs) {
    const exactMasses = this.sketch(records).map(Number);
    const [atoms, masses, bits] = [new Int32Array(runs * this.admitted), new Float64Array(runs * this.admitted), new Bits()];
    for (let run = 0, at = 0; run < runs; run += 1) {
      const values = this.noisy(exactMasses, bits);
      for (const atom of top(values, this.admitted)) {
        atoms[at] = atom;
        masses[at++] = values[atom] / 2 ** 20;
      }
    }
    return [atoms, masses];
  }
}

// Whether an id falls into a share of all ids: the first 128 bits of HMAC-SHA256(key, id) over 2^128 are below it.
function falls(key, share, id) {
  const mac = createHmac("sha256", key).update(bytesOf(id)).digest("hex").slice(0, 32);
  const [numerator, denominator] = rational(share);
  return BigInt(`0x${mac}`) * denominator < numerator << 128n;
}

// UTF-8, where half a surrogate pair keeps three bytes of its own: ids that differ are hashed apart.
function bytesOf(id) {
  const parts = Array.from(id, (character) => {
    const code = character.codePointAt(0);
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    return isHalf ? Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)]) : Buffer.from(character);
  });
  return Buffer.concat(parts);
}

// Positions of the highest values, highest first; the lower position wins a tie.
function top(values, count) {
  const found = [];
  for (let at = 0; at < values.length; at += 1) {
    if (found.length === count && values[at] <= values[found[count - 1]]) continue;
    let place = found.length;
    while (place > 0 && values[found[place - 1]] < values[at]) place -= 1;
    found.splice(place, 0, at);
    if (found.length > count) found.pop();
  }
  return found;
}
