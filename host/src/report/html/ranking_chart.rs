//! Who stands where: the mean of each agent with its interval as whiskers.
//!
//! The whiskers are the interval of the mean; the pale bar behind them is the middle
//! half of the games. Both are drawn from the numbers of the report.

use super::{
    drawing::Drawing,
    markup::confidence,
    row_chart::{AXIS, MIDDLE, Row, STRIP, row_chart},
    scale::{Scale, short},
};
use crate::{
    report::{
        budget_report::{AgentReport, BudgetReport},
        number_text::{NONE, amount, percent, with_interval},
    },
    statistics::interval::Interval,
};

/// What is drawn of an agent.
struct Standing {
    value: f64,
    interval: Option<Interval>,
    middle_half: Option<(f64, f64)>,
}

pub(super) fn ranking_chart(part: &BudgetReport, goal: Option<u64>) -> String {
    let text = if goal.is_some() { percent } else { amount };
    let standings: Vec<Option<Standing>> = part
        .agents
        .iter()
        .map(|agent| standing(agent, goal))
        .collect();
    let highest = standings.iter().flatten().map(Standing::highest);
    let scale = match goal {
        Some(_) => Scale::linear(1.0),
        None => Scale::linear(highest.fold(0.0, f64::max)),
    };
    let rows = part.agents.iter().zip(&standings).map(|(agent, standing)| {
        let sentence = match standing {
            Some(Standing {
                value, interval, ..
            }) => format!("{}: {}", agent.name, with_interval(*value, *interval, text)),
            None => format!("{} played no game", agent.name),
        };
        let mut strip = Drawing::new(STRIP, sentence);
        strip.grid(&scale, (0.0, STRIP));
        if let Some(standing) = standing {
            draw(&mut strip, &scale, standing);
        }
        Row {
            agent,
            strip,
            figure: figure(standing.as_ref(), text),
        }
    });
    let rows = rows.collect();
    let mut axis = Drawing::decoration(AXIS);
    axis.tick_labels(&scale, 14.0, |tick| match goal {
        Some(_) => percent(tick).replace(".0", ""),
        None => short(tick),
    });
    row_chart(rows, axis)
}

/// What the chart shows, in words.
pub(super) fn ranking_caption(part: &BudgetReport, goal: Option<u64>) -> String {
    let what = match goal {
        Some(goal) => format!("Dot: the share of games that reached {goal}"),
        None => "Dot: the mean score".to_owned(),
    };
    let has_intervals = part.agents.iter().any(|agent| match goal {
        Some(_) => agent
            .summary
            .goal
            .is_some_and(|rate| rate.interval.is_some()),
        None => agent.summary.mean_interval.is_some(),
    });
    let whiskers = if has_intervals {
        format!(". Whiskers: its {} interval", confidence(part))
    } else {
        String::new()
    };
    let middle = if goal.is_none() {
        ". Pale bar: the middle half of the games"
    } else {
        ""
    };
    format!("{what}{whiskers}{middle}. Agents that these games cannot tell apart share a rank.")
}

fn standing(agent: &AgentReport, goal: Option<u64>) -> Option<Standing> {
    let summary = &agent.summary;
    if goal.is_some() {
        let rate = summary.goal.filter(|rate| rate.games > 0)?;
        return Some(Standing {
            value: rate.rate,
            interval: rate.interval,
            middle_half: None,
        });
    }
    Some(Standing {
        value: summary.mean?,
        interval: summary.mean_interval,
        middle_half: summary.lower_quartile.zip(summary.upper_quartile),
    })
}

impl Standing {
    fn highest(&self) -> f64 {
        let interval = self.interval.map_or(0.0, |interval| interval.high);
        let quartile = self.middle_half.map_or(0.0, |(_, high)| high);
        self.value.max(interval).max(quartile)
    }
}

fn draw(strip: &mut Drawing, scale: &Scale, standing: &Standing) {
    if let Some((low, high)) = standing.middle_half {
        let ends = (scale.place(low), scale.place(high));
        strip.bar(ends, (MIDDLE - 6.0, MIDDLE + 6.0), "middle-half");
    }
    if let Some(Interval { low, high }) = standing.interval {
        let (low, high) = (scale.place(low), scale.place(high));
        strip.horizontal((low, high), MIDDLE, "whisker");
        for end in [low, high] {
            strip.vertical(end, (MIDDLE - 4.0, MIDDLE + 4.0), "whisker");
        }
    }
    strip.dot(scale.place(standing.value), MIDDLE, "mark");
}

fn figure(standing: Option<&Standing>, text: fn(f64) -> String) -> String {
    let Some(Standing {
        value, interval, ..
    }) = standing
    else {
        return NONE.to_owned();
    };
    match interval {
        Some(Interval { low, high }) => format!(
            "<b>{}</b> <small>{}–{}</small>",
            text(*value),
            text(*low),
            text(*high)
        ),
        None => format!("<b>{}</b>", text(*value)),
    }
}
