//! The games that have a record, in one bit each.

use std::collections::BTreeSet;

/// A set of games by their number in the plan, and which of them ended with a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedGames {
    /// 64 games in each word.
    words: Vec<u64>,
    n_games: u64,
    faults: BTreeSet<u64>,
}

impl PlayedGames {
    /// Adds a game; says whether it is new. The numbers of a plan are small enough that a
    /// set up to the largest fits into memory.
    pub fn insert(&mut self, number: u64, is_fault: bool) -> bool {
        let (word, bit) = place_of(number);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        if is_new {
            self.n_games += 1;
            if is_fault {
                self.faults.insert(number);
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

    /// The games in ascending order, each with whether it ended with a fault.
    pub fn iter(&self) -> impl Iterator<Item = (u64, bool)> + '_ {
        let numbers = (0..).zip(&self.words).flat_map(|(place, &word)| {
            let bits = (0..u64::from(u64::BITS)).filter(move |bit| word & (1 << bit) != 0);
            bits.map(move |bit| place * u64::from(u64::BITS) + bit)
        });
        numbers.map(|number| (number, self.faults.contains(&number)))
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
        for (number, is_fault) in [(200, false), (3, true), (64, false), (63, true)] {
            assert!(games.insert(number, is_fault));
        }
        assert!(!games.insert(64, true), "the first record counts");
        assert_eq!(
            games.iter().collect::<Vec<_>>(),
            [(3, true), (63, true), (64, false), (200, false)]
        );
        assert_eq!((games.len(), games.contains(200)), (4, true));
        assert!(!games.contains(201) && !games.contains(u64::MAX));
    }
}
