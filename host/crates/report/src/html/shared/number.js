// Numbers as people read them, on the report page and the page of `host serve`. The rules are
// those of host/crates/text/src/number_text.rs, so pages and terminal show the same digits:
//
// - A whole number has thousands separators: 24,469.
// - A mean or a difference is whole from 100 on, and has one decimal below: 12.3.
// - A share has one decimal, except for never and always: 0%, 93.3%, 100%.
// - A time has three significant digits and the unit that fits: 790 µs, 1.43 ms.
// - Rounding is to the nearest; a number exactly in the middle is rounded to the even digit.
//
// tests/fixtures/number-texts.json lists examples that tests of both languages check.

/** Shown where there is no number. */
export const NONE = "–";

const SMALL = 100;

// A number exactly in the middle of two candidates has no more digits than this.
const DIGITS_OF_A_TIE = 25;

/**
 * A whole number with thousands separators.
 * @param {number} number
 */
export const count = (number) => decimals(number, 0);

/**
 * A mean or a difference.
 * @param {number} number
 */
export const amount = (number) => decimals(number, Math.abs(number) < SMALL ? 1 : 0);

/**
 * A number with this many digits after the decimal point.
 * @param {number} number
 * @param {number} digits
 */
export const decimals = (number, digits) => {
  const text = fixed(Math.abs(number), digits);
  const [whole = "", fraction] = text.split(".");
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const isZero = /^[0.]*$/.test(text);
  return `${number < 0 && !isZero ? "-" : ""}${separated}${fraction === undefined ? "" : `.${fraction}`}`;
};

/**
 * `toFixed`, except that a tie goes to the even digit, as in Rust.
 * @param {number} number not negative
 * @param {number} digits
 */
const fixed = (number, digits) => {
  const exact = number.toFixed(digits + DIGITS_OF_A_TIE);
  const isTie = exact.slice(-DIGITS_OF_A_TIE) === "5".padEnd(DIGITS_OF_A_TIE, "0");
  const roundedDown = exact.slice(0, -DIGITS_OF_A_TIE).replace(/\.$/, "");
  return isTie && /[02468]$/.test(roundedDown) ? roundedDown : number.toFixed(digits);
};

/**
 * A share with one decimal.
 * @param {number} share
 */
export const percent = (share) => `${decimals(100 * share, [0, 1, -1].includes(share) ? 0 : 1)}%`;

/**
 * A share with only the digits it needs, up to three: `95%`, `99.375%`.
 * @param {number} share
 */
export const percentWithDigits = (share) => `${fixed(100 * share, 3).replace(/\.?0+$/, "")}%`;

/**
 * A time with its unit.
 * @param {number} time in microseconds
 */
export const microseconds = (time) => {
  if (time < 999.5) return `${threeDigits(time)} µs`;
  if (time < 999.5e3) return `${threeDigits(time / 1e3)} ms`;
  return `${threeDigits(time / 1e6)} s`;
};

/** @param {number} number */
const threeDigits = (number) => {
  if (number === 0 || number >= 99.95) return decimals(number, 0);
  return decimals(number, number >= 9.995 ? 1 : 2);
};

/**
 * `1 game`, `20 games`.
 * @param {number} number
 * @param {string} noun
 */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
