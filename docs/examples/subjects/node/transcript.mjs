// transcript.jsonl: canonical lines, each holding the digest of the line before it.

import { digest, dumps, loads } from "./canonical.mjs";

const FIELDS = "bytes charge name order previous role sha256 text";
const START = "0".repeat(64);

export function encode(objects) {
  let previous = START;
  return objects
    .map(({ name, role, text, charge = null }, at) => {
      const line = dumps({
        order: at + 1, name, role, charge, bytes: Buffer.byteLength(text), sha256: digest(text), previous,
        text: role === "post-processing" ? text : null,
      });
      previous = digest(line);
      return line;
    })
    .join("");
}

// How many lines there are, once the chain holds.
export function count(data) {
  const lines = data.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let previous = START;
  lines.forEach((line, at) => {
    const row = loads(line);
    const shaped = row instanceof Map && [...row.keys()].sort().join(" ") === FIELDS && dumps(row) === line;
    if (!shaped || row.get("order") !== BigInt(at + 1) || row.get("previous") !== previous) throw new RangeError("chain");
    const text = row.get("text");
    if ((row.get("role") === "post-processing") !== (typeof text === "string")) throw new RangeError("role");
    const length = BigInt(Buffer.byteLength(text ?? ""));
    if (text !== null && (digest(text) !== row.get("sha256") || length !== row.get("bytes"))) throw new RangeError("text");
    previous = digest(line);
  });
  return lines.length;
}
