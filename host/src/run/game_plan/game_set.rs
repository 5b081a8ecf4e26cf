//! A set of games by their number in the plan, in one bit each.

/// Games by number. The numbers of a plan are small enough that a set up to the largest fits
/// into memory: the reader of the tournament limits the games, see `MAX_GAMES`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSet {
    /// 64 games in each word.
    words: Vec<u64>,
    n_games: u64,
}

impl GameSet {
    /// Adds a game; says whether it is new.
    pub fn insert(&mut self, number: u64) -> bool {
        let (word, bit) = place_of(number);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.n_games += u64::from(is_new);
        is_new
    }

    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        let (word, bit) = place_of(number);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.n_games
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.n_games == 0
    }

    /// The games in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..).zip(&self.words).flat_map(|(place, &word)| {
            let bits = (0..u64::from(u64::BITS)).filter(move |bit| word & (1 << bit) != 0);
            bits.map(move |bit| place * u64::from(u64::BITS) + bit)
        })
    }
}

fn place_of(number: u64) -> (usize, u64) {
    let word = usize::try_from(number / u64::from(u64::BITS)).unwrap_or(usize::MAX);
    (word, 1 << (number % u64::from(u64::BITS)))
}
