//! A network that learns: the weights of its tuples in each stage of a game.

use ntuple_network::{
    Indices, LARGE_SIZE, N_LARGE, N_SMALL, SMALL_SIZE, downgraded, for_each_part, images,
    stepped_down,
};
use plugin_api::PackedBoard;

use crate::{
    learned_weights::{Features, LearnedWeights},
    prefetch::prefetch,
    stages::{N_STAGES, STAGE_SIZE, stage, tables},
};

pub(crate) struct LearningNetwork {
    pub(crate) learned: LearnedWeights,
    /// The stages with separate weights; boards of later ones belong to the last of them.
    pub(crate) n_stages: usize,
}

/// All tuples of the network.
pub(crate) const N_TUPLES: usize = N_LARGE + N_SMALL;

impl LearningNetwork {
    /// A network that has learned nothing, with one stage.
    pub(crate) fn new() -> Self {
        Self {
            learned: LearnedWeights::zeros(N_STAGES * STAGE_SIZE),
            n_stages: 1,
        }
    }

    /// The weights of the first `N` tuples of a board whose tiles above `cap` are downgraded.
    #[inline]
    pub(crate) fn features<const N: usize>(&self, board: PackedBoard, cap: u32) -> Features<N> {
        let board = downgraded(board.bits(), cap);
        let large_start = stage(board).min(self.n_stages - 1) * STAGE_SIZE;
        let small_start = large_start + N_LARGE * LARGE_SIZE;
        images(board).map(|image| {
            let Indices { large, small } = Indices::of(image);
            std::array::from_fn(|tuple| {
                let place = match tuple.checked_sub(N_LARGE) {
                    None => large_start + tuple * LARGE_SIZE + large[tuple],
                    Some(tuple) => small_start + tuple * SMALL_SIZE + small[tuple],
                };
                place as u32
            })
        })
    }

    #[inline]
    pub(crate) fn value<const N: usize>(&self, features: &Features<N>) -> f32 {
        self.learned.sum(features)
    }

    /// Moves the value of a board towards a target and returns the new value.
    #[inline]
    pub(crate) fn learn<const N: usize>(&self, features: &Features<N>, target: f32) -> f32 {
        let error = target - self.value(features);
        self.learned.learn(features, error, 1.0)
    }

    /// Prefetches the weights of a board, except those of the small tuples, which are in the
    /// nearer caches.
    #[inline]
    pub(crate) fn prefetch<const N: usize>(&self, features: &Features<N>) {
        for image in features {
            for &feature in &image[..N_LARGE] {
                prefetch(&self.learned.weights, feature as usize);
            }
        }
    }

    /// Prefetches everything that learning accesses.
    #[inline]
    pub(crate) fn prefetch_to_learn<const N: usize>(&self, features: &Features<N>) {
        for &feature in features.as_flattened() {
            prefetch(&self.learned.weights, feature as usize);
            prefetch(&self.learned.coherence, feature as usize);
        }
    }

    /// Gives this many stages weights of their own. A new stage begins with all that the one
    /// before it has learned, and learns faster than that one does now.
    pub(crate) fn split_into(&mut self, n_stages: usize) {
        /// How much the past of a weight counts in its new stage.
        const SHARE: f32 = 0.1;
        while self.n_stages < n_stages.min(N_STAGES) {
            let new = self.n_stages * STAGE_SIZE..;
            for (from, to) in (new.start - STAGE_SIZE..new.start).zip(new) {
                if self.is_learned(from) {
                    self.learned.weights[to].set(self.learned.weights[from].get());
                    let pairs = self.learned.coherence[from]
                        .0
                        .iter()
                        .zip(&self.learned.coherence[to].0);
                    pairs.for_each(|(from, to)| to.set(SHARE * from.get()));
                }
            }
            self.n_stages += 1;
        }
    }

    /// Gives weights that were never learned those of the same tiles in the stage before, or
    /// one lower, so that the first board with a new highest tile has a value.
    pub(crate) fn promote(&self) {
        for (start, size) in tables(self.n_stages) {
            for index in (0..size).filter(|index| !self.is_learned(start + index)) {
                let before = (start + index).checked_sub(STAGE_SIZE);
                let source = before
                    .filter(|&before| self.is_learned(before))
                    .or_else(|| Some(start + stepped_down(index)?));
                let value = source.map_or(0.0, |source| self.learned.weights[source].get());
                // Memory that is never written is never used.
                if value != 0.0 {
                    self.learned.weights[start + index].set(value);
                }
            }
        }
    }

    /// Adds the weights of the small tuples to those of the large ones, which alone then give the
    /// same values. Only these learn from then on, in half the time.
    pub(crate) fn fold(&mut self) {
        self.add_small_tuples(1.0);
    }

    /// Subtracts the weights of the small tuples again.
    pub(crate) fn unfold(&mut self) {
        self.add_small_tuples(-1.0);
        // Rounding leaves something of weights that were never learned.
        for (start, size) in tables(self.n_stages) {
            for weight in start..start + size {
                if !self.is_learned(weight) && self.learned.weights[weight].get() != 0.0 {
                    self.learned.weights[weight].set(0.0);
                }
            }
        }
    }

    fn add_small_tuples(&mut self, factor: f32) {
        let n_stages = self.n_stages;
        for weights in self
            .learned
            .weights
            .chunks_exact_mut(STAGE_SIZE)
            .take(n_stages)
        {
            for_each_part(|whole, part| {
                let sum = weights[whole].get() + factor * weights[part].get();
                weights[whole].set(sum);
            });
        }
    }

    pub(crate) fn is_learned(&self, weight: usize) -> bool {
        self.learned.is_learned(weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(bits: u64) -> PackedBoard {
        PackedBoard::from_bits(bits)
    }

    /// One test, because a network takes most of a gigabyte.
    #[test]
    fn values_move_to_their_targets_rates_fall_and_new_tiles_and_stages_are_promoted() {
        let mut network = LearningNetwork::new();
        let full = network.features::<N_TUPLES>(board(0x0123_4567_89ab_cd00), 14);
        assert!((network.learn(&full, 7200.0) - 7200.0).abs() < 1.0);
        assert!((network.value(&full) - 7200.0).abs() < 1.0);
        // Errors of +100 and -100 per weight: the next rate is zero.
        network.learn(&full, 0.0);
        let before = network.value(&full);
        network.learn(&full, 9999.0);
        assert!((network.value(&full) - before).abs() < 1.0);

        let [low, high] =
            [0xb, 0xc].map(|tile| network.features::<N_TUPLES>(board(0x1230 | tile), 14));
        network.learn(&low, 640.0);
        let other = network.value(&high);
        network.promote();
        assert!(
            (network.value(&high) - network.value(&low)).abs() < 1.0,
            "{other}"
        );

        // With stages, a board with a 16384 has weights of its own, which start with the others'.
        let late = board(0xe << 60 | 0x123b);
        let together = network.features::<N_TUPLES>(late, 14);
        network.learn(&together, 3000.0);
        let value = network.value(&together);
        network.split_into(2);
        let apart = network.features::<N_TUPLES>(late, 14);
        let is_moved = |(together, apart): (&u32, &u32)| *apart == together + STAGE_SIZE as u32;
        let mut pairs = together.as_flattened().iter().zip(apart.as_flattened());
        assert!(pairs.all(is_moved));
        assert!((network.value(&apart) - value).abs() < 1.0);
        network.learn(&apart, 0.0);
        assert!((network.value(&together) - value).abs() < 1e-3);
        assert!(network.value(&apart) < value - 1.0);
    }

    #[test]
    fn the_large_tuples_alone_have_the_values_of_all_while_the_small_ones_are_folded() {
        let mut network = LearningNetwork::new();
        let late = board(0x0123_4567_89ab_cd00);
        let all = network.features::<N_TUPLES>(late, 14);
        let large = network.features::<N_LARGE>(late, 14);
        network.learn(&all, 7200.0);
        network.fold();
        assert!((network.value(&large) - 7200.0).abs() < 1.0);
        network.learn(&large, 9000.0);
        network.unfold();
        assert!((network.value(&all) - 9000.0).abs() < 1.0);
        let unlearned = network.features::<N_TUPLES>(board(0x1), 14);
        assert!(network.value(&unlearned).abs() < 1.0);
    }
}
