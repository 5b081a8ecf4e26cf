// Two agents on the seeds that both have played, on the report page and the page of `host serve`.
import { count, counted } from "./number.js";

const N_LISTED = 6;

/**
 * The scores of two agents on one seed; null where an agent has not played it.
 * @typedef {{ one: number | null, other: number | null }} SeedScores
 */

/**
 * The pairs in which both agents have played.
 * @template {SeedScores} P
 * @param {P[]} pairs
 */
const commonOf = (pairs) => pairs.flatMap((pair) => (pair.one === null || pair.other === null ? [] : [{ pair, lead: pair.one - pair.other }]));

/**
 * The pairs that differ most, whoever did better; the earlier first if they differ equally.
 * @template {SeedScores} P
 * @param {P[]} pairs
 */
export const mostDifferent = (pairs) => commonOf(pairs)
  .sort((a, b) => Math.abs(b.lead) - Math.abs(a.lead))
  .slice(0, N_LISTED)
  .map(({ pair }) => pair);

/**
 * How many seeds each agent won.
 * @param {SeedScores[]} pairs
 * @param {string} one
 * @param {string} other
 * @param {string} what what a pair is: under several budgets, a seed is played several times
 */
export const winsInWords = (pairs, one, other, what = "common seed") => {
  const leads = commonOf(pairs).map(({ lead }) => lead);
  const nWon = leads.filter((lead) => lead > 0).length;
  const nLost = leads.filter((lead) => lead < 0).length;
  const nTied = leads.length - nWon - nLost;
  const tied = nTied === 0 ? "" : `; ${count(nTied)} ${nTied === 1 ? "is" : "are"} tied`;
  return `Of the ${counted(leads.length, what)} shown, ${one} won ${count(nWon)} and ${other} ${count(nLost)}${tied}.`;
};
