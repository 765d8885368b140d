// A subject of DPSP/1 without packages: `dpspin audit --impl 'cmd:node subject.mjs'`.  One line in, one line out.

import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { exact, ratio, rational, times as product } from "./rational.mjs";
import { Deployment } from "./release.mjs";
import { STEPS } from "./steps.mjs";

const OFFERS = ["sample", "seed", "contribution", "unit_key", "sketch", "decoder_input", "spent", "vector"];
const NOT_HERE = { gaussian_sigma: "no certified Gaussian tail in this sample" };
let deployment = null;
let releases = 0;

const OPERATIONS = {
  hello: () => ({ protocol: "DPSP/1", name: "node-sample", offers: OFFERS }),
  configure({ deployment: given, files }) {
    if (given.mechanism.kind !== "laplace") throw new RangeError("this sample has the laplace mechanism alone");
    deployment = new Deployment(given, files);
    releases = 0;
    return { claim: deployment.claim };
  },
  release({ records, seed }) {
    releases += 1;
    return { files: deployment.release(records, seed === undefined ? null : Buffer.from(seed, "hex")) };
  },
  contribution: ({ record }) => ({ values: deployment.sketch([record]) }),
  sketch: ({ records }) => ({ values: deployment.sketch(records) }),
  unit_key: ({ record }) => ({ key: deployment.unitOf(record) }),
  decoder_input: ({ plan }) => ({ data: { text: plan } }),
  spent: () => ({ epsilon: times(deployment.given.mechanism.epsilon, releases), delta: "0" }),
  vector: ({ function: name, input }) => ({ output: STEPS[name](input) }),
  bye: () => ({}),
};

// epsilon times a count, exact: a decimal or fraction keeps its form.
function times(text, count) {
  return exact(product(rational(text), ratio(BigInt(count))));
}

function answer({ id, op, ...fields }) {
  const missing = op === "vector" && !(fields.function in STEPS);
  if (missing) return say({ id, skipped: { reason: NOT_HERE[fields.function] ?? "no such step" } });
  try {
    if (op === "sample") return sampled(id, fields);
    return say({ id, result: OPERATIONS[op](fields) });
  } catch (error) {
    return say({ id, errored: { traceback: String(error.stack ?? error) } });
  }
}

function sampled(id, { records, runs }) {
  const [atoms, masses] = deployment.sample(records, runs);
  say({ id, result: { rows: runs, width: deployment.admitted, masses: "<f8" } });
  write(Buffer.from(atoms.buffer));
  write(Buffer.from(masses.buffer));
}

// Integers of 2^53 or more stand in quotes.
const plain = (_, value) => (typeof value !== "bigint" ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value));

const say = (tree) => write(Buffer.from(`${JSON.stringify(tree, plain)}\n`));

// All of it, however little a pipe takes at once.
function write(data) {
  for (let at = 0; at < data.length; ) {
    try {
      at += writeSync(1, data, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const order = JSON.parse(line);
  answer(order);
  if (order.op === "bye") process.exit(0);
}
