//! The games that have a record.

use std::collections::BTreeMap;

use crate::run::{game_plan::game_set::GameSet, game_record::FaultWeight};

/// A set of games by their number in the plan, and what each counts towards disqualification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedGames {
    games: GameSet,
    /// Those that count.
    faults: BTreeMap<u64, FaultWeight>,
}

impl PlayedGames {
    /// Adds a game; says whether it is new.
    pub fn insert(&mut self, number: u64, weight: FaultWeight) -> bool {
        let is_new = self.games.insert(number);
        if is_new && weight != FaultWeight::Nothing {
            self.faults.insert(number, weight);
        }
        is_new
    }

    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.games.contains(number)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.games.len()
    }

    /// The games in ascending order, each with what it counts.
    pub fn iter(&self) -> impl Iterator<Item = (u64, FaultWeight)> + '_ {
        self.games.iter().map(|number| {
            let weight = self.faults.get(&number).copied();
            (number, weight.unwrap_or(FaultWeight::Nothing))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::game_record::Ending;

    #[test]
    fn games_are_found_again_in_ascending_order() {
        let mut games = PlayedGames::default();
        let (no, one) = (FaultWeight::Nothing, FaultWeight::One);
        let enough = FaultWeight::Enough(Ending::Hang);
        for (number, weight) in [(200, no), (3, one), (64, no), (63, enough)] {
            assert!(games.insert(number, weight));
        }
        assert!(!games.insert(64, one), "the first record counts");
        assert_eq!(
            games.iter().collect::<Vec<_>>(),
            [(3, one), (63, enough), (64, no), (200, no)]
        );
        assert_eq!((games.len(), games.contains(200)), (4, true));
        assert!(!games.contains(201) && !games.contains(u64::MAX));
    }
}
