//! Provenance: everything that is needed to play the run again.

use maud::{Markup, html};
use plugin_api::Tiles;

use run::{
    machine::kinds,
    run_plan::{Agent, RunPlan},
};
use text::{
    duration_text::readable_times,
    number_text::{count, counted, percent_with_digits},
    plugin_words::{PluginWords, word_or_quotation},
    strangers_words::{label_or_quotation, parameters_or_code},
};
use tournament::{Isolation, Sandbox};

pub(super) fn provenance(plan: &RunPlan) -> Markup {
    html! {
        dl.facts {
            @for (term, fact) in facts(plan) { div { dt { (term) } dd { (fact) } } }
        }
        h3 { "Plugins" }
        ul.plugins { @for agent in &plan.agents { (plugin(agent)) } }
    }
}

fn facts(plan: &RunPlan) -> Vec<(&'static str, String)> {
    let tournament = &plan.tournament;
    let none = || "none".to_owned();
    let tiles = match tournament.tiles {
        Tiles::Random => {
            let fours = percent_with_digits(tournament.four.as_f64());
            format!("random, {fours} fours")
        }
        Tiles::Deterministic => "deterministic: a 2 in the first empty cell".to_owned(),
    };
    let budgets: Vec<String> = tournament
        .budgets
        .iter()
        .map(|budget| readable_times(&budget.to_string()))
        .collect();
    let isolation = match tournament.isolation {
        Isolation::Process => "one process per game",
        Isolation::None => "none",
    };
    let sandbox = match tournament.sandbox {
        Sandbox::On => "sandbox on",
        Sandbox::Required => "sandbox required",
        Sandbox::Off => "sandbox off",
    };
    let mut facts = vec![
        ("Board", tournament.side.to_string()),
        ("New tiles", tiles),
        (
            "Seeds",
            format!("{} ({})", tournament.seeds, count(tournament.seeds.len())),
        ),
        (
            "Private seeds",
            match tournament.private_seeds {
                0 => none(),
                n_seeds => format!("{} for each agent", count(n_seeds)),
            },
        ),
        ("Salt", plan.salt_in_words()),
        (
            "Goal",
            tournament.goal.map_or_else(none, |goal| goal.to_string()),
        ),
        (
            "Move limit",
            tournament
                .max_moves
                .map_or_else(none, |max| count(max.get())),
        ),
        ("Budget", budgets.join("; ")),
        (
            "Stop rule",
            tournament.stop.map_or_else(none, |stop| {
                let equal = stop
                    .equal_within
                    .map(|share| format!(", or are equal within {}", percent_with_digits(share)));
                format!(
                    "for each agent when all of its pairs are decided at {}{}, after at most {}",
                    percent_with_digits(stop.decided),
                    equal.unwrap_or_default(),
                    counted(stop.max_seeds, "seed")
                )
            }),
        ),
        ("Control", tournament.control.clone().unwrap_or_else(none)),
        ("Isolation", format!("{isolation}, {sandbox}")),
        (
            "Disqualified after",
            tournament
                .disqualify_after
                .map_or_else(none, |n| counted(n.get().into(), "fault") + " in a row"),
        ),
    ];
    facts.extend(machines(plan));
    facts.push((
        "Host",
        format!("Arena 2048 {}", word_or_quotation(&plan.host_version)),
    ));
    facts.retain(|(term, fact)| fact != "none" || *term == "Salt");
    facts
}

/// The machine, or the machines of all shards.
fn machines(plan: &RunPlan) -> Vec<(&'static str, String)> {
    let machine = &plan.machine;
    if plan.machines.is_empty() {
        let mut facts = vec![
            ("Machine", label_or_quotation(&machine.cpu)),
            ("Cores", machine.cores.to_string()),
            ("Kernel", word_or_quotation(&machine.kernel)),
        ];
        let speed = machine.nodes_per_second;
        facts.extend(
            speed.map(|speed| ("Fixed search", format!("{} nodes per second", count(speed)))),
        );
        return facts;
    }
    let each = kinds(&plan.machines).into_iter().map(|kind| {
        let speed = kind.nodes_per_second.map(|(low, high)| {
            format!(
                ", {} to {} nodes per second in a fixed search",
                count(low),
                count(high)
            )
        });
        format!(
            "{} ({}{})",
            label_or_quotation(kind.cpu),
            counted(kind.n_parts, "part"),
            speed.unwrap_or_default()
        )
    });
    vec![("Machines", each.collect::<Vec<_>>().join("; "))]
}

fn plugin(agent: &Agent) -> Markup {
    if agent.has_pseudonym() {
        return html! { li { b { (agent.name) } " " span { "shown under a pseudonym" } } };
    }
    let info = &agent.plugin.info;
    let params = match agent.params.as_str() {
        "" | "{}" => "default parameters".to_owned(),
        params => parameters_or_code(params),
    };
    html! {
        li {
            b { (agent.name) } " "
            span {
                (word_or_quotation(&info.name))
                @if !info.version.is_empty() { " " (word_or_quotation(&info.version)) }
                @if !info.author.is_empty() { " by " (PluginWords::new(&info.author).to_string()) }
                ", " (agent.plugin.abi) " ABI, " (params)
            }
            " " code.hash { "sha256 " (agent.sha256) }
        }
    }
}
