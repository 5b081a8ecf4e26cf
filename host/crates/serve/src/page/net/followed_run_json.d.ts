// The JSON that the server sends about a run that is followed: its progress and its report. As
// in server_json.d.ts, each type names its counterpart in host/crates/serve/src.

import type { GameEnding } from "./server_json.js";

/** `ProgressEvent`: how many games of a run have been played. */
export interface RunProgress {
  name: string;
  running: boolean;
  recorded: number;
  planned: number;
  n_faults: number;
  /** The latest first. */
  latest_faults: LatestFault[];
}

/** `LatestFault`: a fault, reported as soon as its game is in the log. */
export interface LatestFault {
  agent: string;
  game: number;
  seed: number;
  n_moves: number;
  ending: GameEnding;
}

/** `RankingEvent`: the ranking of a run after `recorded` games. */
export interface RunRanking {
  finished: boolean;
  recorded: number;
  report: Report;
  histories: MeanHistory[];
}

/** `MeanHistory`: how the mean of an agent has developed. */
export interface MeanHistory {
  agent: string;
  budget: string | null;
  points: HistoryPoint[];
}

/** `HistoryPoint`: the mean of the first games, with its interval. */
export interface HistoryPoint {
  games: number;
  mean: number;
  low: number | null;
  high: number | null;
}

/** The JSON report of a run, as far as the page uses it. */
export interface Report {
  name: string;
  goal: number | null;
  confidence: number;
  agents: RankedAgent[];
  notes: string[];
  games: GameCounts | null;
  /** Null without a stop rule. */
  stop: object | null;
}

/** `GameCounts`: the games of a run. */
export interface GameCounts {
  planned: number;
  played: number;
  /** Those that would be played now; with a stop rule, up to the next look. */
  missing: number;
}

/** The figures of one agent under one budget. They are null before its first game. */
export interface RankedAgent {
  name: string;
  budget: string | null;
  games: number;
  /** Whether there are fewer than 30 games. */
  few: boolean;
  rank: number | null;
  rank_best: number | null;
  rank_worst: number | null;
  mean: number | null;
  mean_low: number | null;
  mean_high: number | null;
  median: number | null;
  max: number | null;
  /** By tile: the share of games that reached it, with its interval. */
  reach: Record<string, { rate: number; low: number | null; high: number | null }>;
  /** By kind of fault: the number of games. */
  faults: Record<string, number>;
  fault_examples: FaultExample[];
  disqualified: boolean;
  /** Missing in reports of older hosts. */
  ends?: GameEnds;
  move_us_by_empty?: EmptyCellsTime[];
}

/** `JsonEnds`: how the games of an agent end. */
export interface GameEnds {
  /** By highest tile: the number of games. */
  highest: Record<string, number>;
  moves: Quartiles | null;
  crowded_moves: Quartiles | null;
  since_highest: Quartiles | null;
  /** By number of moves: the share of lost games that ended so soon after a new highest tile. */
  lost_within: Record<string, { rate: number }>;
  /** By tile: of the games that made the tile before, the share that made it. */
  next_tile: Record<string, { rate: number }>;
}

export interface Quartiles {
  lower: number;
  median: number;
  upper: number;
}

/** `JsonEmptyCells`: the turns on boards with the same number of empty cells. */
export interface EmptyCellsTime {
  empty: number;
  turns: number;
  cpu_us_per_turn: number;
  /** Whether fewer than a quarter of the cells are empty. */
  crowded: boolean;
}

/** The first fault of its kind of an agent. */
export interface FaultExample {
  agent: string;
  game: number;
  seed: number;
  ending: string;
  sentence: string;
  n_moves: number;
  stderr: string[];
  /** The command that replays the game. */
  again: string | null;
}
