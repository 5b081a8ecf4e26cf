//! The games that have a record, in one bit each.

use std::collections::BTreeMap;

use crate::run::game_record::Ending;

/// What a game counts towards disqualification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultWeight {
    Nothing,
    /// One of the faults in a row.
    One,
    /// Enough alone.
    Enough,
}

impl FaultWeight {
    #[must_use]
    pub fn new(ending: Ending, is_timeout: bool) -> Self {
        match (ending.is_fault(), is_timeout) {
            (false, _) => Self::Nothing,
            (true, false) => Self::One,
            (true, true) => Self::Enough,
        }
    }
}

/// A set of games by their number in the plan, and what each counts towards disqualification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedGames {
    /// 64 games in each word.
    words: Vec<u64>,
    n_games: u64,
    /// Those that count.
    faults: BTreeMap<u64, FaultWeight>,
}

impl PlayedGames {
    /// Adds a game; says whether it is new. The numbers of a plan are small enough that a
    /// set up to the largest fits into memory.
    pub fn insert(&mut self, number: u64, weight: FaultWeight) -> bool {
        let (word, bit) = place_of(number);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        if is_new {
            self.n_games += 1;
            if weight != FaultWeight::Nothing {
                self.faults.insert(number, weight);
            }
        }
        is_new
    }

    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        let (word, bit) = place_of(number);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.n_games == 0
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.n_games
    }

    /// The games in ascending order, each with what it counts.
    pub fn iter(&self) -> impl Iterator<Item = (u64, FaultWeight)> + '_ {
        let numbers = (0..).zip(&self.words).flat_map(|(place, &word)| {
            let bits = (0..u64::from(u64::BITS)).filter(move |bit| word & (1 << bit) != 0);
            bits.map(move |bit| place * u64::from(u64::BITS) + bit)
        });
        numbers.map(|number| {
            let weight = self.faults.get(&number).copied();
            (number, weight.unwrap_or(FaultWeight::Nothing))
        })
    }
}

fn place_of(number: u64) -> (usize, u64) {
    let word = usize::try_from(number / u64::from(u64::BITS)).unwrap_or(usize::MAX);
    (word, 1 << (number % u64::from(u64::BITS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_again_in_ascending_order() {
        let mut games = PlayedGames::default();
        let (no, one, enough) = (FaultWeight::Nothing, FaultWeight::One, FaultWeight::Enough);
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
