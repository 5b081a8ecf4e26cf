//! The games that are missing from a merged run, and the commands that play them.

use std::{
    collections::BTreeMap,
    fmt,
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use super::agreement::Part;
use crate::{game_plan::GamePlan, run_folder::RunFolder, shard::Shard};
use text::{
    program,
    shell_word::{quoted, quoted_path},
};
use tournament::SaltChoice;

/// Missing games of one shard, or of a plan that was not split into shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingGames {
    pub shard: Option<Shard>,
    pub n_missing: u64,
    /// The folder of the shard, if it was given.
    folder: Option<PathBuf>,
    n_games: u64,
    is_being_played: bool,
    tournament: String,
    needs_salt: bool,
}

/// How many games are missing. A plan may have a hundred million, so they are not listed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct MissingCount {
    /// Only shards that miss some; under `None` if the plan was not split into shards.
    pub(super) by_shard: BTreeMap<Option<Shard>, u64>,
}

impl MissingCount {
    /// All games that were not found count. `found` ascends.
    pub(super) fn of_all(
        games: &GamePlan,
        n_shards: Option<NonZeroU32>,
        found: impl Iterator<Item = u64>,
    ) -> Self {
        let (n_games, per_seed) = (games.n_games(), games.games_per_seed());
        let shard_of = |game| n_shards.map(|of| Shard::of_game(game, per_seed, of));
        let mut by_shard: BTreeMap<Option<Shard>, u64> = match n_shards {
            None => [(None, n_games)].into(),
            Some(of) => Shard::n_games_of_all(games, of)
                .map(|(shard, n_games)| (Some(shard), n_games))
                .collect(),
        };
        for game in found {
            if let Some(n_missing) = by_shard.get_mut(&shard_of(game)) {
                *n_missing = n_missing.saturating_sub(1);
            }
        }
        by_shard.retain(|_, n_missing| *n_missing > 0);
        Self { by_shard }
    }

    /// Of the games that were not found, those that are needed count. `found` ascends.
    pub(super) fn of_needed(
        games: &GamePlan,
        n_shards: Option<NonZeroU32>,
        found: impl Iterator<Item = u64>,
        is_needed: impl Fn(u64) -> bool,
    ) -> Self {
        let per_seed = games.games_per_seed();
        let mut found = found.peekable();
        let mut missing = Self::default();
        for game in 0..games.n_games() {
            if found.next_if_eq(&game).is_none() && is_needed(game) {
                let shard = n_shards.map(|of| Shard::of_game(game, per_seed, of));
                *missing.by_shard.entry(shard).or_default() += 1;
            }
        }
        missing
    }
}

pub(super) fn by_shard(
    counts: BTreeMap<Option<Shard>, u64>,
    games: &GamePlan,
    parts: &[Part],
) -> Vec<MissingGames> {
    let tournament = &parts
        .first()
        .expect("there is a part to merge")
        .plan
        .tournament;
    counts
        .into_iter()
        .map(|(shard, n_missing)| {
            let part = parts.iter().find(|part| part.plan.shard == shard);
            MissingGames {
                shard,
                n_missing,
                folder: part.map(|part| part.folder.clone()),
                n_games: Shard::n_games_of_run(shard, games),
                is_being_played: part.is_some_and(|part| RunFolder::is_held(&part.folder)),
                tournament: tournament.name.clone(),
                needs_salt: tournament.salt == SaltChoice::Secret,
            }
        })
        .collect()
}

impl MissingGames {
    /// The file of the tournament, which no plan names, as a word of a command.
    fn tournament_file(&self) -> String {
        let usual = format!("{}.yaml", self.tournament);
        if Path::new(&usual).is_file() {
            quoted(&usual)
        } else {
            "TOURNAMENT_FILE".to_owned()
        }
    }
}

impl fmt::Display for MissingGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shard {
            Some(shard) => write!(f, "shard {shard}: ")?,
            None => f.write_str("the plan: ")?,
        }
        write!(f, "missing {} of {} games", self.n_missing, self.n_games)?;
        if self.is_being_played {
            return f.write_str("; a host is playing them now");
        }
        let program = program::as_called();
        write!(
            f,
            "; play them with: {program} run {}",
            self.tournament_file()
        )?;
        if let Some(shard) = self.shard {
            write!(f, " --shard {shard}")?;
        }
        if let Some(folder) = &self.folder {
            write!(f, " --out {}", quoted_path(folder))?;
        }
        if self.needs_salt {
            f.write_str(" --salt-file FILE")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::plan;

    #[test]
    fn all_missing_games_are_counted_without_looking_at_each() {
        let games = plan(4, &["a", "b", "c"]).games();
        let of = |n_shards: u32, found: &[u64]| {
            let n_shards = NonZeroU32::new(n_shards);
            let found = || found.iter().copied();
            let counted = MissingCount::of_all(&games, n_shards, found());
            let one_by_one = MissingCount::of_needed(&games, n_shards, found(), |_| true);
            assert_eq!(counted, one_by_one);
            counted.by_shard.values().sum::<u64>()
        };
        let all: Vec<u64> = (0..games.n_games()).collect();
        assert_eq!(games.n_games(), 120);
        for n_shards in [0, 1, 2, 7, 50, 200] {
            assert_eq!(of(n_shards, &[]), 120);
            assert_eq!(of(n_shards, &[0, 1, 2, 5, 100]), 115);
            assert_eq!(of(n_shards, &all), 0);
            assert_eq!(of(n_shards, &all[..119]), 1);
        }
    }
}
