// Where an agent that is asked disagrees with the moves of a game, and by how much.
import { DIRECTIONS, arrow, inWords } from "../text/directions.js";
import { count, percent } from "../shared/number.js";
import { agentDifference } from "./move_evaluation.js";
/** @import { Answer, Direction } from "../net/server_json.js" */

// More are not turning points.
const MOST_LISTED = 8;
// Disagreements on moves that are closer together are about the same mistake.
const CLOSEST = 5;

/**
 * The value that an agent gave a direction; null if it gave none.
 * @param {Pick<Answer, "evaluation">} answer
 * @param {Direction | null} direction
 */
export const valueOf = ({ evaluation }, direction) =>
  (direction === null ? null : evaluation.values[DIRECTIONS.indexOf(direction)] ?? null);

/**
 * By how much the agent rates the move that was played below its own; null if it does not say.
 * @param {Pick<Answer, "evaluation" | "direction" | "played">} answer
 */
export const lossOf = (answer) => {
  const [own, played] = [valueOf(answer, answer.direction), valueOf(answer, answer.played)];
  return own === null || played === null ? null : own - played;
};

/** @param {Pick<Answer, "direction" | "played">} answer */
export const isDifferent = ({ direction, played }) => played !== null && direction !== played;

/**
 * The positions on which the agent disagrees most, the largest difference first. An agent that
 * reports no values disagrees equally everywhere.
 * @param {Answer[]} answers
 */
export const turningPoints = (answers) => {
  /** @type {Answer[]} */
  const points = [];
  const byLoss = answers.filter(isDifferent).sort((one, other) => (lossOf(other) ?? 0) - (lossOf(one) ?? 0) || one.n - other.n);
  for (const answer of byLoss) {
    if (points.length === MOST_LISTED) break;
    if (points.every(({ n }) => Math.abs(n - answer.n) >= CLOSEST)) points.push(answer);
  }
  return points;
};

/**
 * `agrees with 87.5% of 1,003 moves`.
 * @param {Answer[]} answers
 */
export const agreementInWords = (answers) => {
  const played = answers.filter((answer) => answer.played !== null);
  if (played.length === 0) return "";
  return `agrees with ${percent(1 - played.filter(isDifferent).length / played.length)} of ${count(played.length)} moves`;
};

/** @param {Direction} direction */
export const moveInWords = (direction) => `${arrow(direction)} ${inWords(direction)}`;

/**
 * `instead of ← left, which it rates 1,234 lower`.
 * @param {Answer} answer
 */
export const disagreementInWords = (answer) => {
  if (answer.played === null) return "";
  if (!isDifferent(answer)) return "as played";
  const instead = `instead of ${moveInWords(answer.played)}`;
  const loss = lossOf(answer);
  if (loss === null) return instead;
  if (loss === 0) return `${instead}, which it rates the same`;
  return loss > 0 ? `${instead}, which it rates ${agentDifference(loss)} lower` : instead;
};
