// A sentence as words, numbers and marks; whatever cannot be cut becomes a token that no rule takes.

const ORDINALS = ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth " +
  "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth").split(" ");
const COUNTS = new Map([["no", 0], ["none", 0],
  ..."one two three four five six seven eight nine ten".split(" ").map((word, at) => [word, at + 1])]);
const KEYWORDS = new Set(("a above all among and are at below bin both delta denominator epsilon fall falls floor has " +
  "have in include is less mass more most noise noisy normalised normalized of plan public rank ranked ranks released " +
  "releases similar support than the theme themes was with , ; : ( ) |").split(" "));

const BULLET = /[ \t\u00a0]*-(?=[ \t\u00a0])/y;
const GAP = /[ \t\u00a0]*/y;
const APART = /(?<![^ \t\n\u00a0(|])/y;
const PIECE = new RegExp(
  String.raw`(?<rule>\|(?:[ \t\u00a0]*:?-+:?[ \t\u00a0]*\|)+)` +
  String.raw`|(?<mark>[,;:()|])` +
  String.raw`|(?<![^ \t\n\u00a0(|])(?:(?<word>[A-Z]+)(?!\w)` +
  String.raw`|(?<numeral>[1-9][0-9]{0,5}(?:st|nd|rd|th))(?!\w)` +
  String.raw`|(?<number>(?<ratio>[0-9]{1,400}/[1-9][0-9]{0,399})` +
  String.raw`|(?<minus>-(?=[0-9,.]*[1-9]))?` +
  String.raw`(?<whole>0|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,133}|[1-9][0-9]{0,399})` +
  String.raw`(?<rest>(?:\.[0-9]{1,400})?(?:e[+-]?[0-9]{1,2})?)` +
  String.raw`(?<percent>[ \t\u00a0]*(?:%|(?<=[ \t\u00a0])percent))?` +
  String.raw`)(?![.,/]?\w))`, "iy");

// Tokens of text[start, end); `marks` holds labels, bin names and row ends by where they start.
export function cut(text, start, end, marks) {
  const whole = text.slice(0, end);
  const after = (pattern, position) => {
    pattern.lastIndex = position;
    return pattern.exec(whole);
  };
  const found = [];
  let at = start;
  if (after(BULLET, at)) {
    found.push({ kind: "BULLET" });
    at += after(BULLET, at)[0].length;
  }
  at += after(GAP, at)[0].length;
  while (at < end) {
    const mark = marks.get(at);
    const piece = mark ? null : after(PIECE, at);
    if (mark && after(APART, at)) found.push(mark);
    else if (piece) found.push(token(piece));
    else found.push({ kind: "UNKNOWN" });
    at = mark ? mark.end : at + (piece ? piece[0].length : 1);
    at += after(GAP, at)?.[0].length ?? 0;
  }
  return found;
}

function token(piece) {
  const value = piece[0].toLowerCase();
  const { rule, number, ratio, percent, minus, rest, numeral } = piece.groups;
  if (rule !== undefined) return { kind: "RULE" };
  if (number !== undefined) {
    const kind = ratio ? "RATIO" : percent ? "PERCENT" : minus || rest ? "DECIMAL" : "INTEGER";
    return { kind, value: value.replaceAll(",", "") };
  }
  if (COUNTS.has(value)) return { kind: "COUNT", value: String(COUNTS.get(value)) };
  if (ORDINALS.includes(value)) return { kind: "ORDINAL", value: String(ORDINALS.indexOf(value) + 1) };
  if (numeral !== undefined) {
    const place = parseInt(value, 10);
    return value === ordinal(place) ? { kind: "ORDINAL", value: String(place) } : { kind: "UNKNOWN" };
  }
  return KEYWORDS.has(value) ? { kind: value } : { kind: "UNKNOWN" };
}

function ordinal(place) {
  const teens = Math.floor(place / 10) % 10 === 1;
  return `${place}${teens ? "th" : { 1: "st", 2: "nd", 3: "rd" }[place % 10] ?? "th"}`;
}

// "118.40" is 11840 to 2 digits, "1.2e3" is 1200 to 0, "9.1 %" is 91 to 3.
export function decimal(text) {
  const number = text.replace(/(?:%|percent)$/, "").trimEnd();
  const [base, exponent = "0"] = number.split("e");
  const [whole, fraction = ""] = base.split(".");
  const digits = fraction.length - Number(exponent) + (number === text ? 0 : 2);
  return { numerator: BigInt(whole + fraction) * 10n ** BigInt(Math.max(-digits, 0)), digits: Math.max(digits, 0) };
}
