// Where two games on the same tiles part in strength. They choose different moves almost at
// once; what matters is the first tile that only one of them makes, and which board fills up.
import { count, counted } from "../shared/number.js";
/** @import { CurvePoint } from "../net/server_json.js" */

/** @typedef {{ name: string, points: CurvePoint[] }} GameCourse */

/**
 * A move that is worth looking at, and why.
 * @typedef {{ move: number, text: string }} Landmark
 */

/** @param {number} exponent */
const tile = (exponent) => count(2 ** exponent);

/** @param {GameCourse} course */
const lastOf = ({ points }) => points.at(-1) ?? [0, 0, 0, 0];

/**
 * The move on which a game first has a tile; undefined if it never has.
 * @param {GameCourse} course
 * @param {number} exponent
 */
const reached = ({ points }, exponent) => points.find(([, , highest]) => highest >= exponent)?.[0];

/**
 * @param {GameCourse} one
 * @param {GameCourse} other
 * @returns {{ text: string, landmarks: Landmark[] }}
 */
export const partingOf = (one, other) => {
  const [weaker, stronger] = lastOf(one)[1] < lastOf(other)[1] ? [one, other] : [other, one];
  const [endMove, , endHighest, nEmpty] = lastOf(weaker);
  const [strongerEnd, , strongerHighest] = lastOf(stronger);
  const landmarks = [];
  const sentences = [];
  if (strongerHighest > endHighest) {
    const move = reached(stronger, endHighest + 1) ?? 0;
    sentences.push(`Both reach ${tile(endHighest)}; only ${stronger.name} reaches ${tile(endHighest + 1)}, on move ${count(move)}.`);
    landmarks.push({ move, text: `${stronger.name} makes ${tile(endHighest + 1)}` });
  } else {
    const [ahead, behind] = [stronger, weaker].map((course) => reached(course, endHighest) ?? 0);
    if (ahead !== undefined && behind !== undefined && ahead !== behind) {
      const faster = ahead < behind ? stronger.name : weaker.name;
      sentences.push(`Both reach ${tile(endHighest)}; ${faster} is ${counted(Math.abs(behind - ahead), "move")} earlier.`);
      landmarks.push({ move: Math.min(ahead, behind), text: `${faster} makes ${tile(endHighest)}` });
    }
  }
  if (endMove < strongerEnd) {
    const meanwhile = stronger.points.findLast(([move]) => move <= endMove)?.[3] ?? 0;
    sentences.push(`${weaker.name} ends on move ${count(endMove)} with ${counted(nEmpty, "empty cell")}; ${stronger.name} then has ${count(meanwhile)}.`);
    landmarks.push({ move: Math.max(0, endMove - 10), text: `The last moves of ${weaker.name}` });
  }
  return { text: sentences.join(" "), landmarks };
};
