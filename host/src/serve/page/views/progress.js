// How far a run is, how fast, and how long it will take.
import { count, counted, decimals } from "../../../report/html/number.js";

/**
 * How many games had been played at a time, in milliseconds.
 * @typedef {{ at: number, recorded: number }} ProgressSample
 */

/** @param {{ recorded: number, planned: number }} progress */
export const gamesOf = ({ recorded, planned }) => `${count(recorded)} of ${counted(planned, "game")}`;

/**
 * The rate between the first and the last sample; null if it is not known.
 * @param {ProgressSample[]} samples
 * @returns {number | null}
 */
export const gamesPerSecond = (samples) => {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at <= first.at || last.recorded <= first.recorded) return null;
  return (last.recorded - first.recorded) * 1000 / (last.at - first.at);
};

/**
 * `12.5 games per second · about 3 min left`.
 * @param {{ recorded: number, planned: number }} progress
 * @param {number | null} rate
 */
export const timeLeftInWords = ({ recorded, planned }, rate) => {
  if (rate === null) return "";
  const speed = rate >= 1
    ? `${decimals(rate, rate < 10 ? 1 : 0)} games per second`
    : `${decimals(60 * rate, 60 * rate < 10 ? 1 : 0)} games per minute`;
  return `${speed} · about ${durationInWords((planned - recorded) / rate)} left`;
};

/** @param {number} seconds */
const durationInWords = (seconds) => {
  if (seconds < 90) return `${count(Math.max(1, seconds))} s`;
  if (seconds < 90 * 60) return `${count(seconds / 60)} min`;
  return seconds < 36 * 3600 ? `${count(seconds / 3600)} h` : `${count(seconds / 86400)} days`;
};
