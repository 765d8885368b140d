// Discrete Laplace noise, exact in law: P(x) proportional to exp(-|x| / scale), by rejection with integers alone
// (Canonne, Kamath and Steinke 2020).  Words come from the system's generator, or from a seed for audits.

import { createCipheriv, createHash, randomFillSync } from "node:crypto";

const WORDS = 1 << 14;

export class Bits {
  constructor(seed = null) {
    this.words = new Uint32Array(WORDS);
    this.used = WORDS;
    const key = seed === null ? null : createHash("sha256").update(seed).digest();
    this.stream = key && createCipheriv("aes-256-ctr", key, Buffer.alloc(16));
  }

  word() {
    if (this.used === WORDS) {
      if (this.stream) this.words = new Uint32Array(new Uint8Array(this.stream.update(Buffer.alloc(4 * WORDS))).buffer);
      else randomFillSync(this.words);
      this.used = 0;
    }
    return this.words[this.used++];
  }

  // A uniform integer from 0 to bound - 1, for bounds up to 2^53.
  below(bound) {
    const wide = bound > 2 ** 32;
    const top = wide ? Math.ceil(bound / 2 ** 32) : bound;
    const mask = top > 1 ? 2 ** (32 - Math.clz32(top - 1)) - 1 : 0;
    for (;;) {
      const high = (this.word() & mask) >>> 0;
      const value = wide ? high * 2 ** 32 + this.word() : high;
      if (value < bound) return value;
    }
  }

  // True with probability exp(-numerator / denominator), for a ratio from 0 to 1: the series of the exponential.
  decays(numerator, denominator) {
    let round = 1;
    while (this.below(denominator) < numerator && (round === 1 || this.below(round) === 0)) round += 1;
    return round % 2 === 1;
  }

  laplace(numerator, denominator) {
    for (;;) {
      const rest = this.below(numerator);
      if (!this.decays(rest, numerator)) continue;
      let whole = 0;
      while (this.decays(1, 1)) whole += 1;
      const size = Math.floor((rest + numerator * whole) / denominator);
      const isNegative = this.word() & 1;
      if (!isNegative || size > 0) return isNegative ? -size : size;
    }
  }
}

// The least k that none of `count` draws exceeds in size with probability 1 - beta; P(|x| > k) = 2 q^(k+1) / (1 + q).
export function noiseFloor(scale, count, beta) {
  const each = -Math.expm1(Math.log1p(-beta) / count);
  return Math.max(0, Math.ceil(scale * Math.log(2 / ((1 + Math.exp(-1 / scale)) * each)) - 1));
}
