//! A network that learns: its weights, and of each weight how steady its errors were.
//!
//! Temporal coherence (Beal and Smith 1999; for 2048 Jaśkowski 2018) gives every weight a
//! learning rate of its own: the sum of its errors divided by the sum of their sizes. Errors
//! of one sign keep it at 1, errors that cancel each other lower it. Threads read and write
//! without locks; an update that is lost does no harm.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ntuple_network::{
    Indices, LARGE_SIZE, N_FEATURES, N_LARGE, N_WEIGHTS, SMALL_SIZE, STAGE_SIZE, downgraded,
    images, stage, stepped_down, tables,
};
use plugin_api::PackedBoard;

use crate::prefetch::prefetch;

/// A number that threads share.
#[derive(Debug)]
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
#[derive(Debug)]
pub(crate) struct Coherence(pub(crate) [SharedNumber; 2]);

pub(crate) struct LearningNetwork {
    pub(crate) weights: Box<[SharedNumber]>,
    pub(crate) coherence: Box<[Coherence]>,
}

/// The numbers of the weights of a board.
pub(crate) type Features = [u32; N_FEATURES];
const PER_IMAGE: usize = N_FEATURES / 8;

impl LearningNetwork {
    /// A network that has learned nothing.
    pub(crate) fn new() -> Self {
        // Zeros from the system, which take memory only where they are written later: these
        // maps change nothing, and are compiled to nothing.
        let number = |bits: u32| SharedNumber(AtomicU32::new(bits));
        let weights = vec![0; N_WEIGHTS].into_iter().map(number);
        let coherence = vec![[0; 2]; N_WEIGHTS].into_iter();
        let coherence = coherence.map(|bits| Coherence(bits.map(number)));
        Self {
            weights: weights.collect(),
            coherence: coherence.collect(),
        }
    }

    #[inline]
    pub(crate) fn value(&self, features: &Features) -> f32 {
        // One sum per tuple: additions that do not wait for each other.
        let mut sums = [0.0; PER_IMAGE];
        for image in features.as_chunks::<PER_IMAGE>().0 {
            for (sum, &feature) in sums.iter_mut().zip(image) {
                *sum += self.weights[feature as usize].get();
            }
        }
        sums.iter().sum()
    }

    /// Moves the value of a board towards a target and returns the new value.
    #[inline]
    pub(crate) fn learn(&self, features: &Features, target: f32) -> f32 {
        let error = (target - self.value(features)) / N_FEATURES as f32;
        let mut sums = [0.0; PER_IMAGE];
        for image in features.as_chunks::<PER_IMAGE>().0 {
            let rates = image.map(|feature| {
                let Coherence([all_errors, all_sizes]) = &self.coherence[feature as usize];
                let (errors, sizes) = (all_errors.get(), all_sizes.get());
                all_errors.set(errors + error);
                all_sizes.set(sizes + error.abs());
                if sizes > 0.0 {
                    errors.abs() / sizes
                } else {
                    1.0
                }
            });
            for ((sum, &feature), rate) in sums.iter_mut().zip(image).zip(rates) {
                let weight = &self.weights[feature as usize];
                let new = weight.get() + rate * error;
                weight.set(new);
                *sum += new;
            }
        }
        sums.iter().sum()
    }

    /// Asks for the weights of a board ahead of their use. Those of the small tuples are in
    /// the nearer caches.
    #[inline]
    pub(crate) fn prefetch(&self, features: &Features) {
        for image in features.as_chunks::<PER_IMAGE>().0 {
            for &feature in &image[..N_LARGE] {
                prefetch(&self.weights, feature as usize);
            }
        }
    }

    /// Asks for all that learning touches.
    #[inline]
    pub(crate) fn prefetch_to_learn(&self, features: &Features) {
        for &feature in features {
            prefetch(&self.weights, feature as usize);
            prefetch(&self.coherence, feature as usize);
        }
    }

    /// Gives weights that were never learned those of the same tiles in the stage before, or
    /// one lower, so that the first board with a new highest tile is not worth nothing.
    pub(crate) fn promote(&self) {
        for (start, size) in tables() {
            for index in (0..size).filter(|index| !self.is_learned(start + index)) {
                let before = (start + index).checked_sub(STAGE_SIZE);
                let source = before
                    .filter(|&before| self.is_learned(before))
                    .or_else(|| Some(start + stepped_down(index)?));
                let value = source.map_or(0.0, |source| self.weights[source].get());
                // Memory that is never written is never used.
                if value != 0.0 {
                    self.weights[start + index].set(value);
                }
            }
        }
    }

    pub(crate) fn is_learned(&self, weight: usize) -> bool {
        let Coherence([_, sizes]) = &self.coherence[weight];
        sizes.get() > 0.0
    }
}

/// The weights of a board whose tiles above `cap` are downgraded.
#[inline]
pub(crate) fn features(board: PackedBoard, cap: u32) -> Features {
    let mut features = [0; N_FEATURES];
    let board = downgraded(board.bits(), cap);
    let large_start = stage(board) * STAGE_SIZE;
    let small_start = large_start + N_LARGE * LARGE_SIZE;
    let images = images(board);
    for (image, features) in images
        .into_iter()
        .zip(features.as_chunks_mut::<PER_IMAGE>().0)
    {
        let Indices { large, small } = Indices::of(image);
        let large = large.into_iter().zip((large_start..).step_by(LARGE_SIZE));
        let small = small.into_iter().zip((small_start..).step_by(SMALL_SIZE));
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
    fn values_move_to_their_targets_rates_fall_and_new_tiles_and_stages_are_promoted() {
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

        // The tuples without the 16384 have weights of their own, and start with the others'.
        let [without, with] =
            [0xd, 0xe].map(|tile| features(PackedBoard::from_bits(tile << 60 | 0x123b), 14));
        assert!(with.iter().all(|feature| !without.contains(feature)));
        let corner = low[0] as usize;
        let (first, second) = (&network.weights[corner], corner + STAGE_SIZE);
        assert!(first.get() != 0.0 && with.contains(&(second as u32)));
        assert!((network.weights[second].get() - first.get()).abs() < 1e-3);
        network.learn(&with, 0.0);
        assert!((network.weights[second].get() - first.get()).abs() > 1.0);
    }
}
