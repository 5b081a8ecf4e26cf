//! A network that learns: its weights, and of each weight how steady its errors were.
//!
//! Temporal coherence (Beal and Smith 1999; for 2048 Jaśkowski 2018) gives every weight a
//! learning rate of its own: the sum of its errors divided by the sum of their sizes. Errors
//! of one sign keep it at 1, errors that cancel each other lower it. Threads read and write
//! without locks; an update that is lost does no harm.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ntuple_network::{
    Indices, LARGE_SIZE, N_FEATURES, N_LARGE, N_WEIGHTS, SMALL_SIZE, downgraded, images,
    stepped_down, tables,
};
use plugin_api::PackedBoard;

/// A number that threads share.
#[derive(Debug, Default)]
pub(crate) struct SharedNumber(AtomicU32);

impl SharedNumber {
    #[inline]
    pub(crate) fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Relaxed))
    }

    #[inline]
    pub(crate) fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Relaxed);
    }
}

/// Of one weight the sum of its errors and the sum of their sizes.
#[derive(Debug, Default)]
pub(crate) struct Coherence {
    pub(crate) errors: SharedNumber,
    pub(crate) sizes: SharedNumber,
}

pub(crate) struct LearningNetwork {
    pub(crate) weights: Box<[SharedNumber]>,
    pub(crate) coherence: Box<[Coherence]>,
}

/// The numbers of the weights of a board.
pub(crate) type Features = [u32; N_FEATURES];

impl LearningNetwork {
    /// A network that has learned nothing.
    pub(crate) fn new() -> Self {
        Self {
            weights: (0..N_WEIGHTS).map(|_| SharedNumber::default()).collect(),
            coherence: (0..N_WEIGHTS).map(|_| Coherence::default()).collect(),
        }
    }

    #[inline]
    pub(crate) fn value(&self, features: &Features) -> f32 {
        features
            .iter()
            .map(|&feature| self.weights[feature as usize].get())
            .sum()
    }

    /// Moves the value of a board towards a target and returns the new value.
    #[inline]
    pub(crate) fn learn(&self, features: &Features, target: f32) -> f32 {
        let error = (target - self.value(features)) / N_FEATURES as f32;
        let mut value = 0.0;
        for &feature in features {
            let coherence = &self.coherence[feature as usize];
            let (errors, sizes) = (coherence.errors.get(), coherence.sizes.get());
            let rate = if sizes > 0.0 {
                errors.abs() / sizes
            } else {
                1.0
            };
            coherence.errors.set(errors + error);
            coherence.sizes.set(sizes + error.abs());
            let weight = &self.weights[feature as usize];
            let new = weight.get() + rate * error;
            weight.set(new);
            value += new;
        }
        value
    }

    /// Gives weights that were never learned those of the same tiles one lower, so that the
    /// first board with a new highest tile is not worth nothing.
    pub(crate) fn promote(&self) {
        for (start, size) in tables() {
            for index in 0..size {
                if !self.is_learned(start + index)
                    && let Some(source) = stepped_down(index)
                {
                    let value = self.weights[start + source].get();
                    self.weights[start + index].set(value);
                }
            }
        }
    }

    pub(crate) fn is_learned(&self, weight: usize) -> bool {
        self.coherence[weight].sizes.get() > 0.0
    }
}

/// The weights of a board whose tiles above `cap` are downgraded.
#[inline]
pub(crate) fn features(board: PackedBoard, cap: u32) -> Features {
    const PER_IMAGE: usize = N_FEATURES / 8;
    const SMALL_START: usize = N_LARGE * LARGE_SIZE;
    let mut features = [0; N_FEATURES];
    let images = images(downgraded(board.bits(), cap));
    for (image, features) in images
        .into_iter()
        .zip(features.as_chunks_mut::<PER_IMAGE>().0)
    {
        let Indices { large, small } = Indices::of(image);
        let large = large.into_iter().zip((0..).step_by(LARGE_SIZE));
        let small = small.into_iter().zip((SMALL_START..).step_by(SMALL_SIZE));
        for (feature, (index, start)) in features.iter_mut().zip(large.chain(small)) {
            *feature = (start + index) as u32;
        }
    }
    features
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, because a network takes most of a gigabyte.
    #[test]
    fn values_move_to_their_targets_rates_fall_and_new_tiles_are_promoted() {
        let network = LearningNetwork::new();
        let board = features(PackedBoard::from_bits(0x0123_4567_89ab_cd00), 14);
        assert!((network.learn(&board, 7200.0) - 7200.0).abs() < 1.0);
        assert!((network.value(&board) - 7200.0).abs() < 1.0);
        // Errors of +100 and -100 per weight: the next rate is zero.
        network.learn(&board, 0.0);
        let before = network.value(&board);
        network.learn(&board, 9999.0);
        assert!((network.value(&board) - before).abs() < 1.0);

        let [low, high] =
            [0xb, 0xc].map(|tile| features(PackedBoard::from_bits(0x1230 | tile), 14));
        network.learn(&low, 640.0);
        let other = network.value(&high);
        network.promote();
        assert!(
            (network.value(&high) - network.value(&low)).abs() < 1.0,
            "{other}"
        );
    }
}
