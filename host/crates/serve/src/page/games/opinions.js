// What agents say about a game, as curves: the values, depths and numbers of its own that its
// player reported, and the values of an agent that was asked about every move.
import { count, microseconds } from "../shared/number.js";
import { agentValue, ownNumber } from "./move_evaluation.js";
import { turningPoints, disagreementInWords, moveInWords, valueOf } from "./turning_points.js";
/** @import { GameThoughts, MoveThought, SeriesPoint } from "../net/server_json.js" */
/** @import { WalkedGame } from "./ask_panel.js" */
/** @import { CourseLine, CourseMark, Curve } from "./course_chart.js" */

/**
 * @param {string[]} names of the players
 * @param {(GameThoughts | null)[]} thoughts of the players
 * @param {WalkedGame[]} walked
 * @returns {CourseLine[]}
 */
export const opinionLines = (names, thoughts, walked) => {
  /** @type {(of: (thoughts: GameThoughts) => SeriesPoint[]) => Curve[]} */
  const curvesOf = (of) => thoughts.flatMap((one, game) => {
    const points = one === null ? [] : of(one);
    return points.length === 0 ? [] : [{ game, name: names[game] ?? "", points }];
  });
  /** @type {(name: string, curves: Curve[], text: (value: number) => string, startsAtZero: boolean, of?: (thought: MoveThought) => number | null | undefined) => CourseLine[]} */
  const line = (name, curves, text, startsAtZero, of) => (curves.length === 0 ? [] : [{
    name, curves, text, startsAtZero, ...(of === undefined ? {} : { read: ({ thought }) => (thought === null ? null : of(thought)) }),
  }]);
  const asked = walked.flatMap(({ agent, game, answers }) => line(
    `Value by ${agent.name}`,
    [{ game, name: agent.name, points: pointsOf(answers.map((answer) => valueOf(answer, answer.direction))) }].filter(({ points }) => points.length > 0),
    agentValue,
    false,
  ));
  // Two agents measure on two scales, so each has a line of its own.
  const own = curvesOf(({ values }) => values).flatMap((curve) => line(`${curve.name}'s own value`, [curve], agentValue, false, ({ value }) => value));
  // So do numbers that two agents give the same name.
  const noted = thoughts.flatMap((one, game) => Object.entries(one?.numbers ?? {}).flatMap(([name, points]) => {
    const agent = names[game] ?? "";
    return line(`${agent}: ${name}`, [{ game, name: agent, points }], ownNumber, false, ({ numbers }) => numbers?.[name]);
  }));
  return [
    ...own,
    ...noted,
    ...line("Depth", curvesOf(({ depths }) => depths), count, true, ({ depth }) => depth),
    ...line("CPU time", curvesOf(({ cpu_us: times }) => times), microseconds, true, ({ cpu_us: time }) => time),
    ...asked,
  ];
};

/**
 * The points of a list that has an entry per move; entries that are missing are left out.
 * @param {(number | null)[]} values
 * @returns {SeriesPoint[]}
 */
const pointsOf = (values) => values.flatMap((value, index) => (value === null ? [] : [/** @type {SeriesPoint} */ ([index + 1, value])]));

/**
 * @param {WalkedGame[]} walked
 * @returns {CourseMark[]}
 */
export const opinionMarks = (walked) => walked.flatMap(({ agent, answers }) => turningPoints(answers).map((answer) => ({
  move: answer.n,
  text: `${agent.name}: ${moveInWords(answer.direction)} ${disagreementInWords(answer)}`,
})));
