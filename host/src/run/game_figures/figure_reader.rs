//! Reads the figures of a run from the lines of its log.

use super::{BriefRecord, FigureMaker, GameFigures};
use crate::run::{
    game_log::{LinePosition, RecordFilter, Unfit, brief_record_of},
    run_plan::RunPlan,
};

/// What is known of the lines that have been read.
#[derive(Debug)]
pub struct FigureReader {
    filter: RecordFilter,
    maker: FigureMaker,
}

impl FigureReader {
    #[must_use]
    pub fn of(plan: &RunPlan) -> Self {
        Self {
            filter: RecordFilter::of(plan),
            maker: FigureMaker::default(),
        }
    }

    /// The next record of the log.
    ///
    /// # Errors
    /// When the line does not count.
    pub fn record_of<'l>(&mut self, line: &'l [u8]) -> Result<BriefRecord<'l>, Unfit> {
        let record = brief_record_of(line).ok_or(Unfit::NoRecord)?;
        self.filter.admit(&record)?;
        Ok(record)
    }

    /// The figures of a record that was read from this line.
    pub fn figures_of(
        &mut self,
        record: BriefRecord,
        line: &[u8],
        position: LinePosition,
    ) -> GameFigures {
        let label = self.filter.label_of(record.game);
        self.maker.figures_of_brief(record, label, line, position)
    }

    /// Forgets which games have been read.
    pub fn start_anew(&mut self) {
        self.filter.start_anew();
    }
}
