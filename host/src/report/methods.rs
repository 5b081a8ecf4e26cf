//! The paragraphs that a paper's methods section needs, from plan and log alone.

use std::num::NonZeroU64;

use plugin_api::{Clock, Tiles};

use super::{
    Report,
    decision::Decision,
    number_text::{count, counted, list, percent_with_digits},
    terminal_text::wrapped,
};
use crate::{
    entrant::Entrant,
    machine::{factor, kinds},
    run_plan::RunPlan,
    statistics::{FEW_GAMES, effort::Effort},
    tournament::{Budget, BudgetLimit, Isolation, Overrun, Sandbox, Tournament, format_duration},
};

/// Wide enough for prose, narrow enough for a letter.
const WIDTH: usize = 80;

/// Rules, seeds, budget, machine, agents and tests of a run, as plain text in lines.
#[must_use]
pub fn methods(plan: &RunPlan, report: &Report) -> String {
    let paragraphs = [
        games(plan, report),
        conditions(plan),
        agents(plan),
        statistics(plan, report),
    ];
    let paragraphs = paragraphs.map(|sentences| wrapped(&sentences.join(" "), "", Some(WIDTH)));
    paragraphs.join("\n")
}

/// What was played, and how much of it.
fn games(plan: &RunPlan, report: &Report) -> Vec<String> {
    let tournament = &plan.tournament;
    let side = tournament.side.length();
    let tiles = match tournament.tiles {
        Tiles::Random => format!(
            "after each move a new tile appeared in a random empty cell, a 4 with probability {} \
             and else a 2",
            tournament.four.as_f64()
        ),
        Tiles::Deterministic => {
            "after each move a 2 appeared in the first empty cell in reading order".to_owned()
        }
    };
    let mut endings = vec!["no move was left".to_owned()];
    if let Some(goal) = tournament.goal {
        endings.push(format!("a tile of {goal} was reached"));
    }
    if let Some(moves) = tournament.max_moves.map(NonZeroU64::get) {
        endings.push(format!("{} had been played", counted(moves, "move")));
    }
    let n_games: usize = all_agents(report).map(|agent| agent.summary.games).sum();
    let n_faults: u64 = all_agents(report).map(|a| a.summary.n_faults()).sum();
    let mut sentences = vec![
        format!(
            "{} played 2048 on a board of {side} x {side} cells with Arena 2048 (host {}): {tiles}; \
             a game ended when {}.",
            counted(plan.entrants.len() as u64, "agent"),
            plan.host_version,
            endings.join(" or "),
        ),
        seeds(plan, report),
        match n_faults {
            0 => format!(
                "{} count; none ended with a fault.",
                counted(n_games as u64, "game")
            ),
            _ => format!(
                "{} count; {} of them ended with a fault of the agent, with the score that stood \
                 on the board.",
                counted(n_games as u64, "game"),
                count(n_faults)
            ),
        },
    ];
    let out: Vec<String> = all_agents(report)
        .filter(|agent| agent.disqualified.is_some())
        .map(|agent| agent.name.clone())
        .collect();
    if !out.is_empty() {
        sentences.push(format!(
            "After too many faults in a row {} left the tournament.",
            list(&out)
        ));
    }
    sentences
}

fn all_agents(report: &Report) -> impl Iterator<Item = &super::AgentReport> {
    report.budgets.iter().flat_map(|part| &part.agents)
}

fn seeds(plan: &RunPlan, report: &Report) -> String {
    let tournament = &plan.tournament;
    if tournament.tiles == Tiles::Deterministic {
        return "As nothing is left to chance, games that went the same way count once.".to_owned();
    }
    let salt = if plan.salt().is_none() {
        "no salt: the tiles are open".to_owned()
    } else {
        format!("salt {}", plan.salt)
    };
    let n_seeds = report.decision.as_ref().map_or(0, Decision::seeds);
    let extended = tournament.seeds.extended_to(n_seeds);
    let played = extended.unwrap_or_else(|_| tournament.seeds.clone());
    format!(
        "All agents met the same tiles: those of the {} {played}, drawn by ChaCha8 from seed and \
         salt ({salt}).",
        counted(played.len(), "seed"),
    )
}

/// Under which budget and where.
fn conditions(plan: &RunPlan) -> Vec<String> {
    let tournament = &plan.tournament;
    let budgets: Vec<String> = tournament.budgets.iter().map(budget).collect();
    let isolation = match (tournament.isolation, tournament.sandbox) {
        (Isolation::None, _) => "Agents ran inside the host".to_owned(),
        (Isolation::Process, Sandbox::Off) => {
            "Each game of an agent had a process of its own".to_owned()
        }
        (Isolation::Process, _) => {
            "Each game of an agent had a sandboxed process of its own".to_owned()
        }
    };
    vec![
        format!("Budget: {}.", budgets.join("; ")),
        format!(
            "{isolation}, with at most {} of memory; never more games at once than cores, seed by \
             seed, all agents in turn.",
            bytes(tournament.memory)
        ),
        machines(plan),
    ]
}

/// The machine, or what those of all shards were and how they compare.
fn machines(plan: &RunPlan) -> String {
    let machine = &plan.machine;
    if plan.machines.is_empty() {
        return format!(
            "Machine: {}, {}, Linux {}.",
            machine.cpu,
            counted(machine.cores as u64, "core"),
            machine.kernel
        );
    }
    let kinds: Vec<String> = kinds(&plan.machines)
        .iter()
        .map(|kind| format!("{} ({})", kind.cpu, counted(kind.n_parts, "part")))
        .collect();
    let factor = factor(plan.machines.iter().map(|part| &part.machine))
        .map(|factor| format!("; the fastest was {factor:.2} times as fast as the slowest"))
        .unwrap_or_default();
    format!(
        "The games were shared by {} on these machines: {}{factor}.",
        counted(plan.machines.len() as u64, "part"),
        kinds.join(", ")
    )
}

fn budget(budget: &Budget) -> String {
    match budget.limit {
        BudgetLimit::None => "none, agents played by their own parameters".to_owned(),
        BudgetLimit::Nodes(nodes) => {
            let nodes = counted(nodes.get(), "search node");
            format!("{nodes} a move, counted by the agents")
        }
        BudgetLimit::Time { per_move } => {
            let clock = match budget.clock {
                Clock::Cpu => "CPU time of the agent's process",
                Clock::Wall => "wall time",
            };
            let overrun = match budget.overrun {
                Overrun::EndGame => "ended the game",
                Overrun::Warn => "was counted",
            };
            format!(
                "{} of {clock} a move, unused time saved up to {}; a turn that left nothing {overrun}",
                format_duration(per_move),
                format_duration(budget.bank)
            )
        }
    }
}

fn bytes(bytes: u64) -> String {
    format!("{} MiB", count(bytes >> 20))
}

fn agents(plan: &RunPlan) -> Vec<String> {
    let agents: Vec<String> = plan.entrants.iter().map(agent).collect();
    vec![format!("Agents: {}.", agents.join("; "))]
}

fn agent(entrant: &Entrant) -> String {
    let info = &entrant.plugin.info;
    let parameters = match entrant.params.as_str() {
        "{}" => "default parameters".to_owned(),
        parameters => format!("parameters {parameters}"),
    };
    format!(
        "{} (plugin {} {}, {parameters}, SHA-256 {})",
        entrant.name, info.name, info.version, entrant.sha256
    )
}

/// By which rules figures became claims.
fn statistics(plan: &RunPlan, report: &Report) -> Vec<String> {
    let tournament = &plan.tournament;
    if tournament.tiles == Tiles::Deterministic {
        return vec![
            "Without chance there is nothing to infer: an agent ranks above another if each of its \
             games is better than each of the other's."
                .to_owned(),
        ];
    }
    let confidence = plan.report_input().confidence();
    let level = percent_with_digits(confidence.together());
    let n_pairs: usize = report.budgets.iter().map(|part| part.pairs.len()).sum();
    let compared = if tournament.goal.is_some() {
        "the rate of reaching the goal and, between equal rates, the moves to it"
    } else {
        "the score"
    };
    let mut sentences = vec![
        format!(
            "Means have {level} bootstrap-t intervals (Efron 1981; {} resamples, generator with a \
             fixed seed; Hall's 1992 closed form where there are too many games to resample, \
             Student's t below 10), rates have Wilson intervals (1927){}.",
            count(Effort::FULL.for_looks(confidence.n_looks()).resamples as u64),
            few(report),
        ),
        format!(
            "Agents were compared in {} by {compared} on the seeds both played, with a two-sided \
             sign-flip test of the mean difference (Fisher 1935; all sign patterns up to 20 games, \
             else {} random ones, continued by Student's t where they run out) and Holm's \
             correction (1979) at a level of {}.",
            counted(n_pairs as u64, "pair"),
            count(Effort::FULL.flips as u64),
            percent_with_digits(confidence.significance())
        ),
        "Agents have different ranks only where everyone on the better rank is significantly \
         better than everyone on the worse one."
            .to_owned(),
    ];
    sentences.extend(stop(tournament, plan, report));
    sentences
}

fn few(report: &Report) -> &'static str {
    const SENTENCE: &str = "; below 30 games the coverage of intervals is not assured";
    const { assert!(FEW_GAMES == 30, "the sentence names the number") };
    if all_agents(report).any(|agent| agent.summary.few) {
        SENTENCE
    } else {
        ""
    }
}

fn stop(tournament: &Tournament, plan: &RunPlan, report: &Report) -> Option<String> {
    let (rule, decision) = (tournament.stop?, report.decision.as_ref()?);
    let looks: Vec<String> = plan
        .report_input()
        .looks()
        .iter()
        .map(|n| count(*n))
        .collect();
    let end = match decision {
        Decision::Unfinished { seeds } => {
            format!("the look at {} is not complete", counted(*seeds, "seed"))
        }
        Decision::Settled { seeds } => {
            format!("it stopped after {}", counted(*seeds, "seed"))
        }
        Decision::Open { seeds, pairs } => format!(
            "after {} it left {} of neighbours open",
            counted(*seeds, "seed"),
            counted(pairs.len() as u64, "pair")
        ),
    };
    Some(format!(
        "The tournament was to stop when all neighbours in the ranking were separated, looking \
         after {} complete seeds; the error rate of {} was split equally over these looks \
         (Bonferroni), for tests and intervals alike; {end}.",
        list(&looks),
        percent_with_digits(1.0 - rule.decided)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        machine::Machine,
        plugin_inspection::Inspection,
        report::example::{FIVE_AGENTS, five_agents_forty_seeds},
        tournament_file::{TournamentSource, parse},
    };

    fn entrant(name: &str) -> Entrant {
        let plugin = serde_json::json!({
            "info": {"name": format!("lib-{name}"), "version": "4.2.1"},
            "abi": "c",
        });
        Entrant {
            name: name.to_owned(),
            path: format!("lib{name}.so").into(),
            sha256: format!("{name}-hash"),
            plugin: serde_json::from_value::<Inspection>(plugin).unwrap(),
            params: r#"{"depth":3}"#.to_owned(),
            allow_read: Vec::new(),
            file: None,
        }
    }

    /// The text of the fixture's 198 games under these keys, without line breaks.
    fn text(keys: &str) -> String {
        let agents = FIVE_AGENTS.map(|name| format!("{{plugin: {name}}}"));
        let yaml = format!("{keys}\nagents: [{}]\n", agents.join(", "));
        let plan = RunPlan {
            v: 1,
            host_version: "9.8.7".into(),
            machine: Machine {
                cpu: "Example CPU".into(),
                cores: 4,
                kernel: "6.1".into(),
                nodes_per_second: Some(20_000_000),
            },
            machines: Vec::new(),
            salt: "ab".repeat(24),
            shard: None,
            tournament: parse(&TournamentSource::new("x.yaml", yaml)).unwrap(),
            entrants: FIVE_AGENTS.map(entrant).into(),
        };
        let report = Report::new(&plan.report_input(), &five_agents_forty_seeds());
        let text = methods(&plan, &report);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(text: &str, parts: &[&str]) {
        for part in parts {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
    }

    #[test]
    fn everything_a_reader_needs_comes_from_plan_and_log() {
        let text = text("seeds: 1..40\nfour: 0.2\nboard: 5\nbudget: {per_move: 3ms, bank: 70ms}");
        check(
            &text,
            &[
                "5 agents played 2048 on a board of 5 x 5 cells with Arena 2048 (host 9.8.7)",
                "a 4 with probability 0.2",
                "the 40 seeds 1..40",
                "salt abababababababababababababababababababababababab",
                "198 games count; 3 of them ended with a fault",
                "3ms of CPU time of the agent's process a move, unused time saved up to 70ms",
                "Example CPU, 4 cores, Linux 6.1",
                r#"mcts (plugin lib-mcts 4.2.1, parameters {"depth":3}, SHA-256 mcts-hash)"#,
                "95% bootstrap-t intervals (Efron 1981; 1,999 resamples",
                "Wilson",
                "compared in 10 pairs by the score",
                "99,999 random ones",
                "Holm's correction (1979) at a level of 5%",
            ],
        );
    }

    #[test]
    fn goal_limits_wall_clock_and_stop_rule_are_said() {
        let text = text(
            "seeds: 1..20\ngoal: 2048\nmax_moves: 900\nbudget: {per_move: 1ms, clock: wall}\n\
             stop: {decided: 0.9, max_seeds: 40}\nsandbox: off",
        );
        check(
            &text,
            &[
                "when no move was left or a tile of 2048 was reached or 900 moves had been played",
                "by the rate of reaching the goal",
                "1ms of wall time a move",
                "Each game of an agent had a process of its own",
                "90% bootstrap-t intervals (Efron 1981; 3,999 resamples",
                "looking after 20 and 40 complete seeds; the error rate of 10% was split",
            ],
        );
    }
}
