//! The games that are missing from a merged run, and the commands that play them.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use super::{Part, number_of_shards};
use crate::{
    run::{game_plan::GamePlan, run_folder::RunFolder, shard::Shard},
    tournament::SaltChoice,
};

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

pub(super) fn by_shard(missing: &[u64], games: &GamePlan, parts: &[Part]) -> Vec<MissingGames> {
    let n_shards = number_of_shards(parts);
    let per_seed = games.games_per_seed();
    let mut counts: BTreeMap<Option<Shard>, u64> = BTreeMap::new();
    for &game in missing {
        let shard = n_shards.map(|of| Shard::of_game(game, per_seed, of));
        *counts.entry(shard).or_default() += 1;
    }
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
                n_games: shard.map_or(games.n_games(), |shard| shard.n_games(games)),
                is_being_played: part.is_some_and(|part| RunFolder::is_held(&part.folder)),
                tournament: tournament.name.clone(),
                needs_salt: tournament.salt == SaltChoice::Secret,
            }
        })
        .collect()
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
        write!(f, "; play them with: host run {}.yaml", self.tournament)?;
        if let Some(shard) = self.shard {
            write!(f, " --shard {shard}")?;
        }
        if let Some(folder) = &self.folder {
            write!(f, " --out {}", folder.display())?;
        }
        if self.needs_salt {
            f.write_str(" --salt-file FILE")?;
        }
        Ok(())
    }
}
