// Case and blanks folded, as labels and words are compared.

export const SPACES = /[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u;
const RUN = new RegExp(`${SPACES.source}+`, "u");

// Unicode case folding of one character; the dotless i folds to itself.
export const folded = (character) => (character === "\u0131" ? character : character.toUpperCase().toLowerCase());
export const casefold = (text) => Array.from(text, folded).join("");
export const fold = (text) => casefold(text).split(RUN).filter(Boolean).join(" ");
