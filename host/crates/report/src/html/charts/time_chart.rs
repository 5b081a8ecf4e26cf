//! The time per move against the budget: median, 99th percentile and slowest move.

use super::{
    Chart,
    drawing::{Anchor, Drawing},
    row_chart::{AXIS, AxisPlace, MIDDLE, Row, RowChart, RowExtra, RowValue, STRIP},
    scale::Scale,
};
use text::number_text::{NONE, counted, microseconds, percent};

use crate::{
    budget_report::{AgentReport, BudgetReport},
    time_use::TimeUse,
};

/// Faster moves are drawn alike: reading the clock takes this long.
pub(super) const FASTEST_US: f64 = 1.0;

pub(in crate::html) fn time_chart(part: &BudgetReport) -> Chart<'_> {
    let budget_us = part.budget.per_move().map(|time| time.as_secs_f64() * 1e6);
    let times = part.agents.iter().flat_map(|agent| {
        let TimeUse {
            median_us, p99_us, ..
        } = agent.time;
        [median_us, p99_us, Some(agent.time.max_us)]
    });
    // Keeps the line of the budget off the edge of the axis.
    let around_budget = budget_us.map(|budget| budget / 2.0);
    let all = times
        .chain([budget_us, around_budget])
        .flatten()
        .map(|time| time.max(FASTEST_US));
    let scale = Scale::logarithmic(all);
    let rows = part.agents.iter().map(|agent| Row {
        agent,
        strip: strip(agent, &scale, budget_us),
        value: row_value(agent),
        extra: RowExtra::default(),
    });
    let rows = rows.collect();
    let mut axis = Drawing::decoration(if budget_us.is_some() {
        3.0 * AXIS
    } else {
        2.0 * AXIS
    });
    let below = axis.height() - 8.0;
    let what = "CPU time per move, logarithmic →";
    axis.text((1.0, below), Anchor::End, "axis-name", what);
    axis.tick_labels(&scale, 14.0, |tick| {
        microseconds(tick).replace(".00", "").replace(".0", "")
    });
    if let Some(budget) = budget_us {
        let x = scale.place(budget);
        axis.vertical(x, (0.0, 4.0), "budget");
        let anchor = if x > 0.5 { Anchor::End } else { Anchor::Start };
        let text = format!("budget {}", microseconds(budget).replace(".00", ""));
        axis.text((x, 32.0), anchor, "budget-name", &text);
        axis.vertical(x, (18.0, 34.0), "budget");
    }
    Chart::Rows(RowChart {
        rows,
        axis,
        axis_place: AxisPlace::Below,
    })
}

fn strip(agent: &AgentReport, scale: &Scale, budget_us: Option<f64>) -> Drawing {
    let time = &agent.time;
    let Some((median, p99)) = time.median_us.zip(time.p99_us) else {
        let mut empty = Drawing::new(STRIP, format!("{} made no move", agent.name));
        empty.grid(scale, (0.0, STRIP));
        return empty;
    };
    let mut strip = Drawing::new(
        STRIP,
        format!(
            "{}: 50% of the moves within {}, 99% within {}, the slowest {}",
            agent.name,
            microseconds(median),
            microseconds(p99),
            microseconds(time.max_us)
        ),
    );
    strip.grid(scale, (0.0, STRIP));
    if let Some(budget) = budget_us {
        strip.vertical(scale.place(budget), (0.0, STRIP), "budget");
    }
    let [median, p99, max] = [median, p99, time.max_us].map(|time| scale.place(time));
    strip.horizontal((median, max.max(median)), MIDDLE, "whisker thin");
    strip.horizontal((median, p99.max(median)), MIDDLE, "whisker");
    strip.vertical(p99, (MIDDLE - 5.0, MIDDLE + 5.0), "whisker");
    strip.dot(max, MIDDLE, "slowest");
    strip.dot(median, MIDDLE, "mark");
    strip
}

fn row_value(agent: &AgentReport) -> RowValue {
    let time = &agent.time;
    let (number, unit) = match (time.budget_share, time.cpu_ms_per_move) {
        (Some(share), _) => (percent(share), "used"),
        (None, Some(ms)) => (microseconds(ms * 1e3), "per move"),
        (None, None) => (NONE.to_owned(), ""),
    };
    let note = match time.overruns {
        0 => unit.to_owned(),
        overruns => format!("{unit}, {}", counted(overruns, "overrun")),
    };
    RowValue { number, note }
}
