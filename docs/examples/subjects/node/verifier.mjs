// The verifier: a text is accepted if all of it is understood and the plan supports every claim (docs/decoder.md).
// The first of its ten steps that refuses something ends the verification here.

import { claim_supported, rank_of } from "./kernel.mjs";
import { read } from "./language.mjs";
import { rational } from "./rational.mjs";
import { SPACES, fold, folded } from "./text.mjs";
import { cut } from "./tokens.mjs";

const BLANKS = [" ", "\u00a0", "\t", "\n"];
const BLOT = "\ue000";
const PLAIN = { "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2212": "-" };
const STRANGE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/u;
const WORD = /[\p{L}\p{N}\p{M}_]/u;
const ENDS = /\.(?=[ \u00a0\t\n]|$)|\n/g;
const NEXT_ROW = /(?<=\|)[ \u00a0\t]*\n(?=[ \u00a0\t]*\|)/g;

const length = (text) => Array.from(text).length;
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

export class Verifier {
  constructor(plan) {
    this.plan = plan;
    this.tree = treeOf(plan.labels);
    this.released = new Set(plan.atoms.map(({ index }) => Number(index)));
    this.ranks = new Map(plan.atoms.map(({ index, rank }) => [index, rank]));
    this.bins = new Map(plan.bins.map((name, at) => [fold(name), at]));
    const names = [...this.bins.keys()].map((name) => escaped(name).replaceAll(" ", "[ \\u00a0\\t]+")).join("|");
    this.binName = new RegExp(`(?<!\\w)(${names})(?=[ \\u00a0\\t]+bin(?!\\w))|(?<=\\|)[ \\u00a0\\t]*(${names})(?=[ \\u00a0\\t]*\\|)`, "gid");
    const written = [...plan.publicText.map(([, text]) => text), plan.stamp ?? ""];
    const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
    this.longest = 2000 + sum(plan.atoms.map(({ label }) => 600 + 8 * length(label))) + 2 * sum(written.map(length));
    this.public = plan.publicText.map(([, text]) => this.publicKeys(text)).filter(Boolean).sort((a, b) => b.length - a.length);
  }

  accepts(text) {
    try {
      this.judge(text);
      return true;
    } catch (refusal) {
      if (refusal instanceof RangeError) return false;
      throw refusal;
    }
  }

  judge(text) {
    this.checkShape(text);
    const body = this.unstamped(text);
    const page = this.page(body);
    if (!page.sentences.length && body === text) throw new RangeError("step 6: empty");
    let row = [];
    for (let at = 0; at < page.sentences.length; ) {
      const known = this.public.find((keys) => keys.every((key, ahead) => page.sentences[at + ahead]?.key === key));
      row = known ? [] : this.sentence(page, page.sentences[at], row);
      at += known ? known.length : 1;
    }
  }

  // Steps 1 and 2.
  checkShape(text) {
    if (length(text) > this.longest) throw new RangeError("step 1: too long");
    if (text.normalize("NFC") !== text) throw new RangeError("step 2: not in normal form C");
  }

  // Step 3.
  unstamped(text) {
    const { stamp } = this.plan;
    if (stamp === null) return text;
    const next = text[stamp.length];
    if (!text.startsWith(stamp) || (next !== undefined && !BLANKS.includes(next))) throw new RangeError("step 3: stamp");
    return " ".repeat(stamp.length) + text.slice(stamp.length);
  }

  // Steps 4 to 6: labels and bin names marked, and the sentences between stops.
  page(text) {
    const plain = text.replace(/[\u2018\u2019\u201c\u201d\u2212]/g, (character) => PLAIN[character]);
    const marks = new Map();
    let blotted = plain;
    for (const { start, end, atom } of this.scan(text)) {
      if (!this.released.has(atom)) throw new RangeError("step 4: a label that is not released");
      blotted = blotted.slice(0, start) + BLOT.repeat(end - start) + blotted.slice(end);
      marks.set(start, { kind: "LABEL", value: String(atom), end });
    }
    let position = 0;
    for (const character of text) {
      const isHidden = blotted[position] === BLOT && character !== BLOT;
      if (!isHidden && !BLANKS.includes(character) && STRANGE.test(character)) throw new RangeError("step 5: character");
      position += character.length;
    }
    for (const found of blotted.matchAll(this.binName)) {
      const [start, end] = found.indices[found[1] === undefined ? 2 : 1];
      marks.set(start, { kind: "BIN", value: String(this.bins.get(fold(blotted.slice(start, end)))), end });
    }
    for (const { index, 0: { length: size } } of blotted.matchAll(NEXT_ROW)) marks.set(index + size - 1, { kind: "ROW", end: index + size });
    return { plain, blotted, marks, sentences: sentences(plain, blotted, marks) };
  }

  // Steps 8 to 10 for one sentence; the atom of a row of a list is handed on to the next row.
  sentence({ blotted, marks }, { start, end }, row) {
    const stop = blotted[end - 1] === "." ? end - 1 : end;
    const { claims, lists, row: own } = read(cut(blotted, start, stop, marks));
    for (const atoms of own.length ? [[...row, ...own]] : lists) {
      const ranks = atoms.map((atom) => this.ranks.get(atom));
      if (ranks.some((rank, at) => at > 0 && ranks[at - 1] >= rank)) throw new RangeError("step 9: order");
    }
    if (!claims.every((claim) => this.supports(claim))) throw new RangeError("step 10: not supported");
    return own;
  }

  supports({ kind, atom, other = 0n, value = 0n, digits, bin, name, text }) {
    const { plan, terms, parameters, massDigits, supportDigits } = this.plan;
    if (kind === "parameter") {
      const [a, b] = [rational(parameters[name]), rational(text)];
      return a[0] === b[0] && a[1] === b[1];
    }
    if (kind === "above") return rank_of({ plan, atom }) < rank_of({ plan, atom: other });
    if (digits < (kind === 2n ? massDigits : supportDigits)) return false;
    const second = digits !== undefined ? 10n ** BigInt(digits) : bin ?? other;
    return claim_supported({ plan, claim: [kind, atom ?? 0n, second, value], ...terms });
  }

  // Step 7: a public text as the keys of its sentences; null where it cannot be told from other sentences.
  publicKeys(text) {
    try {
      this.checkShape(text);
      const page = this.page(text);
      const isWhole = page.sentences.every(({ end }) => page.blotted[end - 1] === ".");
      if (!page.sentences.length || text.includes("\n") || !isWhole || page.sentences.some((one) => isRead(page, one))) return null;
      return page.sentences.map(({ key }) => key);
    } catch (refusal) {
      if (refusal instanceof RangeError) return null;
      throw refusal;
    }
  }

  // The leftmost-longest label over all atoms, released or not; it never begins or ends inside a word.
  scan(text) {
    const [characters, origins] = [[], []];
    let raw = 0;
    for (const character of text) {
      for (const part of folded(character)) {
        characters.push(SPACES.test(part) ? " " : part);
        origins.push([raw, raw + character.length]);
      }
      raw += character.length;
    }
    const divides = (at) => at === 0 || at === characters.length || !(WORD.test(characters[at - 1]) && WORD.test(characters[at]));
    const found = [];
    for (let start = 0; start < characters.length; ) {
      const best = divides(start) ? this.longestAt(characters, start, divides) : null;
      if (best) found.push({ start: origins[start][0], end: origins[best.end - 1][1], atom: best.atom });
      start = best ? best.end : start + 1;
    }
    return found;
  }

  longestAt(characters, start, divides) {
    let [node, at, best] = [this.tree, start, null];
    while (at < characters.length && node.next.has(characters[at])) {
      const step = characters[at];
      node = node.next.get(step);
      at += 1;
      while (step === " " && characters[at] === " ") at += 1;
      if (node.atom !== undefined && divides(at)) best = { end: at, atom: node.atom };
    }
    return best;
  }
}

function treeOf(labels) {
  const tree = { next: new Map() };
  labels.forEach((label, atom) => {
    let node = tree;
    for (const character of fold(label)) {
      if (!node.next.has(character)) node.next.set(character, { next: new Map() });
      node = node.next.get(character);
    }
    node.atom = atom;
  });
  return tree;
}

function isRead({ blotted, marks }, { start, end }) {
  try {
    read(cut(blotted, start, end - 1, marks));
    return true;
  } catch (refusal) {
    if (refusal instanceof RangeError) return false;
    throw refusal;
  }
}

function sentences(plain, blotted, marks) {
  const ends = [...blotted.matchAll(ENDS)].filter(({ index, 0: stop }) => stop === "." || !marks.has(index));
  const found = [];
  let start = 0;
  for (const end of [...ends.map(({ index }) => index + 1), blotted.length]) {
    const piece = blotted.slice(start, end);
    const [trimmed] = /[^ \u00a0\t\n](?:.*[^ \u00a0\t\n])?/s.exec(piece) ?? [""];
    const first = start + piece.indexOf(trimmed);
    if (trimmed === ".") throw new RangeError("step 6: an empty sentence");
    if (trimmed) found.push({ start: first, end: first + trimmed.length, key: fold(plain.slice(first, first + trimmed.length)) });
    start = end;
  }
  return found;
}
