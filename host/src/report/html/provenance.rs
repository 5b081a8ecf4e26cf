//! Where the figures come from: everything it takes to play the run again.

use super::markup::{Append, Escaped};
use crate::{
    entrant::Entrant,
    machine::kinds,
    report::number_text::{count, counted, percent},
    run_plan::RunPlan,
    tournament::{Isolation, Sandbox},
    worker::Abi,
};
use plugin_api::Tiles;

pub(super) fn provenance(plan: &RunPlan) -> String {
    let mut markup = "<dl class=\"facts\">\n".to_owned();
    for (term, fact) in facts(plan) {
        markup.append(format_args!(
            "<div><dt>{term}</dt><dd>{}</dd></div>\n",
            Escaped(&fact)
        ));
    }
    markup += "</dl>\n<h3>Plugins</h3>\n<ul class=\"plugins\">\n";
    for entrant in &plan.entrants {
        markup += &plugin(entrant);
    }
    markup + "</ul>\n"
}

fn facts(plan: &RunPlan) -> Vec<(&'static str, String)> {
    let tournament = &plan.tournament;
    let none = || "none".to_owned();
    let tiles = match tournament.tiles {
        Tiles::Random => format!("random, {} % fours", 100.0 * tournament.four.as_f64()),
        Tiles::Deterministic => "deterministic: a 2 in the first empty cell".to_owned(),
    };
    let salt = if plan.salt().is_none() {
        "none: the tiles are open".to_owned()
    } else {
        plan.salt.clone()
    };
    let budgets: Vec<String> = tournament.budgets.iter().map(ToString::to_string).collect();
    let isolation = match tournament.isolation {
        Isolation::Process => "a process for each game",
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
        ("Salt", salt),
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
                format!(
                    "when neighbours are separated at {}, at most {}",
                    percent(stop.decided),
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
    facts.push(("Host", format!("Arena 2048 {}", plan.host_version)));
    facts.retain(|(term, fact)| fact != "none" || *term == "Salt");
    facts
}

/// The machine, or those of all shards.
fn machines(plan: &RunPlan) -> Vec<(&'static str, String)> {
    let machine = &plan.machine;
    if plan.machines.is_empty() {
        let mut facts = vec![
            ("Machine", machine.cpu.clone()),
            ("Cores", machine.cores.to_string()),
            ("Kernel", machine.kernel.clone()),
        ];
        let speed = machine.nodes_per_second;
        facts.extend(
            speed.map(|speed| ("Fixed search", format!("{} nodes a second", count(speed)))),
        );
        return facts;
    }
    let each = kinds(&plan.machines).into_iter().map(|kind| {
        let speed = kind.nodes_per_second.map(|(low, high)| {
            format!(
                ", {} to {} nodes a second in a fixed search",
                count(low),
                count(high)
            )
        });
        format!(
            "{} ({}{})",
            kind.cpu,
            counted(kind.n_parts, "part"),
            speed.unwrap_or_default()
        )
    });
    vec![("Machines", each.collect::<Vec<_>>().join("; "))]
}

fn plugin(entrant: &Entrant) -> String {
    let info = &entrant.plugin.info;
    let author = if info.author.is_empty() {
        String::new()
    } else {
        format!(" by {}", info.author)
    };
    let abi = match entrant.plugin.abi {
        Abi::Rust => "Rust",
        Abi::C => "C",
    };
    let params = match entrant.params.as_str() {
        "" | "{}" => "default parameters",
        params => params,
    };
    format!(
        "<li><b>{}</b> <span>{} {}{}, {abi} ABI, {}</span> <code class=\"hash\">sha256 {}</code></li>\n",
        Escaped(&entrant.name),
        Escaped(&info.name),
        Escaped(&info.version),
        Escaped(&author),
        Escaped(params),
        Escaped(&entrant.sha256)
    )
}
