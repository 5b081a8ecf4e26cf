//! The bars of a tournament in a terminal.

use std::{collections::BTreeMap, time::Duration};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::standings::Standings;
use run::game_plan::Series;

/// The widest name in front of a bar.
const WIDEST_NAME: usize = 24;

/// More bars would push everything else off the screen.
const MOST_BARS: usize = 12;

/// One bar per series and one for all games, or the latter alone.
pub(super) struct Bars {
    screen: MultiProgress,
    of_series: BTreeMap<Series, ProgressBar>,
    of_all: ProgressBar,
}

impl Bars {
    pub(super) fn new(standings: &Standings) -> Self {
        let screen = MultiProgress::new();
        let style = |template: &str| {
            ProgressStyle::with_template(template).expect("the template is well-formed")
        };
        let rows: Vec<_> = standings.rows().collect();
        let name_width = rows.iter().map(|(_, name, ..)| name.chars().count()).max();
        let name_width = name_width.unwrap_or(0).min(WIDEST_NAME);
        // Agents play in turns: no time is known for each of them.
        let of_agent = format!("{{prefix:{name_width}!}} {{bar:20}} {{pos}}/{{len}}  {{wide_msg}}");
        let mut of_series = BTreeMap::new();
        if (2..=MOST_BARS).contains(&rows.len()) {
            for (series, name, _, n_games, _) in rows {
                let bar = screen.add(ProgressBar::new(n_games).with_style(style(&of_agent)));
                bar.set_prefix(name.to_owned());
                of_series.insert(series, bar);
            }
        }
        let of_all = "{pos}/{len} games, {per_sec}, {elapsed} elapsed, {eta} left";
        let of_all = screen.add(ProgressBar::new(standings.n_games()).with_style(style(of_all)));
        of_all.enable_steady_tick(Duration::from_millis(500));
        let bars = Self {
            screen,
            of_series,
            of_all,
        };
        bars.draw(standings);
        bars
    }

    /// Shows the games that have ended.
    pub(super) fn draw(&self, standings: &Standings) {
        for (series, _, n_ended, n_games, figure) in standings.rows() {
            if let Some(bar) = self.of_series.get(&series) {
                bar.set_length(n_games);
                bar.set_position(n_ended);
                bar.set_message(figure);
            }
        }
        self.of_all.set_length(standings.n_games());
        self.of_all.set_position(standings.n_ended());
    }

    /// Prints without disturbing the bars.
    pub(super) fn suspend(&self, print: impl FnOnce()) {
        self.screen.suspend(print);
    }

    /// Removes the bars.
    pub(super) fn clear(&self) {
        // A closed terminal needs no cleaning.
        let _ = self.screen.clear();
    }
}
