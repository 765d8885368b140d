// Exact rationals as [numerator, denominator] in lowest terms, and as people write them.

import { rounded } from "./kernel.mjs";

const EXACT = /^(-?[0-9]{1,400})(?:\.([0-9]{1,400}))?(?:[eE]([+-]?[0-9]{1,2}))?$/;
const RATIO = /^(-?[0-9]{1,400})\/([1-9][0-9]{0,399})$/;

const gcd = (a, b) => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));

export function ratio(numerator, denominator = 1n) {
  const common = gcd(numerator, denominator) * (denominator < 0n ? -1n : 1n) || 1n;
  return [numerator / common, denominator / common];
}

// "1", "0.05", "1e-6" or "1/3"
export function rational(text) {
  const parts = EXACT.exec(String(text));
  if (parts) {
    const [, whole, fraction = "", exponent = "0"] = parts;
    const shift = BigInt(Number(exponent) - fraction.length);
    const digits = BigInt(whole + fraction);
    return shift < 0n ? ratio(digits, 10n ** -shift) : ratio(digits * 10n ** shift);
  }
  const quotient = RATIO.exec(String(text));
  if (!quotient) throw new RangeError("not an exact number");
  return ratio(BigInt(quotient[1]), BigInt(quotient[2]));
}

export const plus = ([a, b], [c, d]) => ratio(a * d + c * b, b * d);
export const times = ([a, b], [c, d]) => ratio(a * c, b * d);
export const over = ([a, b], [c, d]) => ratio(a * d, b * c);
export const less = ([a, b], [c, d]) => a * d < c * b;
export const most = (x, y) => (less(x, y) ? y : x);
export const common = (a, b) => (a / gcd(a, b)) * b;

// numerator / denominator with `digits` digits after the point
export function shown(numerator, denominator, digits) {
  const scaled = rounded({ numerator, denominator, scale: 10n ** BigInt(digits) });
  const text = String(scaled < 0n ? -scaled : scaled).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, ",");
  return (scaled < 0n ? "-" : "") + whole + (digits ? "." + text.slice(-digits) : "");
}

// In full: a decimal where there is one, else a fraction.
export function exact([numerator, denominator]) {
  let rest = denominator;
  let digits = 0;
  for (let part = gcd(rest, 10n); part > 1n; part = gcd(rest, 10n)) [rest, digits] = [rest / part, digits + 1];
  return rest > 1n ? `${numerator}/${denominator}` : shown(numerator, denominator, digits).replaceAll(",", "");
}

// 1 + e^x rounded up to a millionth: Taylor's series of e^(x / 2^k), then k squarings, on 2^-BITS
export function onePlusExp([numerator, denominator]) {
  const halvings = BigInt(String(numerator / denominator + 1n).length * 4);
  const bits = 256n + 4n * (numerator / denominator);
  const x = (numerator << bits) / (denominator << halvings);
  let [sum, term] = [1n << bits, 1n << bits];
  for (let n = 1n; term > 0n; n += 1n) {
    term = (term * x) / (n << bits);
    sum += term;
  }
  for (let at = 0n; at < halvings; at += 1n) sum = (sum * sum) >> bits;
  return ratio(1_000_000n + ((sum * 1_000_000n) >> bits) + 1n, 1_000_000n);
}
