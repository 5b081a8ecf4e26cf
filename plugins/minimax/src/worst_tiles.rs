//! What an opponent of limited power makes of the possible tiles.
//!
//! The opponent chooses how likely each tile is, but can make none more than `power`
//! times as likely as chance would. The worst choice is the mean over the worst tiles
//! that together have a chance of 1 in `power`. With power 1 the opponent is chance
//! itself; with a very large power it is that of the paper, who places whatever tile is
//! worst.

/// A 2 or a 4 on any cell.
const MAX_TILES: usize = 32;

/// The worst tiles so far, the worst one first.
#[derive(Clone, Debug)]
pub(crate) struct WorstTiles {
    tiles: [Tile; MAX_TILES],
    n_tiles: usize,
    /// The chance of all these tiles, by nature.
    chance: f32,
    /// The chance by nature of the tiles that the opponent can choose.
    choice: f32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tile {
    value: f32,
    chance: f32,
}

impl WorstTiles {
    /// No tiles yet, and an opponent who can choose tiles with this chance altogether.
    #[inline]
    pub(crate) fn of_choice(choice: f32) -> Self {
        Self {
            tiles: [Tile::default(); MAX_TILES],
            n_tiles: 0,
            chance: 0.0,
            choice,
        }
    }

    /// A tile with this value or a higher one is of no use to the opponent.
    #[inline]
    pub(crate) fn useless(&self) -> f32 {
        if self.is_enough() {
            self.tiles[self.n_tiles - 1].value
        } else {
            f32::INFINITY
        }
    }

    /// Whether the opponent has enough tiles to choose: more can only lower the value.
    #[inline]
    pub(crate) fn is_enough(&self) -> bool {
        self.chance >= self.choice
    }

    #[inline]
    pub(crate) fn add(&mut self, value: f32, chance: f32) {
        if value >= self.useless() {
            return;
        }
        let mut place = self.n_tiles;
        while place > 0 && self.tiles[place - 1].value > value {
            self.tiles[place] = self.tiles[place - 1];
            place -= 1;
        }
        self.tiles[place] = Tile { value, chance };
        self.n_tiles += 1;
        self.chance += chance;
        while self.chance - self.tiles[self.n_tiles - 1].chance >= self.choice {
            self.n_tiles -= 1;
            self.chance -= self.tiles[self.n_tiles].chance;
        }
    }

    /// The mean over the tiles that the opponent chooses.
    #[inline]
    pub(crate) fn value(&self) -> f32 {
        let chosen = self.choice.min(self.chance);
        let mut rest = chosen;
        let mut sum = 0.0;
        for tile in &self.tiles[..self.n_tiles] {
            let share = tile.chance.min(rest);
            sum += share * tile.value;
            rest -= share;
        }
        sum / chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(power: f32, values: &[f32], expected: f32) {
        let mut worst = WorstTiles::of_choice(1.0 / power);
        for &value in values {
            worst.add(value, 0.25);
        }
        assert!((worst.value() - expected).abs() < 1e-5, "{worst:?}");
    }

    #[test]
    fn the_value_is_the_mean_over_the_worst_tiles() {
        check(1.0, &[4.0, 1.0, 3.0, 2.0], 2.5);
        check(2.0, &[4.0, 1.0, 3.0, 2.0], 1.5);
        check(4.0, &[4.0, 1.0, 3.0, 2.0], 1.0);
        check(1e6, &[4.0, 1.0, 3.0, 2.0], 1.0);
        // Five eighths of the chance are two and a half tiles.
        check(1.6, &[4.0, 1.0, 3.0, 2.0], (1.0 + 2.0 + 0.5 * 3.0) / 2.5);
    }

    #[test]
    fn a_tile_is_useless_when_enough_are_worse() {
        let mut worst = WorstTiles::of_choice(0.5);
        worst.add(3.0, 0.25);
        assert!(!worst.is_enough() && worst.useless().is_infinite());
        worst.add(1.0, 0.25);
        assert!(worst.is_enough() && worst.useless() >= 3.0);
        worst.add(2.0, 0.25);
        assert!(worst.useless() <= 2.0);
    }
}
