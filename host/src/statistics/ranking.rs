//! Ranks that claim no more than the comparisons do.
//!
//! An agent's rank is one more than the number of agents that are significantly
//! better: agents that the data cannot tell apart share a rank. Where a third
//! agent is proved better than one of two near-equals only, these two stand on
//! different ranks though nothing is claimed about them; the verdict says so.

/// The rank of each agent; `wins` holds (better, worse) by position.
#[must_use]
pub fn ranks(n_agents: usize, wins: &[(usize, usize)]) -> Vec<usize> {
    let mut ranks = vec![1; n_agents];
    for &(_, worse) in wins {
        ranks[worse] += 1;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_that_cannot_be_told_apart_share_a_rank() {
        assert_eq!(ranks(3, &[]), [1, 1, 1]);
        assert_eq!(ranks(4, &[(0, 3), (1, 3), (2, 3), (0, 2)]), [1, 1, 2, 4]);
    }
}
