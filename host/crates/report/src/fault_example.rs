//! An example of a fault: where it happened, the board, the stderr tail and how to reproduce it.

use std::{collections::BTreeSet, env, path::Path};

use serde::Serialize;

use run::{
    game_figures::GameFigures, game_record::Ending, run_plan::RunPlan, stderr_files::StderrFiles,
};
use text::{
    number_text::counted,
    shell_word::{quoted, quoted_path},
    wrap::marked_rows,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultExample {
    pub agent: String,
    pub game: u64,
    pub seed: u64,
    pub ending: Ending,
    /// One sentence with the agent as its subject.
    pub sentence: String,
    /// The moves before it.
    pub n_moves: u64,
    /// The board before it, as rows of face values.
    pub board: Vec<Vec<u64>>,
    /// The stderr tail.
    pub stderr: Vec<String>,
    /// The command that plays this game again; `None` where it cannot be played again.
    pub again: Option<String>,
    /// The same for a page: RUN stands for the run folder, PLUGINS for that of the plugin.
    #[serde(skip)]
    pub again_on_page: Option<String>,
    #[serde(skip)]
    budget: Option<String>,
    #[serde(skip)]
    fingerprint: String,
}

impl FaultExample {
    /// The first fault of each kind among the games of one agent.
    pub(super) fn of_each_kind(plan: &RunPlan, records: &[&GameFigures]) -> Vec<Self> {
        let mut seen = BTreeSet::new();
        records
            .iter()
            .filter(|record| record.ending.is_fault() && seen.insert(record.ending))
            .map(|record| Self::of(plan, record))
            .collect()
    }

    fn of(plan: &RunPlan, record: &GameFigures) -> Self {
        let fault = record.fault().cloned().unwrap_or_default();
        Self {
            agent: plan.agents[record.series.agent].name.clone(),
            game: record.game,
            seed: record.seed,
            ending: record.ending,
            sentence: fault.sentence,
            n_moves: record.n_moves,
            board: fault.board,
            stderr: Vec::new(),
            again: None,
            again_on_page: None,
            budget: plan.budget_label(record.series.budget),
            fingerprint: fault.fingerprint,
        }
    }

    /// Adds the stderr tail from the run folder, and the command. Plugins beside the program are
    /// found without their folder.
    pub(super) fn complete(
        &mut self,
        run: &Path,
        plugins: Option<&Path>,
        stderr_tail: &StderrFiles,
    ) {
        let program = env::current_exe().unwrap_or_default();
        let plugins = plugins.filter(|folder| Some(*folder) != program.parent());
        let here = env::current_dir().unwrap_or_default();
        let plugins = plugins.map(|folder| match folder.strip_prefix(here) {
            Ok(inner) if inner.as_os_str().is_empty() => Path::new(".").to_owned(),
            Ok(inner) => inner.to_owned(),
            Err(_) => folder.to_owned(),
        });
        self.stderr = stderr_tail.lines(&self.agent, self.seed, &self.fingerprint);
        let game = self.game_options();
        let again = |run: &str, plugins: Option<String>| {
            let plugins = plugins.map_or(String::new(), |folder| format!(" --plugins {folder}"));
            format!("verify {run} --rerun {game}{plugins} --show-stderr")
        };
        let on_page = plugins.as_ref().map(|_| "PLUGINS".to_owned());
        self.again_on_page = Some(again("RUN", on_page));
        let plugins = plugins.map(|folder| quoted_path(&folder));
        self.again = Some(again(&quoted_path(run), plugins));
    }

    /// The options that choose its game.
    pub(super) fn game_options(&self) -> String {
        let budget = self
            .budget
            .as_ref()
            .map(|label| format!(" --budget {}", quoted(label)));
        format!(
            "--agent {} --seed {}{}",
            quoted(&self.agent),
            self.seed,
            budget.unwrap_or_default()
        )
    }

    /// The agent, the seed, the move and the fault.
    #[must_use]
    pub fn headline(&self) -> String {
        let when = match self.n_moves {
            0 => "before its first move".to_owned(),
            n_moves => format!("after {}", counted(n_moves, "move")),
        };
        let budget = self.budget.as_ref();
        let budget = budget.map_or(String::new(), |label| format!(" (budget {label})"));
        let Self {
            agent,
            seed,
            sentence,
            ..
        } = self;
        format!("{agent}{budget} on seed {seed}, {when}: {sentence}")
    }

    /// The board, the stderr tail and the command, which begins with `program`.
    /// No line of the tail is wider than `width`.
    #[must_use]
    pub fn evidence_lines(&self, program: &str, width: Option<usize>) -> Vec<String> {
        let printed = self.stderr.iter();
        let printed = printed.flat_map(|line| marked_rows("| ", line, width));
        let again = self
            .again
            .iter()
            .map(|arguments| format!("reproduce with: {program} {arguments}"));
        let board = self.board_lines().into_iter();
        board.chain(printed).chain(again).collect()
    }

    /// The board, one line per row, numbers aligned to the right.
    #[must_use]
    pub fn board_lines(&self) -> Vec<String> {
        let tiles = self.board.iter().flatten();
        let width = tiles.map(|tile| tile.to_string().len()).max().unwrap_or(1);
        let cell = |tile: &u64| match tile {
            0 => format!("{:>width$}", "."),
            tile => format!("{tile:>width$}"),
        };
        self.board
            .iter()
            .map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" "))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::{
        example::{figures, figures_of, plan, record},
        game_record::GameRecord,
    };

    #[test]
    fn the_first_fault_of_each_kind_is_an_example() {
        let fault = |seed, ending| GameFigures {
            ending,
            ..figures(0, seed, 0)
        };
        let records = [
            figures(0, 1, 0),
            fault(2, Ending::Panic),
            fault(3, Ending::Hang),
            fault(4, Ending::Panic),
        ];
        let examples =
            FaultExample::of_each_kind(&plan(4, &["a"]), &records.iter().collect::<Vec<_>>());
        let seeds: Vec<u64> = examples.iter().map(|example| example.seed).collect();
        assert_eq!(seeds, [2, 3]);
    }

    #[test]
    fn a_board_is_aligned() {
        let game = figures_of(&GameRecord {
            board: vec![vec![0, 2], vec![128, 0]],
            ending: Ending::Panic,
            ..record("a", 1, 0)
        });
        let example = FaultExample::of(&plan(4, &["a"]), &game);
        assert_eq!(example.board_lines(), ["  .   2", "128   ."]);
    }
}
