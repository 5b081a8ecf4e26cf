//! Weights that learn, and the steadiness of each weight's errors.
//!
//! Temporal coherence (Beal and Smith 1999; for 2048 Jaśkowski 2018) gives every weight a
//! learning rate of its own: the sum of its errors divided by the sum of their sizes. Errors
//! of one sign keep it at 1, errors that cancel each other lower it. Threads read and write
//! without locks; an update that is lost does no harm.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

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

/// The places of the weights of a board: of each of its images one per tuple. The large
/// tuples come first.
pub(crate) type Features<const N_TUPLES: usize> = [[u32; N_TUPLES]; 8];

/// Weights and their coherence.
pub(crate) struct LearnedWeights {
    pub(crate) weights: Box<[SharedNumber]>,
    pub(crate) coherence: Box<[Coherence]>,
}

impl LearnedWeights {
    /// This many weights that have learned nothing.
    pub(crate) fn zeros(n_weights: usize) -> Self {
        // Zeros from the system, which take memory only where they are written later: these
        // maps change nothing, and are compiled to nothing.
        let number = |bits: u32| SharedNumber(AtomicU32::new(bits));
        let weights = vec![0; n_weights].into_iter().map(number);
        let coherence = vec![[0; 2]; n_weights].into_iter();
        let coherence = coherence.map(|bits| Coherence(bits.map(number)));
        Self {
            weights: weights.collect(),
            coherence: coherence.collect(),
        }
    }

    /// The sum of the weights of a board.
    #[inline]
    pub(crate) fn sum<const N: usize>(&self, features: &Features<N>) -> f32 {
        // One sum per tuple: additions that do not wait for each other.
        let mut sums = [0.0; N];
        for image in features {
            for (sum, &feature) in sums.iter_mut().zip(image) {
                *sum += self.weights[feature as usize].get();
            }
        }
        sums.iter().sum()
    }

    /// Makes up for a part of an error in the sum of the weights of a board, which is at most
    /// `rate`; returns the new sum.
    #[inline]
    pub(crate) fn learn<const N: usize>(
        &self,
        features: &Features<N>,
        error: f32,
        rate: f32,
    ) -> f32 {
        let error = error / (8 * N) as f32;
        let mut sums = [0.0; N];
        for image in features {
            let rates = image.map(|feature| {
                let Coherence([all_errors, all_sizes]) = &self.coherence[feature as usize];
                let (errors, sizes) = (all_errors.get(), all_sizes.get());
                all_errors.set(errors + error);
                all_sizes.set(sizes + error.abs());
                if sizes > 0.0 {
                    rate * errors.abs() / sizes
                } else {
                    rate
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

    pub(crate) fn is_learned(&self, weight: usize) -> bool {
        let Coherence([_, sizes]) = &self.coherence[weight];
        sizes.get() > 0.0
    }
}
