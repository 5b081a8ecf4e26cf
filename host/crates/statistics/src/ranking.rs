//! Ranks that claim no more than the comparisons.
//!
//! It is not enough to count, for each agent, how many are significantly better. If a third
//! agent is significantly better than only one of two near-equals, these two would get different
//! ranks although nothing separates them, and half of the time in the wrong order. Agents that
//! cannot be distinguished therefore share a rank, and so do agents that are connected through
//! others. Ranks are separated only where every agent above is significantly better than every
//! agent below. The rank is one more than the number of agents above.
//!
//! These are the Smith sets of the relation "significantly better" (Smith, "Aggregation of
//! Preferences with Variable Electorate", Econometrica 41, 1973): the finest ranking in which
//! different ranks mean a significant difference. Two ranks are in the wrong order only if some
//! comparison is wrong, which the joint test allows in at most 5% of tournaments.
//!
//! Ranks leave information out; [`RankRange`] adds it: the ranks that the comparisons do not
//! rule out for an agent.

use serde::Serialize;

/// The rank range of an agent: from one more than the number of agents that are significantly
/// better, to the number of all agents minus those that are significantly worse. All ranges of a
/// tournament hold simultaneously with the confidence of the comparisons (Mogstad, Romano,
/// Shaikh and Wilhelm, "Inference for Ranks", Review of Economic Studies 91, 2024).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RankRange {
    pub best: usize,
    pub worst: usize,
}

/// The rank of each agent; `wins` has each significant pair (better, worse) once, by position.
#[must_use]
pub fn ranks(n_agents: usize, wins: &[(usize, usize)]) -> Vec<usize> {
    let mut n_wins = vec![0; n_agents];
    for &(better, _) in wins {
        n_wins[better] += 1;
    }
    // An agent that beats all agents below a cut has more wins than any of them.
    let mut order: Vec<usize> = (0..n_agents).collect();
    order.sort_by_key(|&agent| std::cmp::Reverse(n_wins[agent]));
    let mut place = vec![0; n_agents];
    for (position, &agent) in order.iter().enumerate() {
        place[agent] = position;
    }
    // How many wins begin and end at each position, to count those across a cut.
    let (mut begin, mut end) = (vec![0; n_agents], vec![0; n_agents]);
    for &(better, worse) in wins {
        if place[better] < place[worse] {
            begin[place[better]] += 1;
            end[place[worse]] += 1;
        }
    }
    let mut ranks = vec![1; n_agents];
    let (mut rank, mut n_across) = (1, 0);
    for (position, &agent) in order.iter().enumerate() {
        if position > 0 && n_across == position * (n_agents - position) {
            rank = position + 1;
        }
        ranks[agent] = rank;
        n_across = n_across + begin[position] - end[position];
    }
    ranks
}

/// The range of each agent; `wins` as for [`ranks`].
#[must_use]
pub fn rank_ranges(n_agents: usize, wins: &[(usize, usize)]) -> Vec<RankRange> {
    let everything = RankRange {
        best: 1,
        worst: n_agents,
    };
    let mut ranges = vec![everything; n_agents];
    for &(better, worse) in wins {
        ranges[better].worst -= 1;
        ranges[worse].best += 1;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_that_cannot_be_distinguished_share_a_rank() {
        assert_eq!(ranks(3, &[]), [1, 1, 1]);
        assert_eq!(ranks(2, &[(1, 0)]), [2, 1]);
        let two_pairs = [(0, 2), (0, 3), (1, 2), (1, 3)];
        assert_eq!(ranks(4, &two_pairs), [1, 1, 3, 3]);
        let all = [(0, 1), (0, 2), (1, 2)];
        assert_eq!(ranks(3, &all), [1, 2, 3]);
        assert!(ranks(0, &[]).is_empty());
    }

    #[test]
    fn a_chain_of_near_equals_shares_a_rank() {
        // The first beats the third; the second cannot be distinguished from either.
        assert_eq!(ranks(3, &[(0, 2)]), [1, 1, 1]);
        // The last loses to everyone.
        assert_eq!(ranks(4, &[(0, 2), (0, 3), (1, 3), (2, 3)]), [1, 1, 1, 4]);
    }

    #[test]
    fn agents_that_beat_each_other_in_a_circle_share_a_rank() {
        let circle = [(0, 1), (1, 2), (2, 0), (3, 0), (3, 1), (3, 2)];
        assert_eq!(ranks(4, &circle), [2, 2, 2, 1]);
    }

    #[test]
    fn a_range_has_every_rank_that_is_not_ruled_out() {
        let range = |best, worst| RankRange { best, worst };
        assert_eq!(
            rank_ranges(3, &[(0, 2)]),
            [range(1, 2), range(1, 3), range(2, 3)]
        );
    }
}
