//! The ranking as a chart: the mean of each agent with its interval as whiskers.
//!
//! The pale bar behind the whiskers is the interquartile range of the games. Both are drawn
//! from the numbers of the report.

use maud::Markup;

use super::{
    Chart,
    drawing::{Anchor, Drawing},
    mean_curve::mean_curve,
    row_chart::{AXIS, AxisPlace, MIDDLE, Row, RowChart, RowExtra, RowValue, STRIP},
    scale::{Scale, short},
};
use statistics::interval::Interval;
use text::number_text::{NONE, amount, percent};

use crate::{
    agent_games::AgentGames,
    budget_report::{AgentReport, BudgetReport},
    estimate_text::with_interval,
    html::{figure::confidence_level, served_run::ServedRun},
};

/// The numbers of an agent that are drawn.
struct AgentMarks {
    value: f64,
    interval: Option<Interval>,
    /// The lower and upper quartile.
    quartiles: Option<(f64, f64)>,
}

/// In the page of `host serve`, rows have links to games of the run and the course of the mean.
pub(in crate::html) fn ranking_chart<'p>(
    part: &'p BudgetReport,
    goal: Option<u64>,
    followed: Option<(ServedRun, &[AgentGames])>,
) -> Chart<'p> {
    let text = if goal.is_some() { percent } else { amount };
    let marks: Vec<Option<AgentMarks>> =
        part.agents.iter().map(|agent| marks(agent, goal)).collect();
    let highest = marks.iter().flatten().map(AgentMarks::highest);
    let scale = match goal {
        Some(_) => Scale::linear(1.0),
        None => Scale::linear(highest.fold(0.0, f64::max)),
    };
    let rows =
        part.agents.iter().zip(&marks).map(|(agent, marks)| {
            let sentence = match marks {
                Some(AgentMarks {
                    value, interval, ..
                }) => format!("{}: {}", agent.name, with_interval(*value, *interval, text)),
                None => format!("{} played no game", agent.name),
            };
            let mut strip = Drawing::new(STRIP, sentence);
            strip.grid(&scale, (0.0, STRIP));
            if let Some(marks) = marks {
                draw(&mut strip, &scale, marks);
            }
            Row {
                agent,
                strip,
                value: row_value(marks.as_ref(), text),
                extra: followed.map_or_else(RowExtra::default, |(run, games)| {
                    let of_agent = games.iter().find(|games| games.name == agent.name);
                    let confidence = part.confidence.level;
                    RowExtra {
                        links: of_agent.map_or_else(Markup::default, |games| run.extremes(games)),
                        history: Some(of_agent.map_or_else(Markup::default, |games| {
                            mean_curve(games, goal, confidence)
                        })),
                    }
                }),
            }
        });
    let rows = rows.collect();
    let mut axis = Drawing::decoration(2.0 * AXIS);
    let what = match goal {
        Some(goal) => format!("share of games that reached {goal} →"),
        None => "mean score →".to_owned(),
    };
    axis.text((1.0, 32.0), Anchor::End, "axis-name", &what);
    axis.tick_labels(&scale, 14.0, |tick| match goal {
        Some(_) => percent(tick).replace(".0", ""),
        None => short(tick),
    });
    Chart::Rows(RowChart {
        rows,
        axis,
        axis_place: AxisPlace::Below,
    })
}

/// The caption of the chart.
pub(in crate::html) fn ranking_caption(part: &BudgetReport, goal: Option<u64>) -> String {
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
        format!(". Whiskers: its {} interval", confidence_level(part))
    } else {
        String::new()
    };
    let quartiles = if goal.is_none() {
        ". Pale bar: the interquartile range (IQR) of the scores"
    } else {
        ""
    };
    format!("{what}{whiskers}{quartiles}. Agents that these games cannot distinguish share a rank.")
}

fn marks(agent: &AgentReport, goal: Option<u64>) -> Option<AgentMarks> {
    let summary = &agent.summary;
    if goal.is_some() {
        let rate = summary.goal.filter(|rate| rate.games > 0)?;
        return Some(AgentMarks {
            value: rate.rate,
            interval: rate.interval,
            quartiles: None,
        });
    }
    Some(AgentMarks {
        value: summary.mean?,
        interval: summary.mean_interval,
        quartiles: summary.lower_quartile.zip(summary.upper_quartile),
    })
}

impl AgentMarks {
    fn highest(&self) -> f64 {
        let interval = self.interval.map_or(0.0, |interval| interval.high);
        let quartile = self.quartiles.map_or(0.0, |(_, high)| high);
        self.value.max(interval).max(quartile)
    }
}

fn draw(strip: &mut Drawing, scale: &Scale, marks: &AgentMarks) {
    if let Some((low, high)) = marks.quartiles {
        let ends = (scale.place(low), scale.place(high));
        strip.bar(ends, (MIDDLE - 6.0, MIDDLE + 6.0), "iqr");
    }
    if let Some(Interval { low, high }) = marks.interval {
        let (low, high) = (scale.place(low), scale.place(high));
        strip.horizontal((low, high), MIDDLE, "whisker");
        for end in [low, high] {
            strip.vertical(end, (MIDDLE - 4.0, MIDDLE + 4.0), "whisker");
        }
    }
    strip.dot(scale.place(marks.value), MIDDLE, "mark");
}

fn row_value(marks: Option<&AgentMarks>, text: fn(f64) -> String) -> RowValue {
    let Some(AgentMarks {
        value, interval, ..
    }) = marks
    else {
        return RowValue {
            number: NONE.to_owned(),
            note: String::new(),
        };
    };
    let note = interval.map(|Interval { low, high }| format!("[{}, {}]", text(low), text(high)));
    RowValue {
        number: text(*value),
        note: note.unwrap_or_default(),
    }
}
