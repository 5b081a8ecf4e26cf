//! The note on seeds that are too few to prove anything.

use super::{BudgetLabel, Note};
use crate::{report::budget_report::BudgetReport, statistics::joint_flips::smallest_p_value};

/// With sign flips, the number of seeds limits how small a p-value can be, whatever the number of
/// agents.
pub(super) fn too_few_seeds(part: &BudgetReport, budget: BudgetLabel) -> Option<Note> {
    part.patterns?;
    let significance = part.confidence.significance();
    let seeds = part.pairs.iter().map(|pair| pair.comparison.games).max()?;
    let enough = (1..u64::BITS as usize).find(|seeds| smallest_p_value(*seeds) <= significance)?;
    (seeds < enough).then(|| Note::TooFewSeeds {
        budget,
        seeds,
        enough,
        smallest: smallest_p_value(seeds).to_string(),
    })
}
