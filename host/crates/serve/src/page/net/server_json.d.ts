// The JSON that the server sends and receives. The Rust types are in host/crates/serve/src; each
// type here names its counterpart. This file is used by the type checker only and is not
// part of the page.

export * from "./followed_run_json.js";

/** A move: up, right, down or left. */
export type Direction = "U" | "R" | "D" | "L";

/** The exponents of the tiles row by row; 0 is an empty cell, 3 is the tile 8. */
export type Cells = number[];

/** `[from, to]`: a tile slides from one cell to another. */
export type TilePath = [number, number];

/** `StepView`: one move and the tile that appears afterwards. */
export interface Step {
  direction: Direction;
  gain: number;
  slides: TilePath[];
  spawn: { cell: number; exponent: number };
}

/** `MoveEvaluation`: what an agent reported about its move. */
export interface MoveEvaluation {
  /** In the order up, right, down, left; null where the agent reported no value. */
  values: (number | null)[];
  /** In the same order: why a move has a value, or none. */
  states?: MoveState[];
  depth: number | null;
  nodes: number | null;
  cpu_us: number;
  /** Numbers of its own, by name, and what it wrote. */
  numbers?: [string, number][];
  text?: string | null;
}

/** A lost move is worth −∞; an illegal one changes nothing; a pruned one is legal, but the search cut it off. */
export type MoveState = "valued" | "lost" | "illegal" | "pruned" | "unvalued";

/** The answers of `GET /api/ask`, as of `host ask`. */
export interface BoardAnswers {
  agents: ({ agent: string } & ({ error: string } | BoardAnswer))[];
}

/** `explain::Answered`: what an agent would play on a board. */
export interface BoardAnswer {
  choice: "up" | "right" | "down" | "left";
  /** In the order up, right, down, left. */
  moves: { state: MoveState; value: number | null }[];
  depth: number | null;
  nodes: number | null;
  cpu_us: number;
  numbers: Record<string, number>;
  text: string | null;
}

/** `EndingView`: how a game ended. */
export interface GameEnding {
  kind: string;
  fault: boolean;
  /** What happened, in a few words. */
  words: string;
  /** The same in detail. */
  sentence: string;
  /** Of a live game of an agent. */
  stderr_tail?: string;
}

/** `FieldDiagnostic`: an error and the form field it belongs to. */
export interface FieldDiagnostic {
  field: string;
  message: string;
}

/** `CatalogView`: the agents that can be chosen. */
export interface AgentCatalog {
  agents: CatalogAgent[];
  rejected: { plugin: string; reason: string }[];
  limits: { agents: number };
}

export interface CatalogAgent {
  plugin: string;
  info: PluginInfo;
}

/** `plugin_api::PluginInfo`, as far as the page uses it. */
export interface PluginInfo {
  description: string;
  /** Null for an agent without parameters. */
  params: JsonSchema | null;
  boards: { min: number; max: number };
  /** The kinds of budget that the agent supports. */
  honours: string[];
  /** What the agent can do besides playing, such as `explain/1`. */
  extensions: string[];
}

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The parameters of an agent. */
export type Params = Record<string, Json>;

/** The parts of JSON Schema that the page turns into form fields. */
export interface JsonSchema {
  $ref?: string;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  const?: Json;
  default?: Json;
  description?: string;
  enum?: Json[];
  maximum?: number;
  minimum?: number;
  properties?: Record<string, JsonSchema>;
  type?: string | string[];
}

/** `AgentRequest`: an agent and its parameters. */
export interface AgentChoice {
  plugin: string;
  params?: Params;
}

/** A budget as a tournament file has it. */
export type Budget = { per_move: string } | { nodes: number | null };

/** The settings that determine the tiles of a game. */
export interface TileSettings {
  seed: number | null;
  size: number | null;
  four_share: number | null;
}

/** `SessionRequest`. */
export interface SessionRequest extends TileSettings {
  agents: AgentChoice[];
  budget: Budget | null;
  running: boolean;
  speed: number | null;
  /** Reports errors without starting a game; the response then has no id. */
  check_only?: boolean;
}

/** `SessionView`: the first event of a live session. */
export interface Session {
  id: string;
  seed: number;
  size: number;
  four_share: number;
  budget: string | null;
  games: { name: string; plugin: string; params: Params }[];
}

/** `GameUpdate`: the new moves of one game of a live session. */
export interface GameUpdate {
  game: number;
  from: number;
  n: number;
  moves: string;
  board: Cells;
  score: number;
  highest: number;
  evaluation: MoveEvaluation | null;
  step: Step | null;
  ending: GameEnding | null;
}

/** `PaceView`: the state of the controls of a live session. */
export interface PaceState {
  running: boolean;
  speed: number | null;
  over: boolean;
  saved: SavedSession | null;
}

/** `PaceRequest`: fields that are left out stay unchanged. */
export interface PaceRequest {
  running?: boolean;
  speed?: number | null;
  step?: boolean;
}

/** `SavedSession`: where a live session was saved. */
export interface SavedSession {
  run: string;
  folder: string;
  verify: string;
}

/** `PersonRequest`: the game of a person, with all moves so far. */
export interface PersonRequest extends TileSettings {
  moves: string;
}

/** `PersonView`: the game of a person after its last move. */
export interface PersonGame {
  board: Cells;
  score: number;
  highest: number;
  n: number;
  /** The letters of the legal moves. */
  legal: string;
  /** Null while a move is left. */
  ending: GameEnding | null;
  step: Step | null;
  /** If tiles are deterministic: all cells in the order in which they get new tiles. */
  order: number[] | null;
  /** If tiles are deterministic: where the new tile will be after each legal move. */
  next: Partial<Record<Direction, number>> | null;
}

/** `plugin_api::solve::Solution`: a path to the goal. */
export interface Solution {
  moves: string;
  board: Rows;
}

/** `plugin_api::solve::SolveAnswer`. Numbers that may be of any length are texts. */
export interface SolveAnswer {
  solutions: string | null;
  min_moves: number | null;
  max_moves: number | null;
  shortest: Solution | null;
  states: number;
  tree?: { generated: string; expanded: string; killed: string } | null;
  micros?: number | null;
  complete: boolean;
  incomplete_because: string | null;
}

/** `SolveEvent`: one line of the answer to a request to solve. */
export type SolveEvent =
  | { kind: "progress"; stage: string; visited: number }
  | ({ kind: "solution" } & Solution)
  | ({ kind: "answer" } & SolveAnswer)
  | { kind: "failed"; sentence: string };

/** An agent that is asked. */
export type AskedChoice = AgentChoice & { budget: Budget | null };

/** `QuestionRequest`: what agents are asked, about positions of a game. */
export interface Question {
  game: { run: string; game: number } | PersonRequest;
  agents: AskedChoice[];
  /** The first and the last position, by the number of moves made before it. */
  from: number;
  to: number;
}

/** `AnswerEvent`: one line of the answers to a question. */
export type AnswerEvent =
  | { kind: "asked"; agents: AskedAgent[] }
  | Answer
  | { kind: "failed"; agent: number; n: number; ending: string; sentence: string }
  | { kind: "done"; agent: number };

/** `AskedView`: an agent that is asked. */
export interface AskedAgent {
  name: string;
  budget: string | null;
}

/** What an agent would play on a position, and what was played there. */
export interface Answer {
  kind: "answer";
  agent: number;
  n: number;
  played: Direction | null;
  direction: Direction;
  evaluation: MoveEvaluation;
}

/** `GameResult`: the result of an agent on the same tiles. */
export interface GameResult {
  agent: string;
  detail: string;
  score: number;
  highest: number;
  n_moves: number;
  ending: string;
  source: string;
  run: string | null;
  game: number | null;
}

/** `RunView`: one entry of the list of runs. */
export interface Run {
  id: string;
  name: string;
  folder: string;
  planned: number;
  recorded: number;
  running: boolean;
  /** When it was changed last, in milliseconds since 1970. */
  changed: number | null;
}

/** `Standing`: the result of a run in short. */
export interface Standing {
  finished: boolean;
  n_agents: number;
  n_seeds: number;
  budget: string | null;
  agents: { name: string; rank: number; text: string; value: number; interval: { low: number; high: number } | null }[];
}

/** `GameList`: games of a run. */
export interface GameList {
  agents: string[];
  budgets: string[];
  total: number;
  games: RecordedGame[];
}

/** `GameView`: a recorded game without its moves. */
export interface RecordedGame {
  game: number;
  agent: string;
  seed: number;
  budget: string | null;
  score: number;
  highest: number;
  n_moves: number;
  ending: string;
}

/** `WholeGame`: a recorded game with its moves. */
export interface WholeGame extends RecordedGame {
  size: number;
  four_share: number;
  tiles: "random" | "deterministic";
  goal: number | null;
  end: GameEnding;
  moves: string;
}

/** `NumberedStep`: a step of a recorded game. */
export interface NumberedStep extends Step {
  n: number;
  score: number;
  board: Cells;
  /** Absent if the run kept none. */
  thought?: MoveThought;
}

/** `MoveThought`: what an agent said about one move. */
export interface MoveThought {
  value: number | null;
  depth: number | null;
  cpu_us: number;
  numbers?: Record<string, number>;
  text?: string;
}

/** `StepList`: consecutive steps, and the board before the first of them. */
export interface StepList {
  from: number;
  board: Cells;
  score: number;
  steps: NumberedStep[];
}

/** `CurvePoint`: move, score, highest tile as an exponent, empty cells. */
export type CurvePoint = [number, number, number, number];

/** `GameCurve`: the course of a game. */
export interface GameCurve {
  points: CurvePoint[];
}

/** The course of a recorded game, and what its agent said if that was kept. */
export type RecordedCourse = [GameCurve, GameThoughts | null];

/** Move and value, or of several moves one of them, the median and the range of most values. */
export type SeriesPoint = [number, number] | [number, number, number, number];

/** `ThoughtCurves`: what an agent said about its moves, as curves. */
export interface GameThoughts {
  /** The values of the moves that it chose. */
  values: SeriesPoint[];
  depths: SeriesPoint[];
  cpu_us: SeriesPoint[];
  /** Numbers of its own, by name. */
  numbers: Record<string, SeriesPoint[]>;
  /** The longest text that it wrote. */
  longest_text: string | null;
}

/** Rows of face values; 0 is an empty cell. */
export type Rows = number[][];

/** A number that may be infinite. */
export type Bound = number | "inf" | "-inf";

export type NodeKind = "max" | "min" | "chance" | "leaf" | "goal" | "dead";

/** A named number: a part of the value of a leaf. */
export interface Term {
  name: string;
  value: number;
  factor?: number;
}

/** `plugin_api::explain::Node`, with its board. */
export interface ExplainedNode {
  parent?: number;
  kind: NodeKind;
  move?: "up" | "right" | "down" | "left";
  tile?: number;
  cell?: number;
  probability?: number;
  alpha?: Bound;
  beta?: Bound;
  value?: Bound;
  relation?: "exact" | "at-least" | "at-most";
  visits?: number;
  cut?: { reason: "alpha" | "beta" | "table" | "other"; bound?: Bound; skipped?: number };
  terms?: Term[];
  /** The index of the weights that gave the value. */
  grid?: number;
  note?: string;
  left_out?: number;
  board: Rows;
}

/** `plugin_api::explain::Explanation`: how an agent chose its move. */
export interface Explanation {
  method: string;
  formula?: string;
  choice?: "up" | "right" | "down" | "left";
  /** In the order of the search; the first is the root. */
  nodes: ExplainedNode[];
  /** The principal line: indices of nodes, from the root down. */
  line?: number[];
  depths?: { depth: number; move: "up" | "right" | "down" | "left"; value?: Bound }[];
  left_out: number;
  counts?: Term[];
  grids?: { name: string; weights: number[][] }[];
}
