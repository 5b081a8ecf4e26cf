//! The numbers that the methods section of a paper needs, and a paragraph with them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use plugin_api::{Clock, Tiles};
use serde::Serialize;

use run::{
    counted::{Counted, Decision},
    game_figures::GameFigures,
    run_plan::RunPlan,
};
use statistics::{
    effort::Effort, joint_flips::Patterns, mean_interval::MeanMethod, race::RaceRule,
};
use text::{
    duration_text::readable_times,
    listing::{first_listed, listed},
    number_text::{count, counted, percent_with_digits},
    plugin_words::word_or_quotation,
    strangers_words::label_or_quotation,
};
use tournament::{Budget, BudgetLimit, Overrun};

use crate::budget_report::BudgetReport;

/// The most processors that the paragraph names.
const MOST_CPUS: usize = 3;

/// The object `methods` of the JSON report. `docs/for-a-paper.md` explains what to write with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Methods {
    /// The version of the host.
    host: String,
    /// The games that count, also those on private seeds.
    games: u64,
    /// Those of them that ended with a fault of the agent.
    faults: u64,
    /// The CPU time that agents used in them, in seconds.
    cpu_s: f64,
    /// How many seeds all agents share, and which.
    n_seeds: u64,
    seeds: String,
    /// For each agent under each budget.
    private_seeds: u64,
    /// `null` if there is none, or while it is secret.
    salt: Option<String>,
    salt_commitment: Option<String>,
    budgets: Vec<MethodsBudget>,
    machines: Vec<MethodsMachine>,
    /// `null` if the tiles are not random: then there is nothing to infer.
    inference: Option<Inference>,
    #[serde(skip)]
    salt_in_words: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct MethodsBudget {
    label: String,
    per_move_ms: Option<f64>,
    bank_ms: Option<f64>,
    /// `cpu` or `wall`.
    clock: Option<&'static str>,
    /// Whether exceeding the bank ended the game.
    overrun_ends_game: Option<bool>,
    nodes: Option<u64>,
}

/// Machines that are the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct MethodsMachine {
    cpu: String,
    cores: usize,
    kernel: String,
    /// How many parts of the run they played.
    parts: u64,
}

/// How intervals and claims were computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Inference {
    confidence: f64,
    /// The accepted probability of any false claim under one budget.
    alpha: f64,
    pairs: usize,
    /// The methods of the intervals of means: `student-t`, `bootstrap-t`, `skewness-corrected`; with
    /// a stop rule `confidence-sequence`.
    mean_intervals: Vec<&'static str>,
    /// Of the bootstrap, where it was used.
    resamples: Option<usize>,
    /// Of the sign-flip test, one entry per budget with pairs.
    sign_flips: Vec<SignFlips>,
    race: Option<MethodsRace>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct SignFlips {
    budget: Option<String>,
    patterns: usize,
    /// Whether they are all that there are; otherwise they are random.
    all: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct MethodsRace {
    /// The numbers of seeds after which pairs can be decided.
    looks: Vec<u64>,
    /// The share of the better mean within which agents are practically equal.
    equal_within: Option<f64>,
}

impl Methods {
    /// `parts` is what the report of these records says of each budget.
    #[must_use]
    pub fn of(
        plan: &RunPlan,
        counted: &Counted,
        parts: &[BudgetReport],
        records: &[GameFigures],
    ) -> Self {
        let tournament = &plan.tournament;
        let games = counted.games(records);
        let n_faults = games.iter().filter(|game| game.ending.is_fault()).count();
        let n_seeds = counted.decision.as_ref().map_or(0, Decision::seeds);
        let seeds = tournament.seeds.extended_to(n_seeds);
        let seeds = seeds.unwrap_or_else(|_| tournament.seeds.clone());
        let published = plan.published_salt.filter(|salt| !salt.is_none());
        let commitment = plan.salt_commitment.as_ref();
        Self {
            host: plan.host_version.clone(),
            games: games.len() as u64,
            faults: n_faults as u64,
            cpu_s: games.iter().map(|game| game.cpu_ms).sum::<f64>() / 1e3,
            n_seeds: seeds.len(),
            seeds: seeds.to_string(),
            private_seeds: tournament.private_seeds,
            salt: published.map(|salt| salt.to_string()),
            salt_commitment: commitment.map(ToString::to_string),
            budgets: tournament.budgets.iter().map(methods_budget).collect(),
            machines: machines(plan),
            inference: match tournament.tiles {
                Tiles::Random => Some(Inference::of(plan, parts)),
                Tiles::Deterministic => None,
            },
            salt_in_words: plan.salt_in_words(),
        }
    }
}

impl Methods {
    /// How the intervals of means were computed; `None` where there are none.
    #[must_use]
    pub fn interval_methods(&self) -> Option<String> {
        let methods = &self.inference.as_ref()?.mean_intervals;
        (!methods.is_empty()).then(|| methods.join(", "))
    }
}

impl Inference {
    fn of(plan: &RunPlan, parts: &[BudgetReport]) -> Self {
        let confidence = plan.confidence();
        let means = match plan.stop() {
            Some(_) => BTreeSet::new(),
            None => mean_methods(parts),
        };
        let parts = parts.iter();
        Self {
            confidence: confidence.level,
            // 0.05, not 0.050000000000000044.
            alpha: (confidence.significance() * 1e9).round() / 1e9,
            pairs: parts.clone().map(|part| part.pairs.len()).sum(),
            mean_intervals: match plan.stop() {
                Some(_) => vec!["confidence-sequence"],
                None => means.iter().map(|method| name_of(*method)).collect(),
            },
            resamples: means
                .contains(&MeanMethod::Bootstrap)
                .then_some(Effort::FULL.resamples),
            sign_flips: parts
                .filter_map(|part| {
                    let Patterns { count, all } =
                        part.patterns.filter(|_| !part.pairs.is_empty())?;
                    Some(SignFlips {
                        budget: part.label.clone(),
                        patterns: count,
                        all,
                    })
                })
                .collect(),
            race: plan.race_rule().map(MethodsRace::from),
        }
    }
}

impl From<RaceRule> for MethodsRace {
    fn from(rule: RaceRule) -> Self {
        Self {
            looks: rule.looks,
            equal_within: rule.equal_within,
        }
    }
}

fn methods_budget(budget: &Budget) -> MethodsBudget {
    let (per_move, nodes) = match budget.limit {
        BudgetLimit::Time { per_move } => (Some(per_move), None),
        BudgetLimit::Nodes(nodes) => (None, Some(nodes.get())),
        BudgetLimit::None => (None, None),
    };
    let in_time = per_move.map(|_| budget);
    MethodsBudget {
        label: budget.label(),
        per_move_ms: per_move.map(|time| time.as_secs_f64() * 1e3),
        bank_ms: in_time.map(|budget| budget.bank.as_secs_f64() * 1e3),
        clock: in_time.map(|budget| match budget.clock {
            Clock::Cpu => "cpu",
            Clock::Wall => "wall",
        }),
        overrun_ends_game: in_time.map(|budget| budget.overrun == Overrun::EndGame),
        nodes,
    }
}

fn machines(plan: &RunPlan) -> Vec<MethodsMachine> {
    let mut parts: BTreeMap<(String, usize, String), u64> = BTreeMap::new();
    for played_on in plan.played_on() {
        let machine = played_on.machine;
        *parts
            .entry((machine.cpu, machine.cores, machine.kernel))
            .or_default() += 1;
    }
    let machines = parts.into_iter();
    machines
        .map(|((cpu, cores, kernel), parts)| MethodsMachine {
            cpu,
            cores,
            kernel,
            parts,
        })
        .collect()
}

/// The methods that computed the intervals of means.
fn mean_methods(parts: &[BudgetReport]) -> BTreeSet<MeanMethod> {
    let agents = parts.iter().flat_map(|part| &part.agents);
    let effort = Effort::FULL.shared_by(agents.clone().count());
    agents
        .map(|agent| agent.summary.games)
        .filter(|games| *games > 1)
        .map(|games| MeanMethod::for_sample(games, effort))
        .collect()
}

fn name_of(method: MeanMethod) -> &'static str {
    match method {
        MeanMethod::Student => "student-t",
        MeanMethod::Bootstrap => "bootstrap-t",
        MeanMethod::ClosedForm => "skewness-corrected",
    }
}

/// The paragraph under a report.
impl fmt::Display for Methods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = match self.faults {
            0 => "none with a fault".to_owned(),
            n_faults => format!("{} with a fault", count(n_faults)),
        };
        let private = match self.private_seeds {
            0 => String::new(),
            n_seeds => format!(" and {} of its own for each agent", count(n_seeds)),
        };
        let budgets: Vec<String> = self.budgets.iter().map(MethodsBudget::to_string).collect();
        write!(
            f,
            "methods: {} ({faults}) on {} ({}){private}; salt: {}; {}; {}; host {}",
            counted(self.games, "game"),
            counted(self.n_seeds, "seed"),
            self.seeds,
            self.salt_in_words,
            listed(&budgets),
            machines_in_words(&self.machines),
            word_or_quotation(&self.host),
        )?;
        match &self.inference {
            Some(inference) => write!(f, "; {inference}"),
            None => write!(f, "; nothing is inferred, as tiles are not random"),
        }
    }
}

impl fmt::Display for MethodsBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&readable_times(&self.label))
    }
}

fn machines_in_words(machines: &[MethodsMachine]) -> String {
    if let [machine] = machines {
        return format!(
            "{}, {}, Linux {}",
            label_or_quotation(&machine.cpu),
            counted(machine.cores as u64, "core"),
            word_or_quotation(&machine.kernel)
        );
    }
    let cpus: BTreeSet<&str> = machines
        .iter()
        .map(|machine| machine.cpu.as_str())
        .collect();
    let named = cpus.iter().map(|cpu| label_or_quotation(cpu));
    let named = first_listed(named, MOST_CPUS);
    let n_parts = machines.iter().map(|machine| machine.parts).sum();
    format!("{} on {named}", counted(n_parts, "part"))
}

impl fmt::Display for Inference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = percent_with_digits(self.confidence);
        let means: Vec<String> = (self.mean_intervals.iter())
            .map(|method| match (*method, self.resamples) {
                ("bootstrap-t", Some(n)) => format!("bootstrap-t, {} resamples", count(n as u64)),
                (method, _) => method.replace('-', " "),
            })
            .collect();
        if means.is_empty() {
            write!(f, "confidence {level}")?;
        } else {
            write!(f, "{level} intervals ({})", means.join("; "))?;
        }
        let mut flips: Vec<String> = (self.sign_flips.iter())
            .map(|flips| {
                let which = if flips.all { "all" } else { "random" };
                format!("{} ({which})", count(flips.patterns as u64))
            })
            .collect();
        flips.dedup();
        if !flips.is_empty() {
            write!(f, "; sign flips: {}", listed(&flips))?;
        }
        if let Some(race) = &self.race {
            let last = race.looks.last().copied().unwrap_or_default();
            let looks = counted(race.looks.len() as u64, "look");
            write!(f, "; a race with {looks} up to {}", counted(last, "seed"))?;
        }
        match self.pairs {
            0 => Ok(()),
            n_pairs => write!(
                f,
                "; {}, alpha {} for all claims under one budget together",
                counted(n_pairs as u64, "pair"),
                percent_with_digits(self.alpha)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Report;
    use crate::example::{FIVE_AGENTS, five_agents_forty_seeds, numbered};
    use run::example::plan;
    use tournament::file::{TournamentSource, parse};

    /// The numbers for the 198 games of the fixture under these keys.
    fn methods(keys: &str) -> Methods {
        let agents = FIVE_AGENTS.map(|name| format!("{{plugin: {name}}}"));
        let yaml = format!("{keys}\nagents: [{}]\n", agents.join(", "));
        let mut plan = plan(4, &FIVE_AGENTS);
        plan.tournament = parse(&TournamentSource::new("x.yaml", yaml)).unwrap();
        plan.host_version = "9.8.7".into();
        plan.machine.cpu = "Example CPU".into();
        plan.machine.cores = 4;
        plan.machine.kernel = "6.1".into();
        plan.salt = plugin_api::Salt::from_bytes([0xab; 24]);
        plan.published_salt = Some(plan.salt);
        let records = numbered(&plan, five_agents_forty_seeds());
        let report = Report::new(&plan, &records);
        Methods::of(&plan, &report.counted, &report.budgets, &records)
    }

    #[test]
    fn the_numbers_for_a_paper_stand_together() {
        let methods = methods("seeds: 1..40\nbudget: {per_move: 3ms, bank: 70ms}");
        insta::assert_snapshot!(methods, @"methods: 198 games (3 with a fault) on 40 seeds (1..40); salt: abababababababababababababababababababababababab; 3 ms cpu, bank 70 ms; Example CPU, 4 cores, Linux 6.1; host 9.8.7; 95% intervals (bootstrap-t, 1,999 resamples); sign flips: 99,999 (random); 10 pairs, alpha 5% for all claims under one budget together");
        let json = serde_json::to_value(&methods).unwrap();
        assert_eq!(json["games"], 198);
        assert_eq!(json["faults"], 3);
        assert_eq!(json["salt"], "ab".repeat(24));
        assert_eq!(json["budgets"][0]["per_move_ms"], 3.0);
        assert_eq!(json["budgets"][0]["bank_ms"], 70.0);
        assert_eq!(json["machines"][0]["cores"], 4);
        let inference = &json["inference"];
        assert_eq!(inference["alpha"], 0.05);
        assert_eq!(inference["resamples"], 1_999);
        assert_eq!(inference["sign_flips"][0]["patterns"], 99_999);
    }

    #[test]
    fn a_race_names_its_looks() {
        let methods = methods("seeds: 1..20\nstop: {decided: 0.9, max_seeds: 40}");
        let text = methods.to_string();
        let race =
            "90% intervals (confidence sequence); a race with 10 looks up to 40 seeds; 10 pairs";
        assert!(text.contains(race), "{text}");
        let json = serde_json::to_value(&methods).unwrap();
        let looks = serde_json::json!([20, 22, 24, 26, 28, 30, 33, 36, 39, 40]);
        assert_eq!(json["inference"]["race"]["looks"], looks);
        assert_eq!(json["inference"]["alpha"], 0.1);
    }
}
