// How far a run is, how fast, and how long it will take.
import { count, counted, decimals } from "../shared/number.js";
/** @import { RunRanking } from "../net/server_json.js" */

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
 * How many games are to be played now: those that were missing at the latest ranking, without those
 * played since. With a stop rule that is fewer than planned.
 * @param {number} recorded
 * @param {RunRanking | null} ranking
 */
const missingGames = (recorded, ranking) => (ranking?.missing ?? 0) - (recorded - (ranking?.recorded ?? 0));

/**
 * `12.5 games per second · about 3 min left`; the rate alone where the number of games to come is unknown.
 * @param {{ recorded: number }} progress
 * @param {RunRanking | null} ranking the latest
 * @param {number | null} rate
 */
export const timeLeftInWords = ({ recorded }, ranking, rate) => {
  if (rate === null) return "";
  const speed = rate >= 1
    ? `${decimals(rate, rate < 10 ? 1 : 0)} games per second`
    : `${decimals(60 * rate, 60 * rate < 10 ? 1 : 0)} games per minute`;
  const missing = missingGames(recorded, ranking);
  if (missing <= 0) return speed;
  const end = ranking?.has_stop_rule ? "to the next look" : "left";
  return `${speed} · about ${durationInWords(missing / rate)} ${end}`;
};

/** @param {number} seconds */
const durationInWords = (seconds) => {
  if (seconds < 90) return `${count(Math.max(1, seconds))} s`;
  if (seconds < 90 * 60) return `${count(seconds / 60)} min`;
  return seconds < 36 * 3600 ? `${count(seconds / 3600)} h` : `${count(seconds / 86400)} days`;
};
