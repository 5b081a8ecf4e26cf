// The JSON that the server sends about a run that is followed: its progress and its ranking. As
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
  recorded: number;
  /** How many games would be played now; with a stop rule, up to the next look. */
  missing: number;
  has_stop_rule: boolean;
  has_disqualified: boolean;
  /** The figures, faults and notes of the report. */
  html: string;
}
