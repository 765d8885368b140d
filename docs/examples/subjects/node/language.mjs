// The controlled language (docs/contract.md section 2, docs/decoder.md): one sentence, or one table, to its claims.
// Recursive descent over tokens; a rule that does not fit throws, and all tokens must be used.

import { decimal } from "./tokens.mjs";

const CELLS = { mass: ["INTEGER", "DECIMAL"], support: ["INTEGER", "DECIMAL", "PERCENT"], bin: ["BIN"], rank: ["INTEGER"] };

// { claims, lists, row }: lists of atoms, and the atom of a row, which continues the list of the rows before it
export function read(tokens) {
  return new Reader(tokens).sentence();
}

class Reader {
  constructor(tokens) {
    [this.tokens, this.at] = [tokens, 0];
    [this.claims, this.lists, this.row] = [[], [], []];
  }

  sees(...kinds) {
    return kinds.every((kind, ahead) => [kind].flat().includes(this.tokens[this.at + ahead]?.kind));
  }

  take(...kinds) {
    for (const kind of kinds) {
      if (!this.sees(kind)) throw new RangeError("not in the language");
      this.at += 1;
    }
    return this.tokens[this.at - 1]?.value;
  }

  maybe(...kinds) {
    if (!this.sees(...kinds)) return false;
    this.at += kinds.length;
    return true;
  }

  label() {
    return BigInt(this.take("LABEL"));
  }

  sentence() {
    if (this.sees("|")) this.table();
    else {
      this.maybe("BULLET");
      if (this.sees("LABEL", ":")) this.listed();
      else if (this.sees("the", "released", "themes", "include")) this.included();
      else this.clauses();
    }
    if (this.at !== this.tokens.length) throw new RangeError("not in the language");
    return { claims: this.claims, lists: this.lists, row: this.row };
  }

  clauses() {
    if (this.sees(["among", "of"], "the")) {
      this.take(["among", "of"], "the");
      if (this.sees(["INTEGER", "COUNT"])) this.count();
      this.take("released", ["theme", "themes"], ",");
      if (this.sees(["INTEGER", "COUNT"], ["is", "are"])) this.tally();
      else this.clause();
    } else this.clause();
    while (this.sees([",", ";"])) {
      if (this.maybe(",")) this.maybe("and");
      else this.take(";");
      this.clause();
    }
  }

  clause() {
    if (this.sees("LABEL")) this.aboutLabels();
    else if (this.sees("both", "LABEL")) {
      this.take("both");
      this.together([this.label(), (this.take("and"), this.label())]);
    } else if (this.maybe("both")) {
      this.take("released", "themes", ["are", "fall"]);
      this.counted(2n, true);
    } else if (this.maybe("all")) {
      const count = BigInt(this.take(["INTEGER", "COUNT"]));
      this.take("released", "themes", ["are", "fall"]);
      this.counted(count, true);
    } else if (this.sees(["INTEGER", "COUNT"])) {
      const count = BigInt(this.take(["INTEGER", "COUNT"]));
      this.take("released", ["theme", "themes"], ["is", "are"]);
      this.counted(count, false);
    } else if (this.sees("the", "plan")) this.aboutPlan();
    else if (this.sees("the", ["noisy", "normalised", "normalized"])) this.measure();
    else this.settings();
  }

  aboutLabels() {
    const first = this.label();
    if (this.sees(",", "LABEL") || this.sees("and", "LABEL")) {
      const atoms = [first];
      while (this.maybe(",")) {
        if (this.sees("and")) break;
        atoms.push(this.label());
      }
      this.take("and");
      atoms.push(this.label());
      if (atoms.length === 2 && this.maybe("have", "similar", "support")) this.claims.push({ kind: 6n, atom: atoms[0], other: atoms[1] });
      else this.together(atoms);
    } else this.about(first);
  }

  // What is said of one atom: "and" joins a thing that it has to things before it, or a fact with its own verb.
  about(atom) {
    let owns = this.said(atom);
    while (this.maybe("and")) owns = owns && !this.sees(["has", "is", "falls", "ranks"]) ? this.attribute(atom) : this.said(atom);
  }

  said(atom) {
    if (this.sees("has") && !this.sees("has", ["more", "less"])) {
      this.take("has");
      return this.attribute(atom);
    }
    this.fact(atom);
    return false;
  }

  attribute(atom) {
    if (this.maybe("a")) this.amount(atom);
    else if (this.maybe("rank")) this.ranked(atom, this.take("INTEGER"));
    else {
      this.quantity(atom);
      if (this.maybe("(")) {
        this.details(atom);
        this.take(")");
      }
    }
    return true;
  }

  fact(atom) {
    if (this.maybe("has")) {
      const isMore = this.maybe("more");
      this.take(...(isMore ? [] : ["less"]), "support", "than");
      const other = this.label();
      this.claims.push(isMore ? { kind: 5n, atom, other } : { kind: 5n, atom: other, other: atom });
    } else if (this.maybe("ranks") || this.maybe("is", "ranked")) this.standing(atom);
    else {
      this.take(["is", "falls"]);
      this.claims.push({ kind: 4n, atom, value: this.place() });
    }
  }

  standing(atom) {
    if (this.sees(["above", "below"])) {
      const isAbove = this.sees("above");
      this.take(["above", "below"]);
      const other = this.label();
      this.claims.push(isAbove ? { kind: "above", atom, other } : { kind: "above", atom: other, other: atom });
      return;
    }
    this.ranked(atom, this.take("ORDINAL"));
    if (this.maybe("with", "a")) this.amount(atom);
    else this.maybe("among", "the", "released", "themes");
  }

  together(atoms) {
    this.take(["are", "fall"]);
    const value = this.place();
    this.claims.push(...atoms.map((atom) => ({ kind: 4n, atom, value })));
    this.lists.push(atoms);
  }

  amount(atom) {
    const isMass = this.noun();
    this.take("of");
    this.number(atom, isMass);
  }

  quantity(atom) {
    this.number(atom, this.noun());
  }

  noun() {
    if (this.maybe("noisy", "mass")) return true;
    this.take(["normalised", "normalized"], "support");
    return false;
  }

  number(atom, isMass) {
    const isPercent = !isMass && this.sees("PERCENT");
    const { numerator, digits } = decimal(this.take(isMass ? CELLS.mass : CELLS.support));
    if (isPercent && this.sees("of", "the", "public", "denominator")) this.at += 4;
    this.claims.push({ kind: isMass ? 2n : 3n, atom, value: numerator, digits });
  }

  place() {
    if (this.maybe("below", "the", "noise", "floor")) return 0n;
    this.take("in", "the");
    const bin = BigInt(this.take("BIN"));
    this.take("bin");
    return bin;
  }

  ranked(atom, text) {
    this.claims.push({ kind: 7n, atom, value: BigInt(text) });
  }

  details(atom) {
    do {
      if (this.maybe("rank")) this.ranked(atom, this.take("INTEGER"));
      else if (this.sees("BIN")) {
        this.claims.push({ kind: 4n, atom, value: BigInt(this.take("BIN")) });
        this.take("bin");
      } else if (this.sees("below")) this.claims.push({ kind: 4n, atom, value: this.place() });
      else this.quantity(atom);
    } while (this.maybe(","));
  }

  listed() {
    const atom = this.label();
    this.take(":");
    this.details(atom);
    this.row = [atom];
  }

  included() {
    this.at += 4;
    this.members();
  }

  members() {
    const atoms = [this.label()];
    while (this.sees(",", "LABEL")) atoms.push((this.take(","), this.label()));
    if (atoms.length > 1 || this.sees("and")) {
      if (atoms.length > 1) this.maybe(",");
      this.take("and");
      atoms.push(this.label());
      this.lists.push(atoms);
    }
    this.claims.push(...atoms.map((atom) => ({ kind: 1n, atom })));
    return atoms.length;
  }

  count() {
    this.claims.push({ kind: 8n, value: BigInt(this.take(["INTEGER", "COUNT"])), bin: -1n });
  }

  tally() {
    const value = BigInt(this.take(["INTEGER", "COUNT"]));
    this.take(["is", "are"]);
    this.counted(value, false);
  }

  counted(value, isAll) {
    if (isAll) this.claims.push({ kind: 8n, value, bin: -1n });
    this.claims.push({ kind: 8n, value, bin: this.place() });
  }

  aboutPlan() {
    this.take("the", "plan");
    if (this.maybe("was", "released", "with")) {
      this.take("epsilon");
      this.parameter("epsilon");
      this.take("and", "delta");
      this.parameter("delta");
      return;
    }
    this.take("releases");
    if (this.maybe("at", "most")) {
      this.claims.push({ kind: "parameter", name: "plan size", text: this.take("INTEGER") });
      this.take(["theme", "themes"]);
      return;
    }
    const isFirst = this.at === 3;
    this.count();
    this.take(["theme", "themes"]);
    if (!isFirst || !this.maybe(":")) return;
    this.claims.push({ kind: 8n, value: BigInt(this.members()), bin: -1n }); // after a colon, a list claims to be the whole
    if (this.at !== this.tokens.length) throw new RangeError("not in the language");
  }

  measure() {
    this.take("the");
    const isMass = this.noun();
    this.take("of");
    const atom = this.label();
    this.take("is");
    this.number(atom, isMass);
  }

  settings() {
    do {
      const name = this.maybe("the", "public", "denominator") ? "denominator" : this.sees("epsilon") ? "epsilon" : "delta";
      if (name !== "denominator") this.take(name);
      this.take("is");
      this.parameter(name);
    } while (this.maybe("and"));
  }

  parameter(name) {
    this.claims.push({ kind: "parameter", name, text: this.take(["INTEGER", "DECIMAL", "RATIO"]) });
  }

  table() {
    this.take("|", ["theme", "themes"], "|");
    const columns = [];
    do {
      if (this.maybe("bin")) columns.push("bin");
      else if (this.maybe("rank")) columns.push("rank");
      else columns.push(this.noun() ? "mass" : "support");
      this.take("|");
    } while (!this.sees("ROW"));
    this.take("ROW");
    if (this.maybe("RULE")) this.take("ROW");
    const atoms = [];
    do atoms.push(this.line(columns));
    while (this.maybe("ROW"));
    this.lists.push(atoms);
  }

  line(columns) {
    this.take("|");
    const atom = this.label();
    this.take("|");
    for (const column of columns) {
      this.cell(atom, column);
      this.take("|");
    }
    return atom;
  }

  cell(atom, column) {
    if (column === "bin" && this.maybe("below")) {
      this.maybe("the");
      this.take("noise", "floor");
      this.claims.push({ kind: 4n, atom, value: 0n });
      return;
    }
    const value = this.take(CELLS[column]);
    if (column === "bin") {
      this.claims.push({ kind: 4n, atom, value: BigInt(value) });
      this.maybe("bin");
    } else if (column === "rank") this.ranked(atom, value);
    else {
      const { numerator, digits } = decimal(value);
      this.claims.push({ kind: column === "mass" ? 2n : 3n, atom, value: numerator, digits });
    }
  }
}
