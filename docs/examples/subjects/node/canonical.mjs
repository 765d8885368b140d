// Canonical JSON: strict reading, and one way of writing.  Sorted keys, no blanks, no floats, a line feed at the end;
// integers of 2^53 or more, and numbers with a fraction or exponent, are texts.

import { createHash } from "node:crypto";
import { rational } from "./rational.mjs";

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const BLANK = /[ \t\n\r]*/y;
const WORDS = { true: true, false: false, null: null };
const EXACT_IN_DOUBLES = 1n << 53n;
const DEEPEST = 500;

export const digest = (data) => createHash("sha256").update(data).digest("hex");

// Integers come back as BigInt, other numbers as rationals.
export function loads(text) {
  let at = 0;
  const refuse = (what) => {
    throw new SyntaxError(`${what} at ${at}`);
  };
  const match = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found?.[0];
  };
  const takes = (mark) => {
    match(BLANK);
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  };
  const string = () => {
    const found = match(STRING) ?? refuse("not a string");
    const value = JSON.parse(found);
    return /[\ud800-\udfff]/u.test(value) ? refuse("a lone surrogate") : value;
  };
  const number = () => {
    const found = match(NUMBER) ?? refuse("not JSON");
    if (found.length > 400 || Math.abs(Number(/[eE](.*)/.exec(found)?.[1] ?? 0)) > 999) refuse("a number out of bounds");
    return /^-?[0-9]+$/.test(found) ? BigInt(found) : new Exact(found);
  };
  const value = (depth) => {
    if (depth > DEEPEST) refuse("too deeply nested");
    if (takes("{")) return object(depth);
    if (takes("[")) return list(depth);
    if (text[at] === '"') return string();
    const word = Object.keys(WORDS).find((name) => text.startsWith(name, at));
    if (word === undefined) return number();
    at += word.length;
    return WORDS[word];
  };
  const list = (depth) => {
    const found = [];
    if (takes("]")) return found;
    do found.push(value(depth + 1));
    while (takes(","));
    return takes("]") ? found : refuse("no end of an array");
  };
  const object = (depth) => {
    const found = new Map();
    if (takes("}")) return found;
    do {
      match(BLANK);
      const key = string();
      if (found.has(key)) refuse("a key stands twice");
      if (!takes(":")) refuse("no colon");
      found.set(key, value(depth + 1));
    } while (takes(","));
    return takes("}") ? found : refuse("no end of an object");
  };
  const found = value(0);
  match(BLANK);
  return at === text.length ? found : refuse("more text");
}

class Exact {
  constructor(text) {
    const [, base, exponent = "0"] = /^([^eE]*)(?:[eE](.*))?$/.exec(text);
    const [numerator, denominator] = rational(base);
    const power = 10n ** BigInt(Math.abs(Number(exponent)));
    this.value = Number(exponent) < 0 ? [numerator, denominator * power] : [numerator * power, denominator];
  }

  toString() {
    const [a, b] = this.value;
    const common = ((x, y) => {
      while (y) [x, y] = [y, x % y];
      return x < 0n ? -x : x;
    })(a, b);
    return b === common ? String(a / common) : `${a / common}/${b / common}`;
  }
}

const byCodePoint = (left, right) => {
  const [a, b] = [Array.from(left), Array.from(right)];
  const at = a.findIndex((character, place) => character !== b[place]);
  if (at < 0) return a.length - b.length;
  return b[at] === undefined ? 1 : a[at].codePointAt(0) - b[at].codePointAt(0);
};

function written(value) {
  if (typeof value === "bigint") {
    return value < EXACT_IN_DOUBLES && value > -EXACT_IN_DOUBLES ? String(value) : `"${value}"`;
  }
  if (value instanceof Exact) return `"${value}"`;
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  entries.sort(([left], [right]) => byCodePoint(left, right));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${written(item)}`).join(",")}}`;
}

export const dumps = (value) => `${written(value)}\n`;
